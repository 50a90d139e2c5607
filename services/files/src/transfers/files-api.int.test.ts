import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { loadSettings } from '@lintel/config';
import type { AccessClaims, Session } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { listen, type RunningServer } from '@lintel/http';
import { BUILT_IN_ROLES, resourceRole, specificPolicy } from '@lintel/security';
import { createLogger } from '@lintel/telemetry';
import { createTestBucket, eventually, freePort } from '@lintel/testkit';
import { createFilesService } from '../app.ts';
import { settings } from '../config.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { createFileStorages } from '../storage/file-storages.ts';
import { createFolderBlobStore } from '../storage/folder-blob-store.ts';
import { createS3BlobStore } from '../storage/s3-blob-store.ts';

const MAX_BYTES = 12 * 1024 * 1024;
const ROLES = new Map(
  [
    ...BUILT_IN_ROLES,
    resourceRole('both', {
      name: 'Both',
      policies: [specificPolicy('rest.fileUpload.enabled'), specificPolicy('rest.fileDownload.enabled')],
    }),
  ].map((role) => [role.code, role]),
);
/** Token → resource roles of the fake caller. */
const CALLERS: Readonly<Record<string, readonly string[]>> = {
  user: ['rest-minimal', 'both'],
  minimal: ['rest-minimal'],
  nobody: ['both'],
};

const sessionOf = (username: string): Session => ({
  id: username,
  username,
  userId: null,
  clientId: 'client',
  kind: 'user',
  resourceRoles: [...(CALLERS[username] ?? [])],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  createdAt: '2026-11-21T00:00:00Z',
});

interface Subject {
  readonly store: BlobStore;
  everything(): Promise<number>;
  drop(): Promise<void>;
}

/** Remembers what was written, to tell what is left of it. */
function recorded(store: BlobStore, drop: () => Promise<void>): Subject {
  const keys: string[] = [];
  const recording: BlobStore = {
    write(key, content, description) {
      keys.push(key);
      return store.write(key, content, description);
    },
    find: (key) => store.find(key),
    read: (key, range) => store.read(key, range),
    remove: (key) => store.remove(key),
    isReady: () => store.isReady(),
    close: () => store.close(),
  };
  const everything = async () => (await Promise.all(keys.map((key) => store.find(key)))).filter(Boolean).length;
  return { store: recording, everything, drop };
}

async function folderSubject(): Promise<Subject> {
  const root = await mkdtemp(join(tmpdir(), 'files-'));
  return recorded(await createFolderBlobStore(root), () => rm(root, { recursive: true, force: true }));
}

async function s3Subject(): Promise<Subject> {
  const { url, bucket, accessKey, secretKey, drop } = await createTestBucket('files');
  const options = { endpointUrl: url, bucket, accessKey, secretKey, region: 'us-east-1' };
  return recorded(createS3BlobStore({ ...options, partSizeBytes: 5 * 1024 * 1024, timeoutMs: 5000 }), drop);
}

async function startService(store: BlobStore, second: BlobStore): Promise<RunningServer> {
  const config = loadSettings(settings, {
    sources: [
      {
        label: 'test',
        kind: 'application',
        values: {
          'svc.files.port': '0',
          'svc.internal.secret': 'x',
          'svc.rest.anonymous-url-patterns': '/rest/public/**',
        },
      },
    ],
    readSecretFile: () => '',
  });
  const service = createFilesService(
    {
      application: { resourceRoles: ROLES },
      storages: createFileStorages(
        [
          { name: 'fs', store, maxFileSizeBytes: MAX_BYTES },
          { name: 'small', store: second, maxFileSizeBytes: 10 },
        ],
        'fs',
      ),
      verifier: {
        async verify(token) {
          if (CALLERS[token] === undefined) throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
          return { sub: token, sid: token } as AccessClaims;
        },
      },
      loadSession: async (id) => sessionOf(id),
      logger: createLogger({ service: 'files', destination: { write: () => {} } }),
      clock: { now: () => new Date(2026, 10, 21, 12).getTime() },
      newId: randomUUID,
    },
    config,
  );
  await service.start();
  return listen(service.app, { host: '127.0.0.1', port: config.port });
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly json: () => { fileRef: string; name: string; size: number; error: string; details: string };
}

describe.each([
  ['folder', folderSubject],
  ['S3', s3Subject],
] as const)('files over HTTP, kept in the %s storage', (_storage, create) => {
  let subject: Subject;
  let other: Subject;
  let server: RunningServer;

  beforeAll(async () => {
    subject = await create();
    other = await folderSubject();
    server = await startService(subject.store, other.store);
  });
  afterAll(async () => {
    await server?.close();
    await subject?.store.close();
    await subject?.drop();
    await other?.drop();
  });

  async function call(path: string, init: RequestInit = {}, token = 'user'): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, json: () => JSON.parse(String(bytes)) };
  }

  const upload = (name: string, body: string | Uint8Array, headers: Record<string, string> = {}, query = '') =>
    call(`/rest/files?name=${encodeURIComponent(name)}${query}`, { method: 'POST', body: body as BodyInit, headers });

  const refOf = (fileRef: string): string => `/rest/files?fileRef=${encodeURIComponent(fileRef)}`;

  describe('upload', () => {
    test('takes a raw body and answers its reference, size and location', async () => {
      const answer = await upload('Größe & Co.txt', 'hello', { 'Content-Type': 'text/plain' });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('content-type')).toBe('application/json');
      const { fileRef, name, size } = answer.json();
      expect({ name, size }).toEqual({ name: 'Größe & Co.txt', size: 5 });
      expect(fileRef).toMatch(/^fs:\/\/2026\/11\/21\/[0-9a-f-]{36}\.txt\?name=Gr%C3%B6%C3%9Fe\+%26\+Co\.txt$/);
      expect(Object.keys(answer.json())).toEqual(['fileRef', 'name', 'size']);
      expect(answer.headers.get('location')).toBe(`${server.url}/rest/files?${new URLSearchParams({ fileRef })}`);
      expect(String((await call(refOf(fileRef))).bytes)).toBe('hello');
    });

    test('counts a chunked body by its bytes', async () => {
      const body = Readable.toWeb(Readable.from([randomBytes(70_000), randomBytes(5)])) as ReadableStream;
      const answer = await call('/rest/files?name=a.bin', { method: 'POST', body, duplex: 'half' } as RequestInit);
      expect(answer.json().size).toBe(70_005);
    });

    test('takes an empty file', async () => {
      const { fileRef, size } = (await upload('empty.txt', '')).json();
      expect(size).toBe(0);
      const answer = await call(refOf(fileRef));
      expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    });

    test('takes the part named file of a multipart body, whatever comes before and after it', async () => {
      const bytes = randomBytes(300_000);
      const form = new FormData();
      form.append('comment', 'before');
      form.append('thumbnail', new Blob(['not this']), 'small.png');
      form.append('file', new Blob([bytes], { type: 'image/png' }), 'Foto ä.png');
      form.append('more', 'after');
      const answer = await call('/rest/files', { method: 'POST', body: form });
      expect(answer.status).toBe(201);
      expect(answer.json()).toMatchObject({ name: 'Foto ä.png', size: 300_000 });
      expect((await call(refOf(answer.json().fileRef))).bytes.equals(bytes)).toBe(true);
    });

    test('prefers the name in the query to that of the part', async () => {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'part.txt');
      const answer = await call('/rest/files?name=query.csv', { method: 'POST', body: form });
      expect(answer.json().name).toBe('query.csv');
      expect(answer.json().fileRef).toMatch(/\.csv\?name=query\.csv$/);
    });

    test('takes a part without a file name', async () => {
      const body = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--b--\r\n';
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      const answer = await call('/rest/files', { method: 'POST', body, headers });
      expect(answer.json()).toMatchObject({ name: '', size: 3 });
      expect(answer.json().fileRef).toMatch(/^fs:\/\/2026\/11\/21\/[0-9a-f-]{36}\?name=$/);
    });

    test('builds the location from what the gateway says of the client’s request', async () => {
      const answer = await upload('a.txt', 'x', {
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'api.example.org',
      });
      expect(answer.headers.get('location')).toMatch(/^https:\/\/api\.example\.org\/rest\/files\?fileRef=fs%3A%2F%2F/);
    });

    test('uses the storage that storageName names', async () => {
      expect((await upload('a.txt', 'x', {}, '&storageName=small')).json().fileRef).toMatch(/^small:\/\//);
    });
  });

  describe('upload refuses', () => {
    let before: number;
    beforeEach(async () => {
      before = await subject.everything();
    });
    afterEach(async () => {
      expect(await subject.everything()).toBe(before);
    });

    test.each([
      ['without a token', '', 401, 'unauthorized'],
      ['with an unknown token', 'stranger', 401, 'invalid_token'],
    ])('a caller %s', async (_, token, status, error) => {
      const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
      const response = await fetch(`${server.url}/rest/files?name=a`, { method: 'POST', body: 'x', headers });
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([status, error]);
    });

    test('a caller without rest-minimal, before anything else', async () => {
      const answer = await call('/rest/files', { method: 'POST', body: 'x' }, 'nobody');
      expect([answer.status, answer.json()]).toEqual([
        403,
        { error: 'Forbidden', details: 'User is not allowed to use the REST API' },
      ]);
    });

    test('a caller without the upload permission', async () => {
      const answer = await call('/rest/files?storageName=no', { method: 'POST', body: 'x' }, 'minimal');
      expect([answer.status, answer.json()]).toEqual([
        403,
        { error: 'File upload failed', details: 'File upload is not permitted' },
      ]);
    });

    test('a raw body without a name', async () => {
      const answer = await call('/rest/files', { method: 'POST', body: 'x' });
      expect([answer.status, answer.json().details]).toEqual([400, expect.stringContaining('"name"')]);
    });

    test('an unknown storage', async () => {
      const answer = await upload('a', 'x', {}, '&storageName=nowhere');
      expect([answer.status, answer.json()]).toEqual([
        400,
        { error: 'File upload failed', details: "Cannot find FileStorage with name: 'nowhere'" },
      ]);
    });

    test.each([
      ['control characters', 'a\nb.txt'],
      ['too many characters', 'x'.repeat(256)],
    ])('a name with %s', async (_, name) => {
      const answer = await upload(name, 'x');
      expect([answer.status, answer.json().error]).toEqual([400, 'File upload failed']);
    });

    test('a multipart body without a part named file', async () => {
      const form = new FormData();
      form.append('other', new Blob(['x']), 'a.txt');
      const answer = await call('/rest/files', { method: 'POST', body: form });
      expect([answer.status, answer.json().details]).toEqual([400, expect.stringContaining('"file"')]);
    });

    test.each([
      ['without a boundary', 'multipart/form-data', 'x'],
      [
        'cut inside the part',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      ],
      [
        'cut behind the part',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--b\r\nContent-Disp',
      ],
      ['that is empty', 'multipart/form-data; boundary=b', ''],
    ])('a multipart body %s', async (_, type, body) => {
      const answer = await call('/rest/files', { method: 'POST', body, headers: { 'Content-Type': type } });
      expect([answer.status, answer.json().error]).toEqual([400, 'File upload failed']);
    });

    test('what is larger than allowed, raw with and without a length, and multipart', async () => {
      const bytes = randomBytes(MAX_BYTES + 1);
      const chunked = Readable.toWeb(Readable.from([bytes.subarray(0, MAX_BYTES), bytes.subarray(MAX_BYTES)]));
      const form = new FormData();
      form.append('file', new Blob([bytes]), 'a.bin');
      const answers = [
        await upload('a.bin', bytes),
        await call('/rest/files?name=a.bin', {
          method: 'POST',
          body: chunked,
          duplex: 'half',
        } as unknown as RequestInit),
        await call('/rest/files', { method: 'POST', body: form }),
        await upload('a.bin', 'eleven byte', {}, '&storageName=small'),
      ];
      for (const answer of answers) expect([answer.status, answer.json().error]).toEqual([413, 'File upload failed']);
      expect((await upload('a.bin', 'ten bytes!', {}, '&storageName=small')).status).toBe(201);
    });

    test.each([
      ['raw', 'application/octet-stream', ''],
      [
        'multipart',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
      ],
    ])('nothing, but keeps nothing either, when a %s upload is aborted', async (_, type, head) => {
      const request = http.request(`${server.url}/rest/files?name=a.bin`, {
        method: 'POST',
        headers: { Authorization: 'Bearer user', 'Content-Type': type, 'Content-Length': 10_000_000 },
      });
      request.on('error', () => {});
      request.write(head);
      request.write(randomBytes(6_000_000));
      await new Promise((resolve) => setTimeout(resolve, 200));
      request.destroy();
      await eventually(async () => expect(await subject.everything()).toBe(before));
    });
  });

  describe('download', () => {
    let fileRef: string;
    beforeAll(async () => {
      fileRef = (await upload('test-file.pdf', '0123456789')).json().fileRef;
    });

    test('sends the bytes with exactly the headers of the contract', async () => {
      const answer = await call(refOf(fileRef));
      expect(answer.status).toBe(200);
      expect(String(answer.bytes)).toBe('0123456789');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-cache',
        pragma: 'no-cache',
        expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="test%2dfile.pdf"; filename*=utf-8''test%2dfile.pdf`,
        'content-length': '10',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
        etag: `"${createHash('sha256').update('0123456789').digest('hex')}"`,
        'accept-ranges': 'bytes',
      });
    });

    test('answers HEAD like GET, without the bytes', async () => {
      const [head, get] = [await call(refOf(fileRef), { method: 'HEAD' }), await call(refOf(fileRef))];
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      for (const name of ['content-length', 'content-type', 'content-disposition', 'etag', 'last-modified'])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    });

    test('understands a reference that was not encoded', async () => {
      expect((await call(`/rest/files?fileRef=${fileRef}`)).status).toBe(200);
    });

    test('makes an attachment of what is asked for as one, and of what may not be shown', async () => {
      const asked = await call(`${refOf(fileRef)}&attachment=true`);
      expect(asked.headers.get('content-disposition')).toMatch(/^attachment; filename="test%2dfile\.pdf"/);
      const html = (await upload('page.html', '<script>')).json().fileRef;
      const shown = await call(`${refOf(html)}&attachment=false`);
      expect(shown.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(shown.headers.get('content-type')).toBe('text/html');
    });

    test('takes name and content type from the reference, not from the storage', async () => {
      const answer = await call(refOf(fileRef.replace('test-file.pdf', 'renamed.png')));
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(answer.headers.get('content-disposition')).toContain('renamed.png');
    });

    test('answers 304 to a current validator', async () => {
      const { headers } = await call(refOf(fileRef));
      const etag = headers.get('etag') ?? '';
      const since = headers.get('last-modified') ?? '';
      const get = (conditions: Record<string, string>) => call(refOf(fileRef), { headers: conditions });
      expect((await get({ 'If-None-Match': etag })).status).toBe(304);
      expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
      expect((await get({ 'If-Modified-Since': since })).status).toBe(304);
    });

    test('serves one range, and the whole file when the part of the client is of another file', async () => {
      const get = (headers: Record<string, string>) => call(refOf(fileRef), { headers });
      const part = await get({ Range: 'bytes=2-4' });
      expect([
        part.status,
        String(part.bytes),
        part.headers.get('content-range'),
        part.headers.get('content-length'),
      ]).toEqual([206, '234', 'bytes 2-4/10', '3']);
      expect(String((await get({ Range: 'bytes=-3' })).bytes)).toBe('789');
      expect(String((await get({ Range: 'bytes=7-' })).bytes)).toBe('789');
      const changed = await get({ Range: 'bytes=2-4', 'If-Range': '"other"' });
      expect([changed.status, changed.bytes.length]).toEqual([200, 10]);
      const behind = await get({ Range: 'bytes=10-' });
      expect([behind.status, behind.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    });

    test('brings back a file of several parts byte for byte', async () => {
      const bytes = randomBytes(11 * 1024 * 1024);
      const large = (await upload('large.bin', bytes)).json();
      expect(large.size).toBe(bytes.length);
      expect((await call(refOf(large.fileRef))).bytes.equals(bytes)).toBe(true);
    });
  });

  describe('download refuses', () => {
    const missing = `fs://2026/11/21/${randomUUID()}.txt?name=a.txt`;

    test('a caller without the download permission, before anything else', async () => {
      const answer = await call('/rest/files?fileRef=nonsense', {}, 'minimal');
      expect([answer.status, answer.json()]).toEqual([
        403,
        { error: 'File download failed', details: 'File download is not permitted' },
      ]);
    });

    test.each([
      ['', 'Invalid parameter value', 'fileRef'],
      ['?fileRef=', 'Invalid parameter value', 'fileRef'],
      [`?attachment=maybe&fileRef=${encodeURIComponent(missing)}`, 'Invalid parameter value', 'attachment'],
      ['?fileRef=nonsense', 'Invalid file reference', "Cannot convert 'nonsense' into valid file reference"],
      ['?fileRef=no%3A%2F%2Fa%2Fb%3Fname%3Dc', 'Invalid file reference', "Cannot find FileStorage with name: 'no'"],
    ])('%j with 400', async (query, error, details) => {
      const answer = await call(`/rest/files${query}`);
      expect([answer.status, answer.json()]).toEqual([400, { error, details: expect.stringContaining(details) }]);
    });

    test.each([
      ['a missing file', missing],
      ['a path that leaves the storage', 'fs://../../../../etc/passwd?name=passwd'],
      ['the descriptions of files', 'fs://.meta/2026/11/21/x.json?name=x'],
    ])('%s with 404 and an empty body', async (_, reference) => {
      const answer = await call(refOf(reference));
      expect([answer.status, answer.bytes.length]).toEqual([404, 0]);
    });
  });

  test('other methods and paths get the API’s error shape', async () => {
    const answer = await call('/rest/files', { method: 'PUT', body: 'x' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    expect((await call('/rest/files/some-id')).json().error).toBe('Not found');
  });

  test('is ready while its storages are', async () => {
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  });
});

describe('a storage that fails', () => {
  const read = (store: Partial<BlobStore>): BlobStore => ({
    write: async () => ({ size: 0, sha256: '' }),
    find: async () => ({
      size: 1000,
      lastModified: new Date(0),
      tag: 't',
      sha256: undefined,
      name: undefined,
      contentType: undefined,
    }),
    read: async () => Readable.from([]),
    remove: async () => {},
    isReady: async () => true,
    close: async () => {},
    ...store,
  });

  test('is a 503 in the API’s shape for upload and download', async () => {
    const options = { accessKey: 'nobody', secretKey: 'nothing-at-all', bucket: 'absent', region: 'us-east-1' };
    const endpointUrl = `http://127.0.0.1:${await freePort()}`;
    const store = createS3BlobStore({ ...options, endpointUrl, partSizeBytes: 5_242_880, timeoutMs: 1000 });
    const server = await startService(store, store);
    const headers = { Authorization: 'Bearer user' };
    const answers = [
      await fetch(`${server.url}/rest/files?name=a`, { method: 'POST', body: 'x', headers }),
      await fetch(`${server.url}/rest/files?fileRef=fs://2026/11/21/a.txt?name=a`, { headers }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({
        error: 'File storage unavailable',
        details: 'The file storage cannot be reached',
      });
    }
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
    await server.close();
  });

  test('in the middle of a download cuts the connection', async () => {
    const store = read({
      read: async () =>
        Readable.from(
          (async function* () {
            yield Buffer.alloc(500);
            throw new Error('disk gone');
          })(),
          { objectMode: false },
        ),
    });
    const server = await startService(store, store);
    const headers = { Authorization: 'Bearer user' };
    await expect(
      fetch(`${server.url}/rest/files?fileRef=fs://2026/11/21/a.txt?name=a`, { headers }).then((answer) =>
        answer.arrayBuffer(),
      ),
    ).rejects.toThrow();
    await server.close();
  });
});
