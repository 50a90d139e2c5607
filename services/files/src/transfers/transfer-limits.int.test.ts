import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { RunningServer } from '@lintel/http';
import { eventually } from '@lintel/testkit';
import { createClient, folderSubject, refOf, type Subject, startService } from '../../test/files-fixture.ts';

let subject: Subject;
let server: RunningServer;
const log: string[] = [];
beforeAll(async () => {
  subject = await folderSubject();
  server = await startService(
    subject.store,
    subject.store,
    {
      'svc.files.max-uploads-per-user': '3',
      'svc.files.max-downloads-per-user': '2',
      'svc.rest.max-file-size': '100MB',
    },
    (line) => log.push(line),
  );
});
afterAll(async () => {
  await server?.close();
  await subject?.drop();
});
const { call, upload } = createClient(() => server.url);

const TOO_MANY = (what: string) => [
  429,
  '1',
  { error: 'Too many requests', details: expect.stringMatching(new RegExp(`svc\\.files\\.max-${what}-per-user`)) },
];

interface OpenUpload {
  readonly sent: ClientRequest;
  isRefused: boolean;
}

/** An upload that does not end, unless it is refused. */
function openUpload(): OpenUpload {
  const sent = request(`${server.url}/rest/files?name=a`, {
    method: 'POST',
    headers: { Authorization: 'Bearer user', 'Content-Length': 100_000 },
  });
  const upload = { sent, isRefused: false };
  sent.on('error', () => {});
  sent.on('response', () => {
    upload.isRefused = true;
  });
  sent.write('some');
  return upload;
}

test('uploads of one user above the limit return 429, until one has ended; others upload', async () => {
  let open = [openUpload(), openUpload(), openUpload()];
  await eventually(async () => {
    // Connections are accepted in any order: the short upload may have been the third. It is not sent again before
    // the refused one had the time to be the third itself.
    const areOpen = open.every(({ isRefused }) => !isRefused);
    open = open.map((each) => (each.isRefused ? openUpload() : each));
    expect(areOpen).toBe(true);
    const response = await upload('a.txt', 'x');
    expect([response.status, response.headers.get('retry-after'), response.json()]).toEqual(TOO_MANY('uploads'));
  });
  expect((await call('/rest/files?name=a.txt', { method: 'POST', body: 'x' }, 'another')).status).toBe(201);
  open[0]?.sent.destroy();
  await eventually(async () => expect((await upload('a.txt', 'x')).status).toBe(201));
  for (const { sent } of open) sent.destroy();
});

test('downloads of one user above the limit return 429, until one has ended', async () => {
  const { fileRef } = (await upload('a.bin', Buffer.alloc(60_000_000))).json();
  const get = async (): Promise<ClientRequest> => {
    const sent = request(`${server.url}${refOf(fileRef)}`, { headers: { Authorization: 'Bearer user' } }).end();
    sent.on('error', () => {});
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.pause().statusCode).toBe(200);
    return sent;
  };
  const open = [await get(), await get()];
  const head = await call(refOf(fileRef), { method: 'HEAD' });
  expect([head.status, head.headers.get('retry-after')]).toEqual([429, '1']);
  const response = await call(refOf(fileRef));
  expect([response.status, response.headers.get('retry-after'), response.json()]).toEqual(TOO_MANY('downloads'));
  for (const each of open) each.destroy();
  await eventually(async () => expect((await call(refOf(fileRef), { method: 'HEAD' })).status).toBe(200));
});

test('a caller who may not upload returns 403, with any limit', async () => {
  expect((await call('/rest/files?name=a.txt', { method: 'POST', body: 'x' }, 'minimal')).status).toBe(403);
});

test('a user whom the API refuses a hundred times within a minute is a security event', async () => {
  for (let at = 0; at < 100; at += 1) await call('/rest/files?name=a.txt', { method: 'POST', body: 'x' }, 'minimal');
  expect(log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'security')).toEqual([
    expect.objectContaining({ name: 'security.access.refused', username: 'minimal', amount: 100 }),
  ]);
});
