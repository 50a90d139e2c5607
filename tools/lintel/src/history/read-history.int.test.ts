import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeTerminal, fakeTerminal } from '../../test/fake-terminal.ts';
import { saveLogins } from '../login/credentials.ts';
import { run } from '../run.ts';

let server: Server;
let url: string;
let folder: string;
interface Reply {
  readonly status: number;
  readonly body: unknown;
}
let reply: Reply;
let replyTo: (request: IncomingMessage) => Reply;
let asked: IncomingMessage;
const before = process.env['XDG_CONFIG_HOME'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-history-'));
  process.env['XDG_CONFIG_HOME'] = folder;
  server = createServer((request, response) => {
    asked = request;
    const { status, body } = replyTo(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const login = { clientId: 'lintel-cli', accessToken: 'token', expiresAt: 0 };
  saveLogins(join(folder, 'lintel', 'credentials.json'), { [url]: login });
});
beforeEach(() => {
  replyTo = () => reply;
});
afterAll(() => {
  if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
  else process.env['XDG_CONFIG_HOME'] = before;
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const history = (...parameters: string[]) => historyAt(fakeTerminal(), ...parameters);

async function historyAt(terminal: FakeTerminal, ...parameters: string[]) {
  const code = await run(['history', ...parameters, '--server', url], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}

const change = {
  ...{ change: 'c1', time: '2026-11-29T10:00:00.000Z', user: 'ann', reason: 'contract', operation: 'updated' },
  attributes: [
    { attribute: 'name', old: 'Ada', new: 'Adam' },
    { attribute: 'category', new: { id: '1', _instanceName: 'A' } },
  ],
  children: [
    { attribute: 'lines', entity: 'x', id: 7, operation: 'created', attributes: [{ attribute: 'quantity', new: 2 }] },
  ],
};
const values = ['name: Ada → Adam', 'category: – → A', 'lines[7]: created', 'lines[7].quantity: – → 2'];

test('the changes of an instance are printed with their values, also for one user alone', async () => {
  reply = { status: 200, body: [change] };
  const { code, output } = await history('show', 'sales_Customer', 'a/b', '--user', 'ann', '--limit', '5');
  const lines = ['2026-11-29T10:00:00.000Z  updated  ann  c1  (contract)', ...values.map((value) => `  ${value}`)];
  expect([code, output]).toEqual([0, lines.join('\n')]);
  expect([asked.url, asked.headers.authorization]).toEqual([
    '/rest/history/sales_Customer/a%2Fb?limit=5&user=ann',
    'Bearer token',
  ]);
  expect(JSON.parse((await history('show', 'sales_Customer', '1', '--json')).output)).toEqual([change]);
});

// Asserts contract/personal-data.md#masks.
test('masked and secret values of a change are named', async () => {
  const attributes = [
    { attribute: 'name', masked: true },
    { attribute: 'address', old: { city: 'Ulm' }, new: { city: 'Bonn' }, masked: true },
  ];
  reply = { status: 200, body: [{ ...change, attributes, children: [], secrets: ['pin'] }] };
  expect((await history('show', 'sales_Customer', '1')).output.split('\n').slice(1)).toEqual([
    '  name: personal values, which you may not see',
    '  address: {"city":"Ulm"} → {"city":"Bonn"}',
    '  address: personal values, which you may not see',
    '  pin: not recorded',
  ]);
});

test('two points in time are compared', async () => {
  reply = { status: 200, body: change };
  const { output } = await history('diff', 'sales_Customer', '1', '--from', '2026-11-28T00:00:00Z');
  expect(output).toBe(['updated', ...values].join('\n  '));
  expect(asked.url).toBe('/rest/history/sales_Customer/1/diff?from=2026-11-28T00%3A00%3A00.000Z');
  reply = { status: 200, body: { operation: 'updated', attributes: [] } };
  expect((await history('diff', 'sales_Customer', '1', '--from', '1d')).output).toBe('Nothing differs.');
});

test('a change is taken back with a reason, or rehearsed', async () => {
  reply = { status: 200, body: [{ entity: 'sales_Customer', id: '1', operation: 'updated' }] };
  expect((await history('undo', 'c1', '--yes', '--reason', 'Mü\nll')).output).toBe('sales_Customer 1: updated');
  expect([asked.method, asked.url, asked.headers.prefer]).toEqual([
    'POST',
    '/rest/history/changes/c1/undo',
    'respond-async',
  ]);
  expect(Buffer.from(String(asked.headers['x-change-reason']), 'latin1').toString()).toBe('Mü ll');
  const attributes = [{ attribute: 'name', old: 'Adam', new: 'Ada' }];
  reply = { status: 200, body: { changes: [{ entity: 'sales_Customer', id: '1', change: 'updated', attributes }] } };
  const { output } = await history('undo', 'c1', '--dry-run');
  expect([output, asked.headers.prefer]).toEqual(['sales_Customer 1: updated\n  name: Adam → Ada', 'tx=rollback']);
});

test('before a change is taken back the user confirms what it changes', async () => {
  const attributes = [{ attribute: 'name', old: 'Adam', new: 'Ada' }];
  reply = { status: 200, body: { changes: [{ entity: 'sales_Customer', id: '1', change: 'updated', attributes }] } };
  const declined = await historyAt(fakeTerminal({ inputs: ['no'] }), 'undo', 'c1');
  expect([declined.code, declined.output, asked.headers.prefer]).toEqual([2, '', 'tx=rollback']);
  expect(declined.notes).toMatch(/^sales_Customer 1: updated\n {2}name: Adam → Ada\n[\s\S]*Nothing was changed/);
  const requests: unknown[] = [];
  replyTo = ({ headers: { prefer } }) => {
    requests.push(prefer);
    return { status: 200, body: prefer === 'respond-async' ? [] : { changes: [] } };
  };
  expect((await historyAt(fakeTerminal({ inputs: ['yes'] }), 'undo', 'c1')).code).toBe(0);
  expect(requests).toEqual(['tx=rollback', 'respond-async']);
  requests.length = 0;
  const { code, notes } = await history('undo', 'c1');
  expect([code, notes, requests]).toEqual([2, expect.stringContaining('--yes'), []]);
});

test.each([
  ['its result', { status: 'SUCCEEDED', result: [{ entity: 'E', id: 1, operation: 'updated' }] }, 0, 'E 1: updated'],
  ['its error', { status: 'FAILED', error: { status: 409, error: 'Conflict', details: 'why' } }, 2, 'Conflict: why'],
  ['its end', { status: 'CANCELLED' }, 2, 'The run r was cancelled'],
])('an undo in the background prints %s', async (_what, ended, exit, text) => {
  replyTo = ({ url }) =>
    url === '/rest/service-runs/r'
      ? { status: 200, body: { id: 'r', ...ended } }
      : { status: 202, body: { id: 'r', status: 'QUEUED' } };
  const { code, output, notes } = await history('undo', 'c1', '--yes');
  expect([code, output + notes]).toEqual([exit, expect.stringContaining(text)]);
});

test.each([
  [409, { error: 'Conflict', details: 'Changed since: sales_Customer "1": name' }, 'Changed since: sales_Customer'],
  [404, undefined, 'It does not exist, or you may not see it'],
  [502, undefined, 'responds with 502'],
])('a refusal with %i is printed with the words of the server', async (status, body, text) => {
  reply = { status, body };
  const { code, notes } = await history('undo', 'c1', '--yes');
  expect([code, notes]).toEqual([2, expect.stringContaining(text)]);
});

test('without a login nothing is asked', async () => {
  const terminal = fakeTerminal();
  const code = await run(['history', 'show', 'x', '1', '--server', 'http://localhost:1'], terminal);
  expect([code, terminal.notes()]).toEqual([2, expect.stringContaining('There is no login at http://localhost:1')]);
});

test('an unreachable server is named', async () => {
  const free = 'http://127.0.0.1:1';
  saveLogins(join(folder, 'lintel', 'credentials.json'), {
    [free]: { clientId: 'lintel-cli', accessToken: 'token', expiresAt: 0 },
  });
  const terminal = fakeTerminal();
  const code = await run(['history', 'show', 'x', '1', '--server', free], terminal);
  expect([code, terminal.notes()]).toEqual([2, expect.stringContaining(free)]);
});
