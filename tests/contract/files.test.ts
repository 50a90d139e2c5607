import { as, baseUrl, query, send, tokenOf } from './api.ts';

const bytes = new Uint8Array(100_000).map((_, index) => (index * 7 + (index >> 8)) % 256);

async function download(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${await tokenOf('manager')}`, ...headers },
  });
}

describe('files (contract reports-files-metadata §2, specification 4.8)', () => {
  test('a raw upload is read back byte for byte', async () => {
    const upload = await as('manager', 'POST', '/files?name=test-file.pdf', {
      body: bytes,
      headers: { 'content-type': 'application/pdf' },
    });
    expect(upload.status).toBe(201);
    const file = upload.json();
    expect(file).toEqual({
      fileRef: expect.stringMatching(/^fs:\/\/\d{4}\/\d\d\/\d\d\/[0-9a-f-]{36}\.pdf\?name=test-file\.pdf$/),
      name: 'test-file.pdf',
      size: bytes.length,
    });
    expect(upload.headers.get('location')).toBe(`${baseUrl}/rest/files?fileRef=${encodeURIComponent(file.fileRef)}`);
    const response = await download(`/rest/files${query({ fileRef: file.fileRef })}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe(
      'inline; filename="test%2dfile.pdf"; filename*=utf-8\'\'test%2dfile.pdf',
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes))).toBe(0);
    const attached = await download(`/rest/files${query({ fileRef: file.fileRef, attachment: 'true' })}`);
    expect(attached.headers.get('content-disposition')).toMatch(/^attachment; /);
    await attached.arrayBuffer();
  });

  test('a multipart upload takes the name of its part, and the parameter name over it', async () => {
    for (const [path, name] of [
      ['/files', 'Übersicht 1.txt'],
      ['/files?name=other.txt', 'other.txt'],
    ] as const) {
      const form = new FormData();
      form.append('file', new Blob(['hello']), 'Übersicht 1.txt');
      const upload = await as('manager', 'POST', path, { body: form });
      expect(upload.status).toBe(201);
      expect(upload.json()).toMatchObject({ name, size: 5 });
      const response = await download(`/rest/files${query({ fileRef: upload.json().fileRef })}`);
      expect(await response.text()).toBe('hello');
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; /);
    }
  });

  test('an empty file is a file', async () => {
    const upload = await as('manager', 'POST', '/files?name=empty.bin', { body: new Uint8Array() });
    expect([upload.status, upload.json().size]).toEqual([201, 0]);
  });

  test('the token may be in the URL', async () => {
    const upload = await as('manager', 'POST', '/files?name=a.txt', { body: 'x' });
    const token = await tokenOf('manager');
    const answer = await send('GET', `/rest/files${query({ fileRef: upload.json().fileRef, access_token: token })}`);
    expect([answer.status, answer.text]).toEqual([200, 'x']);
  });

  test('a reference may be sent unencoded', async () => {
    const upload = await as('manager', 'POST', '/files?name=a.txt', { body: 'x' });
    expect((await as('manager', 'GET', `/files?fileRef=${upload.json().fileRef}`)).text).toBe('x');
  });

  test.each([
    ['raw without a name', 'POST', '/files', 400, 'name'],
    ['no reference', 'GET', '/files', 400, 'fileRef'],
    [
      'a reference that is none',
      'GET',
      '/files?fileRef=nonsense',
      400,
      "Cannot convert 'nonsense' into valid file reference",
    ],
    [
      'an unknown storage',
      'GET',
      `/files${query({ fileRef: 'zz://2026/01/01/a.txt?name=a.txt' })}`,
      400,
      "Cannot find FileStorage with name: 'zz'",
    ],
    [
      'a bad boolean',
      'GET',
      `/files${query({ fileRef: 'fs://2026/01/01/a.txt?name=a.txt', attachment: 'maybe' })}`,
      400,
      'attachment',
    ],
  ] as const)('%s: 4xx', async (_case, method, path, status, named) => {
    const answer = await as('manager', method, path, method === 'POST' ? { body: 'x' } : {});
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(named);
  });

  test('a missing file: 404 with an empty body (decision 1)', async () => {
    const reference = 'fs://2020/01/01/6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11.txt?name=a.txt';
    const answer = await as('manager', 'GET', `/files${query({ fileRef: reference })}`);
    expect([answer.status, answer.text]).toEqual([404, '']);
  });

  test('a path that leaves the storage finds nothing', async () => {
    const answer = await as('manager', 'GET', `/files${query({ fileRef: 'fs://../../../../etc/passwd?name=passwd' })}`);
    expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('root:');
  });

  test('upload and download need their permissions', async () => {
    const upload = await as('viewer', 'POST', '/files?name=a.txt', { body: 'x' });
    expect([upload.status, upload.json()]).toEqual([
      403,
      { error: 'File upload failed', details: 'File upload is not permitted' },
    ]);
    const answer = await as('viewer', 'GET', '/files?fileRef=nonsense');
    expect([answer.status, answer.json()]).toEqual([
      403,
      { error: 'File download failed', details: 'File download is not permitted' },
    ]);
  });
});
