import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import { Readable } from 'node:stream';
import { eventually } from '@lintel/testkit';
import { createClient, describeStorages, MAX_BYTES, refOf } from '../../test/files-fixture.ts';

describeStorages('uploads over HTTP, kept in the %s storage', (service) => {
  const { call, upload } = createClient(() => service.server.url);

  describe('upload', () => {
    const keptOf = (fileRef: string) => service.subject.store.find(fileRef.slice('fs://'.length, fileRef.indexOf('?')));

    // Asserts contract/files.md#upload.
    test('takes a raw body and answers its reference, size and location', async () => {
      const response = await upload('Größe & Co.txt', 'hello', { 'Content-Type': 'text/plain' });
      expect(response.status).toBe(201);
      expect(response.headers.get('content-type')).toBe('application/json');
      const { fileRef, name, size } = response.json();
      expect({ name, size }).toEqual({ name: 'Größe & Co.txt', size: 5 });
      expect(fileRef).toMatch(/^fs:\/\/2026\/11\/21\/[0-9a-f-]{36}\.txt\?name=Gr%C3%B6%C3%9Fe\+%26\+Co\.txt$/);
      expect(Object.keys(response.json())).toEqual(['fileRef', 'name', 'size']);
      expect(response.headers.get('location')).toBe(
        `${service.server.url}/rest/files?${new URLSearchParams({ fileRef })}`,
      );
      expect(String((await call(refOf(fileRef))).bytes)).toBe('hello');
    });

    // Asserts contract/decisions.md#22, contract/files.md#upload.
    test('counts a chunked body by its bytes, and takes one without a type as binary', async () => {
      const body = Readable.toWeb(Readable.from([randomBytes(70_000), randomBytes(5)])) as ReadableStream;
      const response = await call('/rest/files?name=a.bin', { method: 'POST', body, duplex: 'half' } as RequestInit);
      const { fileRef, size } = response.json();
      expect(size).toBe(70_005);
      expect((await keptOf(fileRef))?.contentType).toBe('application/octet-stream');
    });

    // Asserts contract/decisions.md#22, contract/files.md#upload.
    test('takes an empty file', async () => {
      const { fileRef, size } = (await upload('empty.txt', '')).json();
      expect(size).toBe(0);
      const response = await call(refOf(fileRef));
      expect([response.status, response.bytes.length]).toEqual([200, 0]);
    });

    // Asserts contract/files.md#upload.
    test('takes the part named file of a multipart body, with any parts before and after it', async () => {
      const bytes = randomBytes(300_000);
      const form = new FormData();
      form.append('comment', 'before');
      form.append('thumbnail', new Blob(['not this']), 'small.png');
      form.append('file', new Blob([bytes], { type: 'image/png' }), 'Foto ä.png');
      form.append('more', 'after');
      const response = await call('/rest/files', { method: 'POST', body: form });
      expect(response.status).toBe(201);
      expect(response.json()).toMatchObject({ name: 'Foto ä.png', size: 300_000 });
      expect((await call(refOf(response.json().fileRef))).bytes.equals(bytes)).toBe(true);
    });

    test('takes boundaries with blanks after them (RFC 2046 §5.1.1)', async () => {
      const disposition = 'Content-Disposition: form-data; name=';
      const body = `--b \r\n${disposition}"x"\r\n\r\n1\r\n--b\t \r\n${disposition}"file"; filename="a.txt"\r\n\r\nabc\r\n--b-- `;
      const headers = { 'Content-Type': 'multipart/form-data; boundary="b"' };
      const response = await call('/rest/files', { method: 'POST', body, headers });
      expect([response.status, response.json().size]).toEqual([201, 3]);
    });

    // Asserts contract/files.md#upload.
    test('prefers the name in the query to that of the part', async () => {
      const form = new FormData();
      form.append('file', new Blob(['x']), 'part.txt');
      const response = await call('/rest/files?name=query.csv', { method: 'POST', body: form });
      expect(response.json().name).toBe('query.csv');
      expect(response.json().fileRef).toMatch(/\.csv\?name=query\.csv$/);
    });

    // Asserts contract/files.md#upload.
    test('takes a part without a file name', async () => {
      const body = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--b--\r\n';
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      const response = await call('/rest/files', { method: 'POST', body, headers });
      expect(response.json()).toMatchObject({ name: '', size: 3 });
      expect(response.json().fileRef).toMatch(/^fs:\/\/2026\/11\/21\/[0-9a-f-]{36}\?name=$/);
    });

    // Asserts contract/files.md#upload.
    test('builds the location from what the gateway says of the client’s request', async () => {
      const response = await upload('a.txt', 'x', {
        'X-Forwarded-Proto': 'https',
        'X-Forwarded-Host': 'api.example.org',
      });
      expect(response.headers.get('location')).toMatch(
        /^https:\/\/api\.example\.org\/rest\/files\?fileRef=fs%3A%2F%2F/,
      );
    });

    // Asserts contract/files.md#upload.
    test('takes what has the digests that the request announces, raw and as a form', async () => {
      const digest = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('base64');
      const form =
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\nepilogue';
      const responses = [
        await upload('a.txt', 'hello', { 'Content-MD5': digest('md5', 'hello') }),
        await upload('a.txt', 'hello', {
          'Content-Digest': `sha-256=:${digest('sha256', 'hello')}:, sha-512=:${digest('sha512', 'hello')}:, unixsum=:AAA=:`,
        }),
        await upload('a.txt', '', { 'Content-Digest': `sha-256=:${digest('sha256', '')}:` }),
        await call('/rest/files', {
          method: 'POST',
          body: form,
          headers: {
            'Content-Type': 'multipart/form-data; boundary=b',
            'Content-Digest': `sha-256=:${digest('sha256', form)}:`,
          },
        }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(responses.map((response) => response.json().size)).toEqual([5, 5, 0, 5]);
    });

    // Asserts contract/decisions.md#64, contract/files.md#download, contract/files.md#storages.
    test('keeps the original name, the content type and the SHA-256 beside the bytes', async () => {
      const { fileRef } = (await upload('Größe & Co.txt', 'hello', { 'Content-Type': 'text/x-own' })).json();
      expect(await keptOf(fileRef)).toMatchObject({
        name: 'Größe & Co.txt',
        contentType: 'text/x-own',
        sha256: createHash('sha256').update('hello').digest('hex'),
        storedBy: undefined,
      });
    });

    // Asserts contract/decisions.md#64, contract/files.md#download.
    test.each([
      ['Content-Type: image/WEBP\r\n', 'image/webp'],
      ['content-type: text/csv; header=present; charset="utf-8"\r\n', 'text/csv;header=present;charset=utf-8'],
      ['', 'application/octet-stream'],
      ['Content-Type: \r\n', 'application/octet-stream'],
      ['Content-Type: text\r\n', 'application/octet-stream'],
      ['Content-Type: text/plain, text/html\r\n', 'application/octet-stream'],
      ['Content-Type: text/plain; a="\u0001"\r\n', 'application/octet-stream'],
      ['Content-Type: text/plain\rX-Own: 1\r\n', 'application/octet-stream'],
      [`Content-Type: text/${'x'.repeat(300)}\r\n`, 'application/octet-stream'],
    ])('keeps the content type of the part, %j, as %j', async (header, kept) => {
      const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"; filename="a.txt"\r\n`;
      const before = `--b\r\n${disposition('other')}Content-Type: text/html\r\n\r\nx\r\n`;
      const body = `${before}--b\r\n${disposition('file')}${header}\r\nabc\r\n--b--\r\n`;
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
      const response = await call('/rest/files', { method: 'POST', body, headers });
      expect(response.status).toBe(201);
      expect((await keptOf(response.json().fileRef))?.contentType).toBe(kept);
    });

    // Asserts contract/files.md#upload.
    test.each(['nonsense', '*/*', 'text/plain, text/html', `text/${'x'.repeat(300)}`, 'text/plain; a=ü'])(
      'takes a raw body whose content type is none as binary: %s',
      async (type) => {
        const response = await upload('a.txt', 'hello', { 'Content-Type': type });
        expect(response.status).toBe(201);
        expect((await keptOf(response.json().fileRef))?.contentType).toBe('application/octet-stream');
        expect((await call(refOf(response.json().fileRef))).headers.get('content-type')).toBe('text/plain');
      },
    );

    // Asserts contract/files.md#upload.
    test('uses the storage that storageName names', async () => {
      expect((await upload('a.txt', 'x', {}, '&storageName=small')).json().fileRef).toMatch(/^small:\/\//);
    });
  });

  describe('upload refuses', () => {
    let before: number;
    beforeEach(async () => {
      before = await service.subject.everything();
    });
    afterEach(async () => {
      expect(await service.subject.everything()).toBe(before);
    });

    // Asserts contract/conventions.md#endpoints.
    test.each([
      ['without a token', '', 401, 'unauthorized'],
      ['with an unknown token', 'stranger', 401, 'invalid_token'],
    ])('a caller %s', async (_, token, status, error) => {
      const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
      const response = await fetch(`${service.server.url}/rest/files?name=a`, { method: 'POST', body: 'x', headers });
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([status, error]);
    });

    // Asserts contract/conventions.md#endpoints, contract/decisions.md#39.
    test('a caller without rest-minimal, before anything else', async () => {
      const response = await call('/rest/files', { method: 'POST', body: 'x' }, 'nobody');
      expect([response.status, response.json()]).toEqual([
        403,
        { error: 'Forbidden', details: 'User is not allowed to use the REST API' },
      ]);
    });

    // Asserts contract/files.md#upload.
    test('a caller without the upload permission', async () => {
      const response = await call('/rest/files?storageName=no', { method: 'POST', body: 'x' }, 'minimal');
      expect([response.status, response.json()]).toEqual([
        403,
        { error: 'File upload failed', details: 'File upload is not permitted' },
      ]);
    });

    // Asserts contract/decisions.md#22, contract/files.md#upload.
    test('a raw body without a name', async () => {
      const response = await call('/rest/files', { method: 'POST', body: 'x' });
      expect([response.status, response.json().details]).toEqual([400, expect.stringContaining('"name"')]);
    });

    // Asserts contract/decisions.md#8, contract/files.md#upload.
    test.each(['name', 'storageName'])('a parameter %s that is given twice', async (name) => {
      const response = await upload('a', 'x', {}, `&${name}=fs&${name}=fs`);
      expect([response.status, response.json()]).toEqual([
        400,
        { error: 'Invalid parameter value', details: `Parameter '${name}' must be given once` },
      ]);
    });

    // Asserts contract/conventions.md#general-rules, contract/files.md#upload.
    test('an unknown storage', async () => {
      const response = await upload('a', 'x', {}, '&storageName=nowhere');
      expect([response.status, response.json()]).toEqual([
        400,
        { error: 'File upload failed', details: "Cannot find FileStorage with name: 'nowhere'" },
      ]);
    });

    // Asserts contract/files.md#upload.
    test.each([
      ['control characters', 'a\nb.txt'],
      ['an override of the direction', 'a\u202etxt.exe'],
      ['isolates', 'a\u2067\u2066txt\u2069.exe'],
      ['embeddings', 'a\u202b\u202atxt\u202c.exe'],
      ['too many characters', 'x'.repeat(256)],
    ])('a name with %s', async (_, name) => {
      const response = await upload(name, 'x');
      expect([response.status, response.json().error]).toEqual([400, 'File upload failed']);
    });

    const form = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--b--\r\n';
    const wrong = `sha-256=:${Buffer.alloc(32).toString('base64')}:`;
    // Asserts contract/files.md#upload.
    test.each([
      ['a raw body', 'text/plain', 'abc', 'Content-Digest', wrong],
      ['an empty raw body', 'text/plain', '', 'Content-Digest', wrong],
      ['a large raw body', 'text/plain', 'x'.repeat(6_000_000), 'Content-Digest', wrong],
      ['a raw body', 'text/plain', 'abc', 'Content-MD5', Buffer.alloc(16).toString('base64')],
      ['a form', 'multipart/form-data; boundary=b', form, 'Content-Digest', wrong],
      ['a raw body', 'text/plain', 'abc', 'Content-Digest', 'sha-256=abc'],
      ['a raw body', 'text/plain', 'abc', 'Content-Digest', 'sha-256=:AAAA:'],
      ['a raw body', 'text/plain', 'abc', 'Content-MD5', 'AAAA'],
    ])('%s, %s, that does not have its digest', async (_, type, body, header, value) => {
      const response = await upload('a.txt', body, { 'Content-Type': type, [header]: value });
      expect([response.status, response.json()]).toEqual([
        400,
        { error: 'File upload failed', details: expect.stringContaining(header) },
      ]);
    });

    // Asserts contract/conventions.md#general-rules, contract/files.md#upload.
    test('a multipart body without a part named file', async () => {
      const form = new FormData();
      form.append('other', new Blob(['x']), 'a.txt');
      const response = await call('/rest/files', { method: 'POST', body: form });
      expect([response.status, response.json().details]).toEqual([400, expect.stringContaining('"file"')]);
    });

    // Asserts contract/conventions.md#general-rules, contract/files.md#upload.
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
      const response = await call('/rest/files', { method: 'POST', body, headers: { 'Content-Type': type } });
      expect([response.status, response.json().error]).toEqual([400, 'File upload failed']);
    });

    // Asserts contract/files.md#upload.
    test('what is larger than allowed, raw with and without a length, and multipart', async () => {
      const bytes = randomBytes(MAX_BYTES + 1);
      const chunked = Readable.toWeb(Readable.from([bytes.subarray(0, MAX_BYTES), bytes.subarray(MAX_BYTES)]));
      const form = new FormData();
      form.append('file', new Blob([bytes]), 'a.bin');
      const responses = [
        await upload('a.bin', bytes),
        await call('/rest/files?name=a.bin', {
          method: 'POST',
          body: chunked,
          duplex: 'half',
        } as unknown as RequestInit),
        await call('/rest/files', { method: 'POST', body: form }),
        await upload('a.bin', 'eleven byte', {}, '&storageName=small'),
      ];
      for (const response of responses)
        expect([response.status, response.json().error]).toEqual([413, 'File upload failed']);
      expect((await upload('a.bin', 'ten bytes!', {}, '&storageName=small')).status).toBe(201);
    });

    // Asserts contract/files.md#upload.
    test.each([
      ['raw', 'application/octet-stream', ''],
      [
        'multipart',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
      ],
    ])('nothing, but keeps nothing either, when a %s upload is aborted', async (_, type, head) => {
      const request = http.request(`${service.server.url}/rest/files?name=a.bin`, {
        method: 'POST',
        headers: { Authorization: 'Bearer user', 'Content-Type': type, 'Content-Length': 10_000_000 },
      });
      request.on('error', () => {});
      request.write(head);
      request.write(randomBytes(6_000_000));
      await new Promise((resolve) => setTimeout(resolve, 200));
      request.destroy();
      await eventually(async () => expect(await service.subject.everything()).toBe(before));
    });
  });
});
