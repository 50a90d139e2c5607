import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, rehearse } from '@lintel/client';
import { askReason, onQuestion, openQuestion, withOneReason } from '../src/reason/ask-reason.ts';
import { fetchWithReason } from '../src/reason/fetch-with-reason.ts';
import { lacksReason } from '../src/reason/send-with-reason.ts';

const details = "Header 'X-Change-Reason' is required: changes of a have a reason";
let server: Server;
let reasons: (string | undefined)[] = [];
let client: ReturnType<typeof createClient>;
let asked = 0;
/** The input of the user; undefined: the question is closed without one. */
let entered: string | undefined;

beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    const reason = headers['x-change-reason'];
    reasons.push(reason === undefined ? undefined : Buffer.from(String(reason), 'latin1').toString());
    const body = reason === undefined ? { error: 'Reason required', details } : { changes: [], events: [] };
    if (reason === undefined) response.setHeader('x-error-code', 'REQ_REASON_REQUIRED');
    response.writeHead(reason === undefined ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createClient({ baseUrl, fetch: fetchWithReason });
  onQuestion(() => {
    const question = openQuestion();
    if (question === undefined) return;
    asked += 1;
    setTimeout(() => question.close(entered));
  });
});
beforeEach(() => {
  [reasons, asked, entered] = [[], 0, 'Müll'];
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('a change that is refused without a reason is sent again with the reason that the user enters', async () => {
  await client.patch('a', '1', { name: 'x' });
  expect([reasons, asked, openQuestion()]).toEqual([[undefined, 'Müll'], 1, undefined]);
  await client.patch('a', '1', { name: 'y' });
  expect(asked).toBe(2);
});

test('without a reason the refusal is the error', async () => {
  entered = undefined;
  const error: unknown = await client.patch('a', '1', { name: 'x' }).catch((reason: unknown) => reason);
  expect([lacksReason(error), reasons, asked]).toEqual([true, [undefined], 1]);
});

test('a rehearsal asks for no reason', async () => {
  await rehearse(client, (dry) => dry.remove('a', '1'));
  expect([reasons, asked]).toEqual([[undefined, 'rehearsal'], 0]);
});

test('for work of several writes, and for writes at the same time, the user is asked once', async () => {
  await withOneReason(async () => {
    for (const id of ['1', '2']) await client.remove('a', id);
  });
  expect([reasons, asked]).toEqual([[undefined, 'Müll', undefined, 'Müll'], 1]);
  expect(await Promise.all([askReason(), askReason()])).toEqual(['Müll', 'Müll']);
  expect(asked).toBe(2);
});
