import { hash } from 'node:crypto';
import { type DataFixture, startData } from '../data-fixture.ts';
import { shop } from '../shop-application.ts';

const CUSTOMER = '00000000-0000-4000-8000-000000000001';
const MANY = 1_500;

let data: DataFixture;

beforeAll(async () => {
  data = await startData(shop, {
    admin: { resourceRoles: ['system-full-access'] },
    clerk: { resourceRoles: ['rest-minimal', 'clerk'] },
  });
  await data.query(`INSERT INTO t.customer (id, version, name, email, address_city)
    VALUES ('${CUSTOMER}', 3, 'Anna', 'a@example.com', 'Ulm')`);
  await data.query(`INSERT INTO t.warehouse (code, name) VALUES ('BER', 'Berlin'), ('ULM', 'Ulm')`);
  await data.query(`INSERT INTO t.tag (id, version, name)
    SELECT gen_random_uuid(), 1, 'tag ' || i FROM generate_series(1, ${MANY}) i`);
});
afterAll(() => data?.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}, user = 'admin') =>
  data.send(user, 'GET', `/entities/${path}`, undefined, headers);
const tagOf = async (path: string, user = 'admin'): Promise<string> =>
  (await get(path, {}, user)).headers.get('etag') ?? '';
const hashOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

describe('the entity tag (contract/decisions.md#54)', () => {
  test('consists of the version and the hash of the body, so that every representation has its own', async () => {
    const plain = await get(`t_Customer/${CUSTOMER}`);
    expect(plain.headers.get('etag')).toBe(`"3.${hashOf(plain.text)}"`);
    const others = [
      await tagOf(`t_Customer/${CUSTOMER}?fetchPlan=_local`),
      await tagOf(`t_Customer/${CUSTOMER}?returnNulls=true`),
      await tagOf(`t_Customer/${CUSTOMER}?fetchPlan={"entity":"t_Customer","properties":[]}`),
      await tagOf(`t_Customer/${CUSTOMER}`, 'clerk'),
    ];
    // The clerk may not view the version.
    const hidden = others.pop() ?? '';
    expect(hidden).toMatch(/^"-\.[\w-]{22}"$/);
    for (const tag of others) expect(tag).toMatch(/^"3\.[\w-]{22}"$/);
    others.push(hidden);
    expect(new Set([plain.headers.get('etag'), ...others]).size).toBe(5);
  });

  // Asserts contract/decisions.md#54.
  test('has a dash if the entity has no version', async () => {
    const { headers, text } = await get('t_Warehouse/BER');
    expect(headers.get('etag')).toBe(`"-.${hashOf(text)}"`);
  });

  test('does not change with attributes that the caller may not view', async () => {
    await data.query(`INSERT INTO t.customer (id, version, name, email)
      VALUES ('00000000-0000-4000-8000-0000000000aa', 1, 'Tom', 't@example.com')`);
    const path = 't_Customer/00000000-0000-4000-8000-0000000000aa';
    const put = async (user: string, body: unknown, tag?: string) => {
      const headers = tag === undefined ? undefined : { 'if-match': tag };
      const { status, headers: received } = await data.send(user, 'PUT', `/entities/${path}`, body, headers);
      return [status, received.get('etag')] as const;
    };
    const [before, seen] = [await tagOf(path, 'clerk'), await tagOf(path)];
    expect((await put('admin', { address: { city: 'Bonn', country: 'DE' } }))[0]).toBe(200);
    expect(await tagOf(path, 'clerk')).toBe(before);
    expect(await tagOf(path)).not.toBe(seen);
    // Hidden attributes are not compared either, visible ones are.
    const own = await tagOf(`${path}?fetchPlan=_local`, 'clerk');
    expect((await put('admin', { address: { city: 'Ulm', country: 'DE' } }))[0]).toBe(200);
    const [status, received] = await put('clerk', { name: 'Tim' }, own);
    expect([status, received]).toEqual([200, expect.stringMatching(/^"-\./)]);
    expect((await put('clerk', { name: 'Tam' }, own))[0]).toBe(412);
    expect((await put('clerk', { name: 'Tam' }, '"3.x"'))[0]).toBe(412);
  });

  test('exists for single instances only: lists, searches and counts have none', async () => {
    for (const path of ['t_Tag?limit=2', 't_Tag', 't_Tag/search?filter={}&limit=2', 't_Tag/search/count?filter={}']) {
      const { status, headers } = await get(path, { 'if-none-match': '*' });
      expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([200, null, 'private, no-cache']);
    }
  });
});

describe('If-None-Match', () => {
  const missed = '"3.0000000000000000000000"';

  // Asserts contract/decisions.md#54.
  test.each([
    ['the tag', (tag: string) => tag],
    ['its weak form', (tag: string) => `W/${tag}`],
    ['a list that contains it', (tag: string) => `${missed}, ${tag}`],
    ['anything', () => '*'],
  ])('that names %s has the response 304 with the tag and the caching headers', async (_what, header) => {
    const tag = await tagOf(`t_Customer/${CUSTOMER}`);
    const { status, text, headers } = await get(`t_Customer/${CUSTOMER}`, { 'if-none-match': header(tag) });
    expect([status, text]).toEqual([304, '']);
    expect(headers.get('etag')).toBe(tag);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Authorization, Accept-Language');
  });

  // Asserts contract/decisions.md#54.
  test('compares the whole tag: that of another representation, version or caller does not match', async () => {
    const tag = await tagOf(`t_Customer/${CUSTOMER}`);
    const others = [
      await tagOf(`t_Customer/${CUSTOMER}?fetchPlan=_local`),
      await tagOf(`t_Customer/${CUSTOMER}`, 'clerk'),
      tag.replace('"3.', '"2.'),
      missed,
    ];
    for (const other of others) {
      const response = await get(`t_Customer/${CUSTOMER}`, { 'if-none-match': other });
      expect([response.status, response.headers.get('etag')]).toEqual([200, tag]);
    }
  });

  test('detects a change of an entity without a version', async () => {
    const tag = await tagOf('t_Warehouse/ULM');
    expect((await get('t_Warehouse/ULM', { 'if-none-match': tag })).status).toBe(304);
    await data.query(`UPDATE t.warehouse SET name = 'Ulm-Donautal' WHERE code = 'ULM'`);
    expect((await get('t_Warehouse/ULM', { 'if-none-match': tag })).status).toBe(200);
  });

  // Asserts contract/reading.md#conditional.
  test('never changes a refusal into 304', async () => {
    expect((await get(`t_Customer/${crypto.randomUUID()}`, { 'if-none-match': '*' })).status).toBe(404);
    expect((await get('t_Warehouse/BER', { 'if-none-match': '*' }, 'clerk')).status).toBe(403);
  });
});

describe('If-Match on an entity without a version', () => {
  const put = (tag: string, name: string) =>
    data.send('admin', 'PUT', '/entities/t_Warehouse/BER', { name }, { 'if-match': tag });

  // Asserts contract/decisions.md#54.
  test('is the hash of the caller’s _local representation', async () => {
    const tag = await tagOf('t_Warehouse/BER?fetchPlan=_local');
    expect((await put(tag, 'Berlin 2')).status).toBe(200);
    expect((await put(tag, 'Berlin 3')).status).toBe(412);
    // The default plan has the same attributes of this entity.
    expect((await put(await tagOf('t_Warehouse/BER'), 'Berlin 4')).status).toBe(200);
    const narrow = await tagOf('t_Warehouse/BER?fetchPlan={"entity":"t_Warehouse","properties":["name"]}');
    expect((await put(narrow, 'Berlin 5')).status).toBe(412);
  });
});

describe('HEAD', () => {
  const paths = [
    `t_Customer/${CUSTOMER}`,
    't_Tag?limit=3&sort=name&returnCount=true',
    't_Tag',
    't_Tag?limit=1200&sort=name',
    't_Tag/search?filter={}&limit=3',
    't_Tag/search/count?filter={}',
  ];

  test.each(paths)('of %s has the status and headers of GET and no body', async (path) => {
    const got = await get(path);
    const head = await data.send('admin', 'HEAD', `/entities/${path}`);
    expect([head.status, head.text]).toEqual([got.status, '']);
    const compared = ['content-type', 'etag', 'cache-control', 'vary', 'x-total-count'];
    for (const name of compared) expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
    expect(head.headers.has('link')).toBe(got.headers.has('link'));
  });

  test('is conditional and refused like GET', async () => {
    const tag = await tagOf(`t_Customer/${CUSTOMER}`);
    const head = (path: string, headers = {}, user = 'admin') =>
      data.send(user, 'HEAD', `/entities/${path}`, undefined, headers);
    expect((await head(`t_Customer/${CUSTOMER}`, { 'if-none-match': tag })).status).toBe(304);
    expect((await head(`t_Customer/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await head('t_Warehouse', {}, 'clerk')).status).toBe(403);
    expect((await head('t_Tag?limit=x')).status).toBe(400);
  });
});
