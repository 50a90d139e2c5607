import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createClient,
  folderSubject,
  type RunningFiles,
  refOf,
  SERVICE_TIME,
  type Subject,
  startService,
  tokenOfGrant,
} from '../../test/files-fixture.ts';

let subject: Subject;
let server: RunningFiles;
/** Files that somebody refers to, by the callers who may read this. */
const readable = new Map<string, readonly string[]>();
const asked: string[] = [];

beforeAll(async () => {
  subject = await folderSubject();
  const fileAccess = {
    async mayRead(key: string, { token }: { readonly token: string }) {
      asked.push(`${token} ${key}`);
      return readable.get(key)?.includes(token) === true;
    },
  };
  const properties = { 'svc.files.access': 'references' };
  server = await startService(subject.store, subject.store, properties, () => {}, fileAccess);
});
afterAll(async () => {
  await server?.close();
  await subject?.drop();
});
const { call, upload } = createClient(() => server.url);
const keyOf = (fileRef: string): string => fileRef.split('?', 1)[0] ?? '';

// Asserts contract/files.md#access.
test('the uploader reads a file for a day; others as they may read what refers to it', async () => {
  const { fileRef } = (await upload('a.txt', 'text')).json();
  expect((await call(refOf(fileRef))).status).toBe(200);
  asked.length = 0;
  const refused = await call(refOf(fileRef), {}, 'another');
  // As a file that does not exist.
  const missing = await call(refOf(fileRef.replace(/[0-9a-f]{12}\.txt/, '000000000000.txt')), {}, 'another');
  for (const response of [refused, missing]) expect([response.status, response.bytes.length]).toEqual([404, 0]);
  expect(asked).toContain(`another ${keyOf(fileRef)}`);
  readable.set(keyOf(fileRef), ['another']);
  for (const init of [{}, { method: 'HEAD' }, { headers: { Range: 'bytes=0-1' } }])
    expect((await call(refOf(fileRef), init, 'another')).status).toBeLessThan(300);
  // The name in the reference makes no other file.
  expect((await call(refOf(fileRef.replace('name=a.txt', 'name=b.txt')), {}, 'another')).status).toBe(200);
});

// Asserts contract/files.md#access.
test('after a day the uploader is a caller like any other', async () => {
  const { fileRef } = (await upload('a.txt', 'text')).json();
  const path = keyOf(fileRef).slice('fs://'.length);
  const before = new Date(SERVICE_TIME - 24 * 3_600_000);
  await utimes(join(subject.folder ?? '', path), before, before);
  expect((await call(refOf(fileRef))).status).toBe(404);
});

// Asserts contract/files.md#access.
test('what a service stores for a user is for this user, at any age', async () => {
  const stored = await fetch(`${server.internalUrl}/internal/files?name=report.pdf`, {
    method: 'POST',
    headers: { Authorization: 'Bearer reports' },
    body: 'document',
  });
  const { fileRef } = (await stored.json()) as { fileRef: string };
  const path = join(subject.folder ?? '', keyOf(fileRef).slice('fs://'.length));
  const before = new Date(SERVICE_TIME - 100 * 24 * 3_600_000);
  await utimes(path, before, before);
  expect((await call(refOf(fileRef))).status).toBe(200);
  expect((await call(refOf(fileRef), {}, 'another')).status).toBe(404);
});

// Asserts contract/files.md#access.
test('the file of a resumable upload is its uploader’s, too', async () => {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const created = await call('/rest/files/uploads', {
    method: 'POST',
    body: 'text',
    headers: {
      ...tus,
      'Upload-Length': '4',
      'Upload-Metadata': `filename ${btoa('a.txt')}`,
      'Content-Type': 'application/offset+octet-stream',
      Prefer: 'return=representation',
    },
  });
  const { fileRef } = created.json();
  expect((await call(refOf(fileRef))).status).toBe(200);
  expect((await call(refOf(fileRef), {}, 'another')).status).toBe(404);
});

describe('a token that application code grants with a ticket (contract/tokens.md#file-tickets)', () => {
  const opens = (fileRef: string, caller = 'another') => tokenOfGrant(caller, keyOf(fileRef));

  test('opens the one file, without a question to data', async () => {
    const { fileRef } = (await upload('a.txt', 'text')).json();
    const other = (await upload('b.txt', 'other')).json().fileRef;
    asked.length = 0;
    const granted = await call(refOf(fileRef), {}, opens(fileRef));
    expect([granted.status, granted.bytes.toString()]).toEqual([200, 'text']);
    expect((await call(refOf(fileRef), { method: 'HEAD' }, opens(fileRef))).status).toBe(200);
    // Not even a file that the caller has uploaded, or may read.
    expect((await call(refOf(other), {}, opens(fileRef, 'user'))).status).toBe(404);
    readable.set(keyOf(other), [opens(fileRef), 'another']);
    expect((await call(refOf(other), {}, opens(fileRef))).status).toBe(404);
    for (const near of [`${keyOf(fileRef)}x`, keyOf(fileRef).slice(0, -1), keyOf(fileRef).replace('fs:', 'small:')])
      expect((await call(refOf(fileRef), {}, tokenOfGrant('another', near))).status).toBe(404);
    expect(asked).toEqual([]);
  });

  // Asserts contract/tokens.md#file-tickets.
  test('needs the permission to download, and is refused by all other requests', async () => {
    const { fileRef } = (await upload('a.txt', 'text')).json();
    expect((await call(refOf(fileRef), {}, opens(fileRef, 'minimal'))).status).toBe(403);
    const length = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '4', 'Upload-Metadata': `filename ${btoa('a.txt')}` };
    for (const [path, init] of [
      ['/rest/files?name=a.txt', { method: 'POST', body: 'text' }],
      ['/rest/files/uploads', { method: 'POST', headers: length }],
      ['/rest/files/uploads/x', {}],
    ] as const)
      expect([path, (await call(path, init, opens(fileRef))).status]).toEqual([path, 401]);
  });

  // Asserts contract/tokens.md#file-tickets.
  test('is no token of the internal listener', async () => {
    const { fileRef } = (await upload('a.txt', 'text')).json();
    const headers = { Authorization: `Bearer ${opens(fileRef)}` };
    const query = new URLSearchParams({ fileRef });
    expect((await fetch(`${server.internalUrl}/internal/files?${query}`, { headers })).status).toBe(401);
  });
});
