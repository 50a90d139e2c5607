import { randomBytes } from 'node:crypto';
import { fileListingSchema, storedFileSchema } from '@lintel/contracts';
import { type Client, createClient, describeStorages, INTERNAL_SECRET, MAX_BYTES } from '../../test/files-fixture.ts';

describeStorages('the internal listener, with files in the %s storage', (service) => {
  const users: Client = createClient(() => service.server.url);
  const services: Client = createClient(() => service.server.internalUrl);
  const pathOf = (fileRef: string): string => `/internal/files?${new URLSearchParams({ fileRef })}`;
  const store = async (name: string, body: Uint8Array | string, token = 'reports'): Promise<string> => {
    const response = await services.call(
      `/internal/files?${new URLSearchParams({ name })}`,
      { method: 'POST', body: body as NonNullable<RequestInit['body']>, headers: { 'Content-Type': 'text/csv' } },
      token,
    );
    expect(response.status).toBe(201);
    return storedFileSchema.parse(response.json()).fileRef;
  };

  // Asserts contract/files.md#storages.
  test('a service stores a file, also one above the limit for users, and users download it', async () => {
    const bytes = randomBytes(MAX_BYTES + 1);
    const fileRef = await store('orders.csv', bytes);
    const response = await users.call(`/rest/files?${new URLSearchParams({ fileRef })}`);
    expect([response.status, response.headers.get('content-type'), response.bytes.equals(bytes)]).toEqual([
      200,
      'text/csv',
      true,
    ]);
  });

  // Asserts contract/files.md#storages.
  test('a service reads what users uploaded, in part too', async () => {
    const { fileRef } = (await users.upload('template.xlsx', '0123456789')).json();
    const whole = await services.call(pathOf(fileRef), {}, 'reports');
    expect([whole.status, String(whole.bytes)]).toEqual([200, '0123456789']);
    const part = await services.call(pathOf(fileRef), { headers: { Range: 'bytes=2-3' } }, 'reports');
    expect([part.status, String(part.bytes)]).toEqual([206, '23']);
    const missing = pathOf(fileRef.replace(/[0-9a-f]{12}\.xlsx/, '000000000000.xlsx'));
    expect((await services.call(missing, {}, 'reports')).status).toBe(404);
  });

  test('a service removes its own file, once or twice', async () => {
    const fileRef = await store('run.csv', 'x');
    for (const _ of [1, 2]) {
      const response = await services.call(pathOf(fileRef), { method: 'DELETE' }, 'reports');
      expect([response.status, response.bytes.length]).toEqual([204, 0]);
    }
    expect((await services.call(pathOf(fileRef), {}, 'reports')).status).toBe(404);
  });

  test('with the shared secret any file can be read, the file of a service be removed, and none be stored', async () => {
    const fileRef = await store('run.csv', 'x');
    const read = await services.call(pathOf(fileRef), {}, INTERNAL_SECRET);
    expect([read.status, String(read.bytes)]).toEqual([200, 'x']);
    const post = { method: 'POST', body: 'x' };
    expect((await services.call('/internal/files?name=a.txt', post, INTERNAL_SECRET)).status).toBe(401);
    expect((await services.call(pathOf(fileRef), { method: 'DELETE' }, INTERNAL_SECRET)).status).toBe(204);
    expect((await services.call(pathOf(fileRef), {}, 'reports')).status).toBe(404);
  });

  // Asserts contract/files.md#storages.
  test('no service removes the files of users or of another service', async () => {
    const uploaded = (await users.upload('a.txt', 'x')).json().fileRef;
    const foreign = await store('run.csv', 'x', 'data');
    const refusals = [
      [uploaded, 'reports'],
      [uploaded, INTERNAL_SECRET],
      [foreign, 'reports'],
    ] as const;
    for (const [fileRef, token] of refusals) {
      const response = await services.call(pathOf(fileRef), { method: 'DELETE' }, token);
      expect([response.status, response.json().error]).toEqual([403, 'File removal failed']);
      expect((await services.call(pathOf(fileRef), {}, 'reports')).status).toBe(200);
    }
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('with the shared secret files are listed, described, and uploads of users removed', async () => {
    const uploaded = (await users.upload('a note.txt', '12345')).json().fileRef as string;
    const ofService = await store('run.csv', 'x');
    const call = (path: string, more: RequestInit = {}, token = INTERNAL_SECRET) =>
      services.call(`/internal/files${path}`, more, token);
    const keys: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query = new URLSearchParams({ limit: '1', ...(after !== '' && { after }) });
      const part = fileListingSchema.parse((await call(`/listing?${query}`)).json());
      expect(part.files.length).toBeLessThanOrEqual(1);
      keys.push(...part.files.map(({ storage, path }) => `${storage}://${path}`));
      after = part.next;
    }
    const keyOf = (fileRef: string): string => fileRef.split('?')[0] ?? '';
    expect([uploaded, ofService].map((ref) => keys.filter((key) => key === keyOf(ref)).length)).toEqual([1, 1]);
    const body = JSON.stringify({ fileRefs: [uploaded, ofService, 'fs://2026/01/01/none?name=none'] });
    const described = await call('/descriptions', { method: 'POST', body });
    expect(JSON.parse(String(described.bytes)).files).toEqual([
      expect.objectContaining({ name: 'a note.txt', size: 5 }),
      expect.objectContaining({ name: 'run.csv', size: 1, storedBy: 'reports' }),
    ]);
    const removal = (fileRef: string) => `?${new URLSearchParams({ fileRef, uploaded: 'true' })}`;
    expect((await call(removal(uploaded), { method: 'DELETE' }, 'reports')).status).toBe(403);
    expect((await call(removal(ofService), { method: 'DELETE' })).status).toBe(403);
    expect((await call(removal(uploaded), { method: 'DELETE' })).status).toBe(204);
    expect((await services.call(pathOf(uploaded), {}, 'reports')).status).toBe(404);
    expect((await call('/listing', {}, 'reports')).status).toBe(401);
    expect((await call('/descriptions', { method: 'POST', body }, 'reports')).status).toBe(401);
    expect((await call('/listing?limit=0')).status).toBe(400);
    expect((await call('/listing?after=unknown/x')).status).toBe(400);
    expect((await call('/descriptions', { method: 'POST', body: '{' })).status).toBe(400);
  });

  // Asserts contract/operations.md#unreferenced-files.
  test('a service stores a file as an upload of the user', async () => {
    const post = { method: 'POST', body: 'x' };
    const stored = await services.call('/internal/files?name=copy.xlsx&uploaded=true', post, 'reports');
    const { fileRef } = stored.json();
    const body = JSON.stringify({ fileRefs: [fileRef] });
    const described = await services.call('/internal/files/descriptions', { method: 'POST', body }, INTERNAL_SECRET);
    expect(JSON.parse(String(described.bytes)).files).toEqual([
      expect.not.objectContaining({ storedBy: expect.anything() }),
    ]);
    const refused = await services.call(pathOf(fileRef), { method: 'DELETE' }, INTERNAL_SECRET);
    const removed = await services.call(`${pathOf(fileRef)}&uploaded=true`, { method: 'DELETE' }, INTERNAL_SECRET);
    expect([refused.status, removed.status]).toEqual([403, 204]);
  });

  // Asserts contract/exports.md#background.
  test('with the shared secret a file is stored as an upload of the user that is named', async () => {
    const post = { method: 'POST', body: 'x' };
    const storeWith = (query: string) =>
      services.call(`/internal/files?name=orders.csv${query}`, post, INTERNAL_SECRET);
    const stored = await storeWith('&uploaded=true&uploader=user:ada');
    expect(stored.status).toBe(201);
    const { fileRef } = stored.json();
    const isOf = async (reader: string) => {
      const body = JSON.stringify({ fileRefs: [fileRef], reader });
      const described = await services.call('/internal/files/descriptions', { method: 'POST', body }, INTERNAL_SECRET);
      return JSON.parse(String(described.bytes)).files[0].isOfReader;
    };
    expect([await isOf('user:ada'), await isOf('user:bo')]).toEqual([true, false]);
    for (const query of ['', '&uploaded=true', '&uploader=user:ada', '&uploaded=true&uploader='])
      expect([query, (await storeWith(query)).status]).toEqual([query, 401]);
  });

  // Asserts contract/files.md#storages.
  test.each(['user', 'stranger', ''])('the token %j of the public listener is refused', async (token) => {
    for (const [method, path] of [
      ['GET', '?fileRef=nonsense'],
      ['POST', '?name=a.txt'],
      ['DELETE', '?fileRef=nonsense'],
    ] as const) {
      const response = await services.call(`/internal/files${path}`, { method }, token);
      expect([method, response.status]).toEqual([method, 401]);
    }
  });

  test('a service token does not open the public listener, which knows no internal path', async () => {
    expect((await users.call('/rest/files?fileRef=nonsense', {}, 'reports')).status).toBe(401);
    expect((await users.call('/internal/files?fileRef=nonsense', {}, 'reports')).status).toBe(404);
  });

  test.each([
    ['POST', '', 'name'],
    ['POST', '?name=a&storageName=nowhere', 'nowhere'],
    ['GET', '', 'fileRef'],
    ['DELETE', '?fileRef=nonsense', 'nonsense'],
    ['POST', '?name=a&uploaded=yes', 'uploaded'],
    ['POST', '?name=a&uploaded=true&uploaded=true', 'uploaded'],
    ['DELETE', '?fileRef=nonsense&uploaded=1', 'uploaded'],
  ])('%s %j returns 400 and names %s', async (method, query, named) => {
    const response = await services.call(`/internal/files${query}`, { method }, 'reports');
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(named)]);
  });
});
