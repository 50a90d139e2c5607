import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { freePort } from '@lintel/testkit';
import { createClient, describeStorages, refOf, startService } from '../../test/files-fixture.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { createS3BlobStore } from '../storage/s3/s3-blob-store.ts';

const PDF = { 'Content-Type': 'application/pdf' };

describeStorages('downloads over HTTP, kept in the %s storage', (service) => {
  const { call, upload } = createClient(() => service.server.url);

  describe('download', () => {
    let fileRef: string;
    beforeAll(async () => {
      fileRef = (await upload('test-file.pdf', '0123456789', PDF)).json().fileRef;
    });

    // Asserts contract/files.md#download.
    test('sends the bytes with exactly the headers of the contract', async () => {
      const response = await call(refOf(fileRef));
      expect(response.status).toBe(200);
      expect(String(response.bytes)).toBe('0123456789');
      expect(Object.fromEntries(response.headers)).toMatchObject({
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
        'repr-digest': `sha-256=:${createHash('sha256').update('0123456789').digest('base64')}:`,
      });
    });

    // Asserts contract/files.md#download.
    test('answers HEAD like GET, without the bytes', async () => {
      const [head, get] = [await call(refOf(fileRef), { method: 'HEAD' }), await call(refOf(fileRef))];
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      for (const name of ['content-length', 'content-type', 'content-disposition', 'etag', 'last-modified'])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    });

    // Asserts contract/files.md#download.
    test('understands a reference that was not encoded', async () => {
      expect((await call(`/rest/files?fileRef=${fileRef}`)).status).toBe(200);
    });

    // Asserts contract/files.md#download.
    test('makes an attachment of what is asked for as one, and of what may not be shown', async () => {
      const asked = await call(`${refOf(fileRef)}&attachment=true`);
      expect(asked.headers.get('content-disposition')).toMatch(/^attachment; filename="test%2dfile\.pdf"/);
      const html = (await upload('page.html', '<script>', { 'Content-Type': 'text/html' })).json().fileRef;
      const shown = await call(`${refOf(html)}&attachment=false`);
      expect(shown.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(shown.headers.get('content-type')).toBe('text/html');
    });

    // Asserts contract/decisions.md#64, contract/files.md#download.
    test('takes the name from the reference, and the content type from the upload', async () => {
      const response = await call(refOf(fileRef.replace('test-file.pdf', 'renamed.png')));
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('content-disposition')).toContain('renamed.png');
    });

    // Asserts contract/decisions.md#64, contract/files.md#download.
    test('takes the content type from the name in the reference where the upload had none', async () => {
      const plain = (await upload('a.bin', new Uint8Array(3))).json().fileRef;
      const typeOf = async (name: string) =>
        (await call(refOf(plain.replace('name=a.bin', `name=${name}`)))).headers.get('content-type');
      expect(await typeOf('a.bin')).toBe('application/octet-stream');
      expect(await typeOf('a.PNG')).toBe('image/png');
    });

    // Asserts contract/decisions.md#64, contract/files.md#download.
    test('serves the content type of the upload for GET, HEAD, one range and several, with any extension', async () => {
      const type = 'application/vnd.own;version=1';
      const own = (await upload('data.own', '0123456789'.repeat(100), { 'Content-Type': type })).json().fileRef;
      const get = (init: RequestInit) => call(refOf(own), init);
      const responses = [await get({}), await get({ method: 'HEAD' }), await get({ headers: { Range: 'bytes=2-4' } })];
      for (const { headers } of responses) {
        expect(headers.get('content-type')).toBe(type);
        expect(headers.get('content-disposition')).toMatch(/^attachment;/);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
      const several = await get({ headers: { Range: 'bytes=0-1,900-901' } });
      expect(String(several.bytes).match(/Content-Type: application\/vnd\.own;version=1\r\n/g)).toHaveLength(2);
    });

    // Asserts contract/decisions.md#64.
    test.each([
      ['text/html; charset=utf-8', 'text/html;charset=utf-8'],
      ['TEXT/HTML', 'text/html'],
      ['image/svg+xml', 'image/svg+xml'],
      ['text/javascript', 'text/javascript'],
      ['multipart/x-mixed-replace; boundary=a', 'multipart/x-mixed-replace;boundary=a'],
    ])('never shows active content, also under the name of a picture: %s', async (sent, served) => {
      const picture = (await upload('photo.png', '<script>', { 'Content-Type': sent })).json().fileRef;
      const { headers } = await call(`${refOf(picture)}&attachment=false`);
      expect(headers.get('content-type')).toBe(served);
      expect(headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain('sandbox');
    });

    // Asserts contract/files.md#download.
    test('answers 304 to a current validator', async () => {
      const { headers } = await call(refOf(fileRef));
      const etag = headers.get('etag') ?? '';
      const since = headers.get('last-modified') ?? '';
      const get = (conditions: Record<string, string>) => call(refOf(fileRef), { headers: conditions });
      expect((await get({ 'If-None-Match': etag })).status).toBe(304);
      expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
      expect((await get({ 'If-Modified-Since': since })).status).toBe(304);
    });

    // Asserts contract/files.md#download.
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
      const afterEnd = await get({ Range: 'bytes=10-' });
      expect([afterEnd.status, afterEnd.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    });

    // Asserts contract/files.md#download.
    test('ignores Range in HEAD, units that it does not know and lists that it cannot read', async () => {
      const statusOf = async (method: string, range: string): Promise<number> =>
        (await call(refOf(fileRef), { method, headers: { Range: range } })).status;
      expect(await statusOf('HEAD', 'bytes=2-4')).toBe(200);
      expect(await statusOf('GET', 'items=2-4')).toBe(200);
      expect(await statusOf('GET', 'bytes=4-2')).toBe(200);
      expect(await statusOf('GET', `bytes=${'0-0,'.repeat(60)}`)).toBe(200);
    });

    // Asserts contract/files.md#download.
    test('serves several ranges as multipart/byteranges, in the order of the request', async () => {
      const bytes = randomBytes(6_000_000);
      const large = (await upload('large.pdf', bytes, PDF)).json().fileRef;
      const response = await call(refOf(large), { headers: { Range: 'bytes=5000000-5400000,0-9,-20,99999999-' } });
      expect(response.status).toBe(206);
      expect(response.headers.get('content-length')).toBe(String(response.bytes.length));
      expect(response.headers.get('content-range')).toBeNull();
      expect(response.headers.get('repr-digest')).toContain(createHash('sha256').update(bytes).digest('base64'));
      const [, boundary] =
        /^multipart\/byteranges; boundary=(.+)$/.exec(response.headers.get('content-type') ?? '') ?? [];
      const part = (start: number, end: number): Buffer =>
        Buffer.concat([
          Buffer.from(
            `--${boundary}\r\nContent-Type: application/pdf\r\nContent-Range: bytes ${start}-${end}/6000000\r\n\r\n`,
          ),
          bytes.subarray(start, end + 1),
          Buffer.from('\r\n'),
        ]);
      const expected = [
        part(5_000_000, 5_400_000),
        part(0, 9),
        part(5_999_980, 5_999_999),
        Buffer.from(`--${boundary}--\r\n`),
      ];
      expect(response.bytes.equals(Buffer.concat(expected))).toBe(true);
    });

    // Asserts contract/files.md#download.
    test('sends no byte twice when ranges overlap, so the answer is never longer than the file', async () => {
      const response = await call(refOf(fileRef), { headers: { Range: `bytes=${'0-,'.repeat(40)}2-5` } });
      expect([response.status, String(response.bytes), response.headers.get('content-range')]).toEqual([
        206,
        '0123456789',
        'bytes 0-9/10',
      ]);
    });

    // Asserts contract/files.md#download.
    test('answers 412 when the file is not the one that the client asks for', async () => {
      const { headers } = await call(refOf(fileRef));
      const statusWith = async (conditions: Record<string, string>): Promise<number> =>
        (await call(refOf(fileRef), { headers: conditions })).status;
      expect(await statusWith({ 'If-Match': headers.get('etag') ?? '' })).toBe(200);
      expect(await statusWith({ 'If-Match': '"other"' })).toBe(412);
      expect(await statusWith({ 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' })).toBe(412);
    });

    // Asserts contract/files.md#storages.
    test('brings back a file of several parts byte for byte', async () => {
      const bytes = randomBytes(11 * 1024 * 1024);
      const large = (await upload('large.bin', bytes)).json();
      expect(large.size).toBe(bytes.length);
      expect((await call(refOf(large.fileRef))).bytes.equals(bytes)).toBe(true);
    });
  });

  describe('download refuses', () => {
    const missing = `fs://2026/11/21/${randomUUID()}.txt?name=a.txt`;

    // Asserts contract/files.md#download.
    test('a caller without the download permission, before anything else', async () => {
      const response = await call('/rest/files?fileRef=nonsense', {}, 'minimal');
      expect([response.status, response.json()]).toEqual([
        403,
        { error: 'File download failed', details: 'File download is not permitted' },
      ]);
    });

    // Asserts contract/conventions.md#endpoints, contract/decisions.md#8, contract/files.md#download.
    test.each([
      ['', 'Invalid parameter value', 'fileRef'],
      ['?fileRef=', 'Invalid parameter value', 'fileRef'],
      [`?attachment=maybe&fileRef=${encodeURIComponent(missing)}`, 'Invalid parameter value', 'attachment'],
      ['?fileRef=nonsense&fileRef=nonsense', 'Invalid parameter value', "'fileRef' must be given once"],
      ['?fileRef=nonsense', 'Invalid file reference', "Cannot convert 'nonsense' into valid file reference"],
      ['?fileRef=fs%3A%2F%2F2026%2F11%2Fx.txt%3Fname%3Dx', 'Invalid file reference', 'Cannot convert'],
      ['?fileRef=no%3A%2F%2Fa%2Fb%3Fname%3Dc', 'Invalid file reference', "Cannot find FileStorage with name: 'no'"],
    ])('%j with 400', async (query, error, details) => {
      const response = await call(`/rest/files${query}`);
      expect([response.status, response.json()]).toEqual([400, { error, details: expect.stringContaining(details) }]);
    });

    // Asserts contract/decisions.md#1, contract/files.md#download.
    test.each([
      ['a missing file', missing],
      ['a path that leaves the storage', 'fs://../../../../etc/passwd?name=passwd'],
      ['the descriptions of files', 'fs://.meta/2026/11/21/x.json?name=x'],
    ])('%s with 404 and an empty body', async (_, reference) => {
      const response = await call(refOf(reference));
      expect([response.status, response.bytes.length]).toEqual([404, 0]);
    });
  });

  // Asserts contract/conventions.md#endpoints, contract/conventions.md#general-rules, contract/files.md#download,
  // contract/files.md#storages.
  test('other methods and paths get the API’s error shape', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const response = await call('/rest/files', { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    }
    expect((await call('/rest/files/some-id')).json().error).toBe('Not found');
  });

  // Asserts contract/conventions.md#endpoints.
  test('is served at the path of the configuration', async () => {
    const elsewhere = await startService(service.subject.store, service.other.store, {
      'svc.rest.base-path': '/api',
      'svc.rest.files-path': '/documents',
    });
    const { call: callElsewhere } = createClient(() => elsewhere.url);
    const response = await callElsewhere('/api/documents?name=a.txt', { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('location')]).toEqual([
      201,
      expect.stringContaining(`${elsewhere.url}/api/documents?fileRef=`),
    ]);
    expect((await callElsewhere('/rest/files?name=a.txt', { method: 'POST', body: 'x' })).status).toBe(404);
    await elsewhere.close();
  });

  test('is ready while its storages are', async () => {
    expect((await fetch(`${service.server.url}/health/ready`)).status).toBe(200);
  });
});

describe('a storage that fails', () => {
  const read = (store: Partial<BlobStore>): BlobStore => ({
    incoming: { ids: async () => [] } as Partial<BlobStore['incoming']> as BlobStore['incoming'],
    write: async () => ({ size: 0, sha256: '' }),
    list: async () => [],
    find: async () => ({
      size: 1000,
      lastModified: new Date(0),
      tag: 't',
      sha256: undefined,
      name: undefined,
      contentType: undefined,
      storedBy: undefined,
    }),
    read: async () => Readable.from([]),
    remove: async () => {},
    removeAbandoned: async () => 0,
    assertReady: async () => {},
    close: async () => {},
    ...store,
  });

  // Asserts contract/files.md#download, contract/files.md#storages.
  test('returns a 503 in the API’s shape for upload and download', async () => {
    const options = { accessKey: 'nobody', secretKey: 'nothing-at-all', bucket: 'absent', region: 'us-east-1' };
    const endpointUrl = `http://127.0.0.1:${await freePort()}`;
    const store = createS3BlobStore({
      ...options,
      endpointUrl,
      partSizeBytes: 5_242_880,
      partsInMemory: 2,
      timeoutMs: 1000,
    });
    const server = await startService(store, store);
    const headers = { Authorization: 'Bearer user' };
    const responses = [
      await fetch(`${server.url}/rest/files?name=a`, { method: 'POST', body: 'x', headers }),
      await fetch(`${server.url}/rest/files?fileRef=fs://2026/11/21/a.txt?name=a`, { headers }),
    ];
    for (const response of responses) {
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({
        error: 'File storage unavailable',
        details: 'The file storage cannot be reached',
      });
    }
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
    await server.close();
  });

  // Asserts contract/files.md#download.
  test.each([
    ['with an error', true],
    ['as if the file were at its end', false],
  ])('in the middle of a download, %s, cuts the connection', async (_, throws) => {
    const store = read({
      read: async () =>
        Readable.from(
          (async function* () {
            yield Buffer.alloc(500);
            if (throws) throw new Error('disk gone');
          })(),
          { objectMode: false },
        ),
    });
    const server = await startService(store, store);
    const headers = { Authorization: 'Bearer user' };
    await expect(
      fetch(`${server.url}/rest/files?fileRef=fs://2026/11/21/a.txt?name=a`, { headers }).then((response) =>
        response.arrayBuffer(),
      ),
    ).rejects.toThrow();
    await server.close();
  });
});
