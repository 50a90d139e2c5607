import { loadSettings } from '@lintel/config';
import sales from '@lintel/example-sales';
import { settings } from '../../src/config.ts';
import { type DataFixture, startData } from '../data-fixture.ts';

const USERS = { admin: { resourceRoles: ['system-full-access'] } };
const EXCEEDED = {
  error: 'The value of limit exceeded',
  details: 'The value of the limit exceeds the maximum possible value from application.properties',
};

let data: DataFixture;

beforeAll(async () => {
  data = await startData(sales, USERS, {
    'svc.rest.default-max-fetch-size': '20',
    'svc.rest.entityMaxFetchSize.sales_ProductTag': '5',
    'svc.rest.entity-max-fetch-size.sales_CustomerCategory': '30',
    'svc.rest.inline-fetch-plan-enabled': 'false',
  });
  for (const [table, name] of [
    ['product_tag', 'name'],
    ['customer_category', 'code'],
  ])
    await data.query(`INSERT INTO sales.${table} (id, version, ${name})
      SELECT gen_random_uuid(), 1, 'x' || i FROM generate_series(1, 40) i`);
  await data.query(`INSERT INTO sales.warehouse (code, name) SELECT 'w' || i, 'x' FROM generate_series(1, 40) i`);
});
afterAll(() => data?.close());

// Asserts contract/reading.md#paging.
test.each([
  ['sales_ProductTag', 5],
  ['sales_CustomerCategory', 30],
  ['sales_Warehouse', 20],
])('a list of %s has at most %i instances', async (entity, maximum) => {
  const read = async (path: string) => (await data.send('admin', 'GET', `/entities/${entity}${path}`)).json();
  const filter = encodeURIComponent('{"conditions":[]}');
  expect(await read('')).toHaveLength(maximum);
  expect(await read(`?limit=${maximum}`)).toHaveLength(maximum);
  expect(await read(`?limit=${maximum + 1}`)).toEqual(EXCEEDED);
  expect(await read(`/search?filter=${filter}`)).toHaveLength(maximum);
  expect(await read(`/search?filter=${filter}&limit=${maximum + 1}`)).toEqual(EXCEEDED);
  const body = { filter: {}, limit: maximum + 1 };
  expect((await data.send('admin', 'POST', `/entities/${entity}/search`, body)).json()).toEqual(EXCEEDED);
  expect(await read(`/search/count?filter=${filter}`)).toBe(40);
});

// Asserts contract/reading.md#paging.
test('a page without a limit begins at its offset or cursor and has at most the maximum of instances', async () => {
  const first = await data.send('admin', 'GET', '/entities/sales_ProductTag?limit=1');
  const next = /^<\/rest([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1]?.replace('limit=1&', '') ?? '';
  expect((await data.send('admin', 'GET', next)).json()).toHaveLength(5);
  expect((await data.send('admin', 'GET', '/entities/sales_ProductTag?offset=38')).json()).toHaveLength(2);
});

describe('inline fetch plans that are disabled', () => {
  const plan = { entity: 'sales_ProductTag', properties: ['name'] };
  const disabled = {
    error: 'Inline fetch plans are disabled',
    details: 'Inline fetch plans are disabled. Use only named fetch plans.',
  };
  const inline = encodeURIComponent(JSON.stringify(plan));

  // Asserts contract/decisions.md#4, contract/errors.md#catalogue, contract/fetch-plans.md#parameter.
  test.each([
    `/entities/sales_ProductTag?fetchPlan=${inline}`,
    `/entities/sales_ProductTag/${crypto.randomUUID()}?fetchPlan=${inline}`,
    `/entities/sales_ProductTag/search?filter={}&fetchPlan=${inline}`,
  ])('are refused in %s', async (path) => {
    const read = await data.send('admin', 'GET', path);
    expect([read.status, read.json()]).toEqual([400, disabled]);
  });

  // Asserts contract/decisions.md#4, contract/errors.md#catalogue, contract/fetch-plans.md#parameter.
  test('are refused in bodies, as objects and as texts; named plans are not', async () => {
    const search = (fetchPlan: unknown) =>
      data.send('admin', 'POST', '/entities/sales_ProductTag/search', { filter: {}, fetchPlan });
    expect((await search(plan)).json()).toEqual(disabled);
    expect((await search(JSON.stringify(plan))).json()).toEqual(disabled);
    expect((await search('_local')).status).toBe(200);
  });

  test.each([
    ['POST', ''],
    ['PUT', `/${crypto.randomUUID()}`],
  ])('are refused as response plans of %s before anything is written', async (method, path) => {
    const url = `/entities/sales_ProductTag${path}?responseFetchPlan=${inline}`;
    const read = await data.send('admin', method, url, { name: 'refused' });
    expect([read.status, read.json()]).toEqual([400, disabled]);
    expect(await data.query(`SELECT id FROM sales.product_tag WHERE name = 'refused'`)).toEqual([]);
  });
});

// Asserts contract/reading.md#paging.
test.each([
  'svc.rest.entityMaxFetchSize.sales_ProductTag',
  'svc.rest.entity-max-fetch-size.sales_ProductTag',
  'SVC_REST_ENTITYMAXFETCHSIZE_SALES_PRODUCTTAG',
  'SVC_REST_ENTITY_MAX_FETCH_SIZE_SALES_PRODUCT_TAG',
])('%s names the same entity', (key) => {
  const values = { 'svc.internal.secret': 'x', 'svc.datasource.url': 'postgres://x' };
  const config = loadSettings(settings, {
    sources: [
      { label: 'file', kind: 'file', values },
      { label: 'given', kind: key.startsWith('SVC') ? 'environment' : 'file', values: { [key]: '7' } },
    ],
    readSecretFile: () => '',
    mapKeys: { 'svc.rest.entity-max-fetch-size': [...sales.model.entities.keys()] },
  });
  expect(config.entityMaxFetchSize).toEqual({ sales_ProductTag: 7 });
});
