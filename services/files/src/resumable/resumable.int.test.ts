import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { eventually } from '@lintel/testkit';
import {
  createClient,
  describeStorages,
  MAX_BYTES,
  refOf,
  SERVICE_TIME,
  startService,
} from '../../test/files-fixture.ts';
import { createTusRequests, metadataOf, sendAndBreak, VERSION } from '../../test/tus-requests.ts';
import { removeExpiredUploads } from '../incoming/remove-expired-uploads.ts';
import { uploadKeyOf } from '../incoming/upload-id.ts';
import { MAX_UNFINISHED } from './create-upload.ts';

const NAMED = { 'Upload-Metadata': metadataOf({ filename: 'a.txt' }) };
const OFFSET_BYTES = { 'Content-Type': 'application/offset+octet-stream' };

describeStorages('resumable uploads to %s', (service) => {
  const client = createClient(() => service.server.url);
  const tus = createTusRequests(client);
  const keysOf = () => service.subject.store.incoming.ids();

  test('a user has a hundred unfinished uploads, whatever becomes of the others', async () => {
    const begin = async () => (await tus.create(10, NAMED)).status;
    const paths: string[] = [];
    while (paths.length < MAX_UNFINISHED)
      paths.push(...(await Promise.all(Array.from({ length: 10 }, () => tus.begin(10)))));
    expect(await Promise.all([begin(), begin()])).toEqual([429, 429]);
    await tus.send('DELETE', paths[0] ?? '');
    expect([await begin(), await begin()]).toEqual([201, 429]);
    // One that is complete is not counted, and neither are uploads of other users.
    expect((await tus.append(paths[1] ?? '', 0, 'x'.repeat(10))).status).toBe(204);
    expect([await begin(), await begin()]).toEqual([201, 429]);
    await removeExpiredUploads(service.subject.store.incoming, Number.POSITIVE_INFINITY);
    expect([await begin(), (await keysOf()).length]).toEqual([201, 2]);
    await removeExpiredUploads(service.subject.store.incoming, Number.POSITIVE_INFINITY);
  });

  // Asserts contract/files.md#resumable.
  test('the file is that of a single upload, with the bytes of all requests', async () => {
    const bytes = randomBytes(9_000_000);
    const created = await tus.create(bytes.length, {
      'Upload-Metadata': metadataOf({ filename: 'Größe.PDF', filetype: 'Application/PDF' }),
    });
    expect([created.status, created.bytes.length, created.headers.get('tus-resumable')]).toEqual([201, 0, '1.0.0']);
    const location = new URL(created.headers.get('location') ?? '');
    expect(location.href).toMatch(new RegExp(`^${service.server.url}/rest/files/uploads/fs~[^/?]+$`));
    expect(Date.parse(created.headers.get('upload-expires') ?? '')).not.toBeNaN();
    const { pathname } = location;

    const first = await tus.append(pathname, 0, bytes.subarray(0, 5));
    expect([first.status, first.headers.get('upload-offset'), first.bytes.length]).toEqual([204, '5', 0]);
    const head = await tus.send('HEAD', pathname);
    expect(head.status).toBe(200);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'upload-offset': '5',
      'upload-length': '9000000',
      'upload-metadata': metadataOf({ filename: 'Größe.PDF', filetype: 'Application/PDF' }),
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    });
    expect((await tus.send('GET', pathname)).status).toBe(409);
    const last = await tus.append(pathname, 5, bytes.subarray(5));
    expect([last.status, last.headers.get('upload-offset'), last.bytes.length]).toEqual([204, '9000000', 0]);

    const result = (await tus.send('GET', pathname)).json();
    expect(result).toEqual({ fileRef: expect.stringContaining('.PDF?name='), name: 'Größe.PDF', size: bytes.length });
    expect(await tus.offset(pathname)).toBe(bytes.length);
    const download = await client.call(refOf(result.fileRef));
    expect(Buffer.compare(download.bytes, bytes)).toBe(0);
    expect(download.headers.get('content-type')).toBe('application/pdf');
    const sha256 = createHash('sha256').update(bytes).digest('base64');
    expect(download.headers.get('repr-digest')).toBe(`sha-256=:${sha256}:`);
    // Sent again after a lost response: the same file.
    expect((await tus.append(pathname, bytes.length, '')).status).toBe(204);
    expect((await tus.send('GET', pathname)).json()).toEqual(result);
  });

  // Asserts contract/files.md#resumable.
  test('bytes may come with the creation, and the file with the last ones if the client prefers it', async () => {
    const headers = { ...NAMED, ...OFFSET_BYTES, Prefer: 'return=representation' };
    const create = (length: number, body: string) =>
      client.call('/rest/files/uploads', {
        method: 'POST',
        headers: { ...VERSION, ...headers, 'Upload-Length': String(length) },
        body,
      });
    const whole = await create(5, 'hello');
    expect([whole.status, whole.headers.get('upload-offset'), whole.json().size]).toEqual([201, '5', 5]);
    expect(whole.headers.get('preference-applied')).toBe('return=representation');
    const begun = await create(6, 'hello');
    expect([begun.status, begun.headers.get('upload-offset'), begun.bytes.length]).toEqual([201, '5', 0]);
    const path = new URL(begun.headers.get('location') ?? '').pathname;
    const last = await client.call(path, {
      method: 'PATCH',
      headers: { ...VERSION, ...OFFSET_BYTES, Prefer: 'return=representation', 'Upload-Offset': '5' },
      body: '!',
    });
    expect([last.status, last.json()]).toEqual([200, { fileRef: expect.any(String), name: 'a.txt', size: 6 }]);
    const keys = await keysOf();
    const tooLong = await create(4, 'hello');
    expect([tooLong.status, tooLong.headers.get('location')]).toEqual([413, null]);
    const streamed = await client.call('/rest/files/uploads', {
      method: 'POST',
      headers: { ...VERSION, ...headers, 'Upload-Length': '4' },
      body: new Blob(['he', 'll', 'o']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([streamed.status, streamed.headers.get('location')]).toEqual([413, null]);
    expect(await keysOf()).toEqual(keys);
  });

  // Asserts contract/files.md#resumable.
  test('an empty file is complete when it begins', async () => {
    const path = await tus.begin(0);
    expect((await tus.send('GET', path)).json()).toMatchObject({ name: 'large.bin', size: 0 });
  });

  // Asserts contract/files.md#resumable.
  test('what arrived before the connection was lost is kept', async () => {
    const bytes = randomBytes(300_000);
    const path = await tus.begin(bytes.length);
    const offset = await eventually(async () => {
      // On a busy machine the connection may end before the service has begun to read.
      await sendAndBreak(service.server.url + path, 0, bytes.length, bytes.subarray(0, 200_000));
      const now = await tus.offset(path);
      expect(now).toBeGreaterThan(0);
      return now;
    });
    expect(offset).toBeLessThanOrEqual(200_000);
    expect((await tus.append(path, offset, bytes.subarray(offset))).status).toBe(204);
    const { fileRef } = (await tus.send('GET', path)).json();
    expect(Buffer.compare((await client.call(refOf(fileRef))).bytes, bytes)).toBe(0);
  });

  // Asserts contract/files.md#resumable.
  test('of concurrent requests for one offset, one is stored, and the others return 409', async () => {
    const path = await tus.begin(1_000);
    const bodies = Array.from({ length: 6 }, (_, index) => String(index).repeat(100 + index));
    const responses = await Promise.all(bodies.map((body) => tus.append(path, 0, body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409, 409]);
    const stored = bodies[responses.findIndex(({ status }) => status === 204)] ?? '';
    expect(await tus.offset(path)).toBe(stored.length);
    await tus.append(path, stored.length, 'x'.repeat(1_000 - stored.length));
    const { fileRef } = (await tus.send('GET', path)).json();
    expect(String((await client.call(refOf(fileRef))).bytes)).toBe(stored.padEnd(1_000, 'x'));
  });

  // Asserts contract/files.md#resumable.
  test('a request that loses while more of its bytes arrive returns 409, too', async () => {
    const { incoming } = service.subject.store;
    const key = (await tus.begin(MAX_BYTES)).split('~').at(-1) ?? '';
    await incoming.append(key, 0, Readable.from([Buffer.from('first')]));
    const chunks = Array.from({ length: 12 }, () => Buffer.alloc(1_000_000));
    const late = incoming.append(key, 0, Readable.from(chunks, { objectMode: false }));
    await expect(late).rejects.toMatchObject({ code: 'FILE_UPLOAD_OFFSET' });
    expect(await incoming.parts(key)).toEqual([{ offset: 0, size: 5 }]);
  });

  // Asserts contract/errors.md#46, contract/files.md#resumable.
  test('another offset returns 409, names the right one, and changes nothing', async () => {
    const path = await tus.begin(10);
    await tus.append(path, 0, 'abc');
    for (const offset of [0, 2, 4, 10]) {
      const refused = await tus.append(path, offset, 'x');
      expect([refused.status, refused.headers.get('upload-offset')]).toEqual([409, '3']);
      expect(refused.headers.get('x-error-code')).toBe('FILE_UPLOAD_OFFSET');
    }
    expect(await tus.offset(path)).toBe(3);
  });

  // Asserts contract/files.md#resumable.
  test('a body that is longer than what is missing returns 413 and completes nothing, with and without its length', async () => {
    const path = await tus.begin(4);
    expect((await tus.append(path, 0, 'hello')).status).toBe(413);
    const chunked = new ReadableStream({
      start(controller) {
        for (const chunk of ['he', 'll', 'o']) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const headers = { ...VERSION, ...OFFSET_BYTES, 'Upload-Offset': '0' };
    const streamed = await client.call(path, {
      method: 'PATCH',
      headers,
      body: chunked,
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    expect(await tus.offset(path)).toBe(0);
  });

  // Asserts contract/files.md#resumable.
  test.each<[string, number, Record<string, string>, string]>([
    ['no length', 400, { 'Upload-Length': '' }, 'Upload-Length'],
    ['a negative length', 400, { 'Upload-Length': '-1' }, 'Upload-Length'],
    ['a fraction', 400, { 'Upload-Length': '1.5' }, 'Upload-Length'],
    ['a length beyond all numbers', 400, { 'Upload-Length': '9'.repeat(16) }, 'Upload-Length'],
    ['a deferred length', 400, { 'Upload-Defer-Length': '1' }, 'Upload-Defer-Length'],
    ['a part of another upload', 400, { 'Upload-Concat': 'partial' }, 'Upload-Concat'],
    ['more than the limit', 413, { 'Upload-Length': String(MAX_BYTES + 1) }, String(MAX_BYTES)],
    [
      'more than the limit of its storage',
      413,
      { 'Upload-Length': '11', 'Upload-Metadata': metadataOf({ filename: 'a', storageName: 'small' }) },
      '10',
    ],
    ['an unknown storage', 400, { 'Upload-Metadata': metadataOf({ filename: 'a', storageName: 'none' }) }, 'none'],
    ['no name', 400, { 'Upload-Metadata': '' }, 'filename'],
    ['a name with control characters', 400, { 'Upload-Metadata': metadataOf({ filename: 'a\nb' }) }, 'control'],
    ['a long name', 400, { 'Upload-Metadata': metadataOf({ filename: 'a'.repeat(256) }) }, '255'],
    ['malformed metadata', 400, { 'Upload-Metadata': 'filename ?' }, 'Upload-Metadata'],
    ['no version', 412, { 'Tus-Resumable': '' }, 'Tus-Resumable'],
    ['another version', 412, { 'Tus-Resumable': '2.0.0' }, 'Tus-Resumable'],
    ['a digest of its bytes', 400, { ...OFFSET_BYTES, 'Upload-Checksum': 'sha1 YQ==' }, 'Upload-Checksum'],
  ])('an upload with %s is %i and does not begin', async (_case, status, headers, named) => {
    const keys = await keysOf();
    const response = await tus.create(5, { ...NAMED, ...headers });
    expect([response.status, response.json().details]).toEqual([status, expect.stringContaining(named)]);
    if (status === 412) expect(response.headers.get('tus-version')).toBe('1.0.0');
    expect(await keysOf()).toEqual(keys);
  });

  // Asserts contract/files.md#resumable.
  test.each<[string, number, Record<string, string>, string]>([
    ['no offset', 400, { 'Upload-Offset': '' }, 'Upload-Offset'],
    ['no number as its offset', 400, { 'Upload-Offset': '0x0' }, 'Upload-Offset'],
    ['another content type', 415, { 'Content-Type': 'application/octet-stream' }, 'application/offset+octet-stream'],
    ['no version', 412, { 'Tus-Resumable': '' }, 'Tus-Resumable'],
    ['a digest', 400, { 'Content-Digest': 'md5=:YQ==:' }, 'Content-Digest'],
  ])('bytes with %s are %i and are not stored', async (_case, status, headers, named) => {
    const path = await tus.begin(5);
    const base = { ...VERSION, ...OFFSET_BYTES, 'Upload-Offset': '0' };
    const response = await client.call(path, { method: 'PATCH', headers: { ...base, ...headers }, body: 'hello' });
    expect([response.status, response.json().details]).toEqual([status, expect.stringContaining(named)]);
    expect(await tus.offset(path)).toBe(0);
  });

  // Asserts contract/files.md#resumable.
  test('only the user who began an upload can see, continue or end it', async () => {
    const path = await tus.begin(5);
    const known = (await tus.append(path, 0, 'h')).status;
    const refused = await Promise.all([
      tus.append(path, 1, 'ello', 'another'),
      ...['HEAD', 'GET', 'DELETE'].map((method) => tus.send(method, path, {}, 'another')),
    ]);
    expect(refused.map(({ status, headers }) => [status, headers.get('x-error-code')])).toEqual(
      Array(4).fill([404, 'FILE_UPLOAD_NOT_FOUND']),
    );
    expect([known, await tus.offset(path)]).toEqual([204, 1]);
  });

  // Asserts contract/files.md#resumable.
  test.each([
    ['without the right to upload', 'minimal', 403, 'FILE_UPLOAD_DENIED'],
    ['without the right to use the API', 'nobody', 403, 'ACCESS_REST_DENIED'],
    ['that is unknown', 'unknown', 401, 'AUTH_INVALID_TOKEN'],
  ])('a caller %s is refused before anything else', async (_case, token, status, code) => {
    const path = await tus.begin(5);
    const refused = await Promise.all([
      tus.create(5, {}, token),
      tus.append(path, 9, 'x', token),
      ...['HEAD', 'GET', 'DELETE'].map((method) => tus.send(method, path, {}, token)),
      tus.send('OPTIONS', '/rest/files/uploads', {}, token),
    ]);
    for (const { status: actual, headers } of refused)
      expect([actual, headers.get('x-error-code')]).toEqual([status, code]);
  });

  // Asserts contract/files.md#resumable.
  test('an upload that is ended is gone with its bytes; a file that is complete stays', async () => {
    const path = await tus.begin(5);
    await tus.append(path, 0, 'he');
    const keys = await keysOf();
    expect((await tus.send('DELETE', path)).status).toBe(204);
    // The upload, and the record that counted it.
    expect((await keysOf()).length).toBe(keys.length - 2);
    const after = await Promise.all([tus.append(path, 2, 'llo'), tus.send('HEAD', path), tus.send('DELETE', path)]);
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404]);

    const complete = await tus.begin(5);
    await tus.append(complete, 0, 'hello');
    const { fileRef } = (await tus.send('GET', complete)).json();
    expect((await tus.send('DELETE', complete)).status).toBe(204);
    expect((await tus.send('GET', complete)).status).toBe(404);
    expect(String((await client.call(refOf(fileRef))).bytes)).toBe('hello');
  });

  // Asserts contract/files.md#resumable.
  test('PATCH and DELETE can be sent as POST; other methods, ids and paths are refused', async () => {
    const path = await tus.begin(5);
    const patch = { ...VERSION, ...OFFSET_BYTES, 'Upload-Offset': '0', 'X-HTTP-Method-Override': 'PATCH' };
    expect((await client.call(path, { method: 'POST', headers: patch, body: 'he' })).status).toBe(204);
    expect(await tus.offset(path)).toBe(2);
    expect((await tus.send('POST', path, { 'X-HTTP-Method-Override': 'PUT' })).status).toBe(400);
    for (const name of ['', 'patch', 'GET', 'constructor', 'toString', '__proto__']) {
      const refused = await tus.send('POST', path, { 'X-HTTP-Method-Override': name });
      expect([name, refused.status, refused.json().details]).toEqual([
        name,
        400,
        expect.stringContaining('X-HTTP-Method-Override'),
      ]);
    }
    expect((await tus.send('POST', path)).status).toBe(400);
    expect(await tus.offset(path)).toBe(2);
    expect((await tus.send('POST', path, { 'X-HTTP-Method-Override': 'DELETE' })).status).toBe(204);
    expect((await tus.send('PUT', path)).status).toBe(405);
    expect((await tus.send('GET', '/rest/files/uploads')).status).toBe(405);
    for (const id of ['x', 'fs~..', 'fs~%2e%2e%2fx', `${path.split('/').at(-1)}x`, 'none~t0-x', '%ff']) {
      const { status, headers } = await tus.send('HEAD', `/rest/files/uploads/${id}`);
      const expected = id === '%ff' ? [400, 'REQ_INVALID_PARAMETER'] : [404, 'FILE_UPLOAD_NOT_FOUND'];
      expect([id, status, headers.get('x-error-code')]).toEqual([id, ...expected]);
    }
    // Parts are no files.
    const key = path.split('~').at(-1);
    expect((await client.call(refOf(`fs://.uploads/${key}/0/content?name=a`))).status).toBe(404);
  });

  // Asserts contract/files.md#resumable.
  test('OPTIONS describes what the server can do', async () => {
    const { status, headers } = await tus.send('OPTIONS', '/rest/files/uploads');
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,expiration,termination',
      'tus-max-size': String(MAX_BYTES),
    });
  });

  // Asserts contract/files.md#resumable.
  test('a file whose process was killed after the last byte is completed by the next request', async () => {
    const path = await tus.begin(5);
    const key = path.split('~').at(-1) ?? '';
    await service.subject.store.incoming.append(key, 0, Readable.from([Buffer.from('hello')]));
    expect(await tus.offset(path)).toBe(5);
    const { fileRef } = (await tus.send('GET', path)).json();
    expect(String((await client.call(refOf(fileRef))).bytes)).toBe('hello');
  });

  // Asserts contract/files.md#resumable.
  test('a storage that fails while it stores the file returns 503, and the next request completes the file', async () => {
    const path = await tus.begin(5);
    const { store } = service.subject;
    const { write } = store;
    store.write = () => Promise.reject(new PlatformError('FILE_STORAGE_UNAVAILABLE'));
    const failed = await tus.append(path, 0, 'hello').finally(() => {
      store.write = write;
    });
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(await tus.offset(path)).toBe(5);
    expect((await tus.send('GET', path)).json()).toMatchObject({ name: 'large.bin', size: 5 });
  });

  test('nothing remains of an upload that is ended while its file is stored', async () => {
    const path = await tus.begin(5);
    const { store } = service.subject;
    const { write } = store;
    let key = '';
    store.write = async (...given) => {
      const stored = await write(...given);
      key = given[0];
      expect((await tus.send('DELETE', path)).status).toBe(204);
      return stored;
    };
    const last = await tus.append(path, 0, 'hello').finally(() => {
      store.write = write;
    });
    expect([last.status, last.headers.get('x-error-code')]).toEqual([404, 'FILE_UPLOAD_NOT_FOUND']);
    expect(await store.find(key)).toBeUndefined();
    expect((await store.incoming.ids()).some((id) => path.endsWith(id))).toBe(false);
  });

  test('a file that a client has been given stays when another process that stored it, too, finds its upload ended', async () => {
    const path = await tus.begin(5);
    const { store } = service.subject;
    const { write } = store;
    let fileRef = '';
    const other = await startService(store, service.other.store);
    const atOther = createTusRequests(createClient(() => other.url));
    // Of two processes that store the file at once, the other one is first, and the client ends the upload.
    store.write = async (...given) => {
      store.write = write;
      const stored = await write(...given);
      ({ fileRef } = (await atOther.send('GET', path)).json());
      expect((await atOther.send('DELETE', path)).status).toBe(204);
      return stored;
    };
    const last = await tus.append(path, 0, 'hello').finally(() => other.close());
    expect([last.status, last.headers.get('x-error-code')]).toEqual([404, 'FILE_UPLOAD_NOT_FOUND']);
    expect(String((await client.call(refOf(fileRef))).bytes)).toBe('hello');
    expect((await tus.send('GET', path)).status).toBe(404);
  });

  // Asserts contract/files.md#resumable.
  test('an upload that has expired is gone, and its bytes are removed', async () => {
    const { incoming } = service.subject.store;
    const key = (await tus.begin(5)).split('~').at(-1) ?? '';
    const expired = uploadKeyOf(SERVICE_TIME, randomUUID());
    await incoming.createRecord(expired, 'upload', (await incoming.readRecord(key, 'upload')) ?? '');
    await incoming.append(expired, 0, Readable.from([Buffer.from('he')]));
    expect((await tus.send('HEAD', `/rest/files/uploads/fs~${expired}`)).status).toBe(404);
    expect(await removeExpiredUploads(incoming, SERVICE_TIME)).toBe(1);
    const keys = await incoming.ids();
    expect([keys.includes(expired), keys.includes(key)]).toEqual([false, true]);
  });

  // Asserts contract/files.md#resumable.
  test('parts leave the storage with the completion of the file', async () => {
    const path = await tus.begin(5);
    await tus.append(path, 0, 'hello');
    const key = path.split('~').at(-1) ?? '';
    expect(await service.subject.store.incoming.parts(key)).toEqual([]);
    expect(await service.subject.store.incoming.readRecord(key, 'result')).toContain('large.bin');
  });
});
