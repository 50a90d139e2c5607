import { createHash } from 'node:crypto';
import { as, baseUrl, demo, query, send, tokenOf, tokenRequest, unique, withinASecond } from './api.ts';

const bytes = new Uint8Array(100_000).map((_, index) => (index * 7 + (index >> 8)) % 256);

async function download(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${await tokenOf('manager')}`, ...headers },
  });
}

/** A new user who may read and download, and sees the orders of no country. */
async function withoutOrders() {
  const username = unique('far');
  const password = `secret-of-${username}`;
  const user = { username, password, active: true, country: 'XX' };
  const assign = (roleType: string) => (roleCode: string) => ({ username, roleCode, roleType });
  const assignments = ['rest-minimal', 'sales-manager']
    .map(assign('resource'))
    .concat(assign('row-level')('own-region'));
  for (const [entity, body] of [['sec_User', user] as const, ['sec_RoleAssignment', assignments] as const])
    expect((await as('admin', 'POST', `/entities/${entity}`, { body })).status).toBe(201);
  const login = await tokenRequest('/oauth/token', { grant_type: 'password', username, password });
  const headers = { authorization: `Bearer ${login.json().access_token}` };
  return {
    headers,
    read: (fileRef: string) => send('GET', `/rest/files${query({ fileRef })}`, { headers }),
    async attachmentUrl(number: string, email: string): Promise<string> {
      const path = `/rest/services/sales_OrderService/attachmentUrl${query({ number, email })}`;
      const response = await send('GET', path, { headers });
      expect([response.status, response.text]).toEqual([
        200,
        expect.stringMatching(/^\/rest\/files\?fileRef=.*&ticket=/),
      ]);
      return response.text;
    },
  };
}

describe('files (contract/files.md#files)', () => {
  // Asserts contract/files.md#download, contract/files.md#upload.
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

  test('a file that nothing refers to is the uploader’s; what refers to it opens it (contract/files.md#access)', async () => {
    const { fileRef } = (await as('admin', 'POST', '/files?name=offer.txt', { body: 'offer' })).json();
    const read = () => as('manager', 'GET', `/files${query({ fileRef })}`);
    // By `svc.files.access`: one process has `reference`, five have `references`.
    const unreferenced = (await read()).status;
    expect([200, 404]).toContain(unreferenced);
    expect((await as('admin', 'GET', `/files${query({ fileRef })}`)).text).toBe('offer');
    const order = {
      number: unique('FILE'),
      date: '2026-11-28',
      customer: { id: demo.customer(3) },
      attachment: fileRef,
    };
    const created = await as('admin', 'POST', '/entities/sales_Order', { body: order });
    expect(created.status).toBe(201);
    expect([(await read()).status, (await read()).text]).toEqual([200, 'offer']);
    expect((await as('admin', 'DELETE', `/entities/sales_Order/${created.json().id}`)).status).toBe(204);
    // It waits for longer than the six seconds for which the right is kept.
    const after = await withinASecond(read, ({ status }) => status === unreferenced);
    expect(after.status).toBe(unreferenced);
  });

  describe('a file that application code grants by a ticket (contract/tokens.md#file-tickets)', () => {
    const number = unique('GRANT');
    let email: string;
    let granted: string;
    let other: string;
    let stranger: Awaited<ReturnType<typeof withoutOrders>>;
    let unchanged: number;
    beforeAll(async () => {
      const store = async (text: string) =>
        (await as('admin', 'POST', '/files?name=grant.txt', { body: text })).json().fileRef as string;
      [granted, other] = [await store('granted'), await store('other')];
      const customer = demo.customer(3);
      ({ email } = (await as('admin', 'GET', `/entities/sales_Customer/${customer}`)).json());
      const order = { number, date: '2026-11-29', customer: { id: customer }, attachment: granted };
      expect((await as('admin', 'POST', '/entities/sales_Order', { body: order })).status).toBe(201);
      stranger = await withoutOrders();
      // By `svc.files.access`: 200 or 404.
      unchanged = (await stranger.read(granted)).status;
      expect([200, 404]).toContain(unchanged);
    });
    const open = async (url: string, init: RequestInit = {}) => {
      const response = await fetch(baseUrl + url, init);
      return { status: response.status, text: await response.text(), headers: response.headers };
    };

    // Asserts contract/tokens.md#file-tickets.
    test('is downloaded once, and stays hidden from its caller', async () => {
      const url = await stranger.attachmentUrl(number, email);
      const { status, text, headers } = await open(url);
      expect([status, text]).toEqual([200, 'granted']);
      expect(headers.get('content-disposition')).toMatch(/^attachment;/);
      expect((await open(url)).status).toBe(401);
      expect((await stranger.read(granted)).status).toBe(unchanged);
    });

    // Asserts contract/tokens.md#file-tickets.
    test.each<readonly [string, (url: string) => string, RequestInit]>([
      ['another file', (url) => url.replace(encodeURIComponent(granted), encodeURIComponent(other)), {}],
      ['the file under another name', (url) => url.replace('grant.txt', 'other.txt'), {}],
      ['a picture in the page', (url) => url.replace('&attachment=true', ''), {}],
      ['the head', (url) => url, { method: 'HEAD' }],
      ['a report', (url) => url.replace('/rest/files', '/rest/reports/report'), {}],
    ])('is not opened as %s, which uses the ticket up', async (_other, change, init) => {
      const url = await stranger.attachmentUrl(number, email);
      expect(change(url) === url && init.method === undefined).toBe(false);
      expect((await open(change(url), init)).status).toBe(401);
      expect((await open(url)).status).toBe(401);
    });

    // Asserts contract/tokens.md#file-tickets.
    test('is granted to no other user, whose own token counts and leaves the ticket', async () => {
      const another = await withoutOrders();
      const url = await stranger.attachmentUrl(number, email);
      expect((await open(url, { headers: another.headers })).status).toBe(unchanged);
      expect((await open(url)).text).toBe('granted');
    });

    // Asserts contract/tokens.md#file-tickets.
    test('needs the permission to download, and a login that has not ended', async () => {
      const found = await as('viewer', 'GET', `/services/sales_OrderService/attachmentUrl${query({ number, email })}`);
      expect((await open(found.text)).status).toBe(403);
      const url = await stranger.attachmentUrl(number, email);
      await send('POST', '/logout', { headers: stranger.headers });
      await withinASecond(
        () => stranger.read(granted),
        ({ status }) => status === 401,
      );
      expect((await open(url)).status).toBe(401);
    });

    // Asserts contract/tokens.md#file-tickets.
    test('is not granted by a request for a ticket', async () => {
      const another = await withoutOrders();
      const body = { url: `/rest/files${query({ fileRef: granted })}`, file: granted.split('?')[0] };
      const issued = await send('POST', '/rest/tickets', { headers: another.headers, body });
      expect([issued.status, issued.headers.get('x-ignored')]).toEqual([201, 'body.file']);
      expect((await open(issued.json().url)).status).toBe(unchanged);
    });
  });

  // Asserts contract/files.md#resumable.
  test('a resumable upload continues through the gateway, and its file is like any other', async () => {
    const tus = { 'tus-resumable': '1.0.0' };
    const created = await as('manager', 'POST', '/files/uploads', {
      headers: { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': `filename ${btoa('parts.pdf')}` },
    });
    const location = created.headers.get('location') ?? '';
    expect([created.status, location.startsWith(`${baseUrl}/rest/files/uploads/`)]).toEqual([201, true]);
    const path = location.slice(`${baseUrl}/rest`.length);
    const append = (offset: number, end: number) =>
      as('manager', 'PATCH', path, {
        body: bytes.subarray(offset, end),
        headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      });
    expect((await append(0, 70_000)).status).toBe(204);
    const head = await as('manager', 'HEAD', path, { headers: tus });
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '70000']);
    expect((await append(10, 20)).status).toBe(409);
    expect((await as('admin', 'HEAD', path, { headers: tus })).status).toBe(404);
    expect((await append(70_000, bytes.length)).status).toBe(204);
    const file = (await as('manager', 'GET', path)).json();
    expect(file).toEqual({ fileRef: expect.any(String), name: 'parts.pdf', size: bytes.length });
    const response = await download(`/rest/files${query({ fileRef: file.fileRef })}`);
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes))).toBe(0);
    expect((await as('manager', 'DELETE', path, { headers: tus })).status).toBe(204);
  });

  // Asserts contract/files.md#upload.
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

  // Asserts contract/decisions.md#64, contract/files.md#download.
  test('the content type of the upload is served, and active content is an attachment', async () => {
    const form = new FormData();
    form.append('file', new Blob(['x'], { type: 'application/x-own; version=1' }), 'data.own');
    const html = { body: '<p>', headers: { 'content-type': 'text/html' } };
    for (const [upload, type] of [
      [await as('manager', 'POST', '/files', { body: form }), 'application/x-own;version=1'],
      [await as('manager', 'POST', '/files?name=photo.png', html), 'text/html'],
      [await as('manager', 'POST', '/files?name=photo.png', { body: bytes }), 'image/png'],
    ] as const) {
      const { headers } = await as('manager', 'GET', `/files${query({ fileRef: upload.json().fileRef })}`);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-disposition')).toMatch(type === 'image/png' ? /^inline;/ : /^attachment;/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  // Asserts contract/files.md#download.
  test('parts of a file, its validators and its digest pass the gateway', async () => {
    const upload = await as('manager', 'POST', '/files?name=a.pdf', { body: bytes });
    const path = `/rest/files${query({ fileRef: upload.json().fileRef })}`;
    const digest = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
    const whole = await download(path);
    expect([whole.headers.get('repr-digest'), whole.headers.get('accept-ranges')]).toEqual([digest, 'bytes']);
    await whole.arrayBuffer();
    const etag = whole.headers.get('etag') ?? '';
    const part = await download(path, { range: 'bytes=10-19', 'if-range': etag });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/100000']);
    expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), Buffer.from(bytes.subarray(10, 20)))).toBe(0);
    const several = await download(path, { range: 'bytes=0-9,50000-50009' });
    expect([several.status, several.headers.get('content-type')]).toEqual([
      206,
      expect.stringMatching(/^multipart\/byteranges; boundary=/),
    ]);
    expect((await several.text()).match(/Content-Range: bytes \d+-\d+\/100000/g)).toHaveLength(2);
    const beyond = await download(path, { range: 'bytes=100000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */100000']);
    expect(await beyond.json()).toEqual({ error: 'Range not satisfiable', details: 'The file has 100000 bytes' });
    expect((await download(path, { 'if-none-match': etag })).status).toBe(304);
    const head = await fetch(`${baseUrl}${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${await tokenOf('manager')}` },
    });
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, '100000', etag]);
  });

  // Asserts contract/files.md#upload.
  test('a body that does not have the digest of its header is refused', async () => {
    const response = await as('manager', 'POST', '/files?name=a.txt', {
      body: 'hello',
      headers: { 'content-digest': `sha-256=:${createHash('sha256').update('other').digest('base64')}:` },
    });
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'File upload failed', details: 'The body does not have the digest of the header Content-Digest' },
    ]);
  });

  // Asserts contract/decisions.md#22, contract/files.md#upload.
  test('an empty file is a file', async () => {
    const upload = await as('manager', 'POST', '/files?name=empty.bin', { body: new Uint8Array() });
    expect([upload.status, upload.json().size]).toEqual([201, 0]);
  });

  // Asserts contract/tokens.md#token-location.
  test('the token may be in the URL', async () => {
    const upload = await as('manager', 'POST', '/files?name=a.txt', { body: 'x' });
    const token = await tokenOf('manager');
    const response = await send('GET', `/rest/files${query({ fileRef: upload.json().fileRef, access_token: token })}`);
    expect([response.status, response.text]).toEqual([200, 'x']);
  });

  // Asserts contract/files.md#download.
  test('a reference may be sent unencoded', async () => {
    // The blank is a + in the reference, and a blank again for the server (contract/decisions.md#80).
    const upload = await as('manager', 'POST', '/files?name=a%20letter.txt', { body: 'x' });
    expect((await as('manager', 'GET', `/files?fileRef=${upload.json().fileRef}`)).text).toBe('x');
  });

  // Asserts contract/conventions.md#endpoints, contract/decisions.md#22, contract/decisions.md#8,
  // contract/files.md#download, contract/files.md#upload.
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
    const response = await as('manager', method, path, method === 'POST' ? { body: 'x' } : {});
    expect(response.status).toBe(status);
    expect(response.text).toContain(named);
  });

  // Asserts contract/errors.md#catalogue, contract/files.md#download.
  test('a missing file: 404 with an empty body (contract/decisions.md#1)', async () => {
    const reference = 'fs://2020/01/01/6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11.txt?name=a.txt';
    const response = await as('manager', 'GET', `/files${query({ fileRef: reference })}`);
    expect([response.status, response.text]).toEqual([404, '']);
  });

  // Asserts contract/files.md#storages.
  test('a path that leaves the storage finds nothing', async () => {
    const response = await as(
      'manager',
      'GET',
      `/files${query({ fileRef: 'fs://../../../../etc/passwd?name=passwd' })}`,
    );
    expect([400, 404]).toContain(response.status);
    expect(response.text).not.toContain('root:');
  });

  // Asserts contract/files.md#download, contract/files.md#upload, contract/roles.md#rest-enabled,
  // contract/roles.md#specific.
  test('upload and download need their permissions', async () => {
    const upload = await as('viewer', 'POST', '/files?name=a.txt', { body: 'x' });
    expect([upload.status, upload.json()]).toEqual([
      403,
      { error: 'File upload failed', details: 'File upload is not permitted' },
    ]);
    const response = await as('viewer', 'GET', '/files?fileRef=nonsense');
    expect([response.status, response.json()]).toEqual([
      403,
      { error: 'File download failed', details: 'File download is not permitted' },
    ]);
  });
});
