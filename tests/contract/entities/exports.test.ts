import { eventually } from '@lintel/testkit';
import { as, query, unique } from '../api.ts';

const lines = (text: string): readonly string[] => text.split('\n').slice(0, -1);
const CSV = { headers: { accept: 'text/csv' } };
const NDJSON = { headers: { accept: 'application/x-ndjson' } };
const PLAN = { entity: 'sales_Order', properties: ['number', 'status', 'customer', 'lines'] };

// Asserts contract/exports.md#exports, contract/exports.md#csv, contract/exports.md#ndjson.
test('lists and searches are exported through the gateway, with the instances of the JSON', async () => {
  const list = `/entities/sales_Order${query({ sort: 'number', limit: 20, fetchPlan: JSON.stringify(PLAN) })}`;
  const [json, csv, ndjson] = [
    await as('admin', 'GET', list),
    await as('admin', 'GET', list, CSV),
    await as('admin', 'GET', list, NDJSON),
  ];
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv;charset=utf-8']);
  expect(lines(csv.text)[0]).toBe('"id","number","status","customer","lines"');
  const orders = json.json() as readonly { readonly id: string; readonly number: string }[];
  expect(lines(csv.text).slice(1)).toEqual(
    orders.map(({ id, number }) => expect.stringMatching(new RegExp(`^${id},"${number}",`))),
  );
  expect(lines(ndjson.text).map((line) => JSON.parse(line))).toEqual(orders);
  const search = { filter: { conditions: [] }, sort: 'number', limit: 20, fetchPlan: PLAN };
  const found = await as('admin', 'POST', '/entities/sales_Order/search', { body: search, ...CSV });
  expect(found.text).toBe(csv.text);
});

// Asserts contract/exports.md#exports, contract/exports.md#limits.
test('queries and aggregates are exported, and a list without a limit has all rows', async () => {
  const groups = { groupBy: ['status'], aggregates: { orders: { count: '*' } }, sort: 'status' };
  const aggregates = await as('admin', 'POST', '/aggregates/sales_Order', { body: groups, ...CSV });
  expect(lines(aggregates.text)[0]).toBe('"status","orders"');
  const all = await as('admin', 'GET', '/queries/sales_Order/all', NDJSON);
  const count = await as('admin', 'GET', '/queries/sales_Order/all/count');
  expect(lines(all.text)).toHaveLength(count.json());
  const refused = await as('admin', 'GET', '/entities/sales_Order', { headers: { accept: 'application/pdf' } });
  expect([refused.status, refused.json().details]).toEqual([406, expect.stringContaining('text/csv')]);
});

// Asserts contract/exports.md#background, contract/files.md#access.
test('an export continues as a run, and its file has the bytes of the response, for its user alone', async () => {
  const path = `/entities/sales_Order${query({ sort: 'number', limit: 20, fetchPlan: JSON.stringify(PLAN) })}`;
  const search = { filter: { conditions: [] }, sort: 'number', limit: 20, fetchPlan: PLAN };
  for (const [accept, method, target, body] of [
    ['text/csv;headers=captions', 'GET', path, undefined],
    ['application/x-ndjson', 'POST', '/entities/sales_Order/search', search],
  ] as const) {
    const direct = await as('admin', method, target, { headers: { accept }, body });
    const accepted = await as('admin', method, target, { headers: { accept, prefer: 'respond-async' }, body });
    const { id } = accepted.json();
    expect([accepted.status, accepted.headers.get('location')]).toEqual([202, `/rest/service-runs/${id}`]);
    const { result } = await eventually(async () => {
      const run = (await as('admin', 'GET', `/service-runs/${id}`)).json();
      expect(run).toMatchObject({ service: 'exports', method: 'sales_Order', status: 'SUCCEEDED' });
      return run;
    });
    const file = `/files${query({ fileRef: result.fileRef })}`;
    const stored = await as('admin', 'GET', file);
    expect([stored.status, stored.headers.get('content-type')]).toEqual([200, result.contentType]);
    expect(stored.text).toBe(direct.text);
    // By `svc.files.access`: one process has `reference`, five have `references`.
    expect([200, 404]).toContain((await as('manager', 'GET', file)).status);
    expect((await as('manager', 'GET', `/service-runs/${id}`)).status).toBe(404);
  }
  const refused = await as('admin', 'GET', '/entities/sales_Order?sort=unknown', {
    headers: { accept: 'text/csv', prefer: 'respond-async' },
  });
  expect(refused.status).toBe(400);
});

// Asserts contract/imports.md#imports, contract/imports.md#refused, contract/imports.md#rights.
test('a table is rehearsed, imported and changed through the gateway', async () => {
  const [one, two] = [unique('tag'), unique('tag')];
  const send = (target: string, body: string, user = 'admin') =>
    as(user, 'POST', `/imports/${target}`, { body, headers: { 'content-type': 'text/csv' } });
  const file = `name\n${one}\n${two}\n`;
  const rehearsed = await send('sales_ProductTag?key=name&dryRun=true', file);
  expect([rehearsed.status, rehearsed.json().created]).toEqual([200, 2]);
  const imported = await send('sales_ProductTag?key=name', file);
  expect([imported.json().created, imported.json().refused]).toEqual([2, 0]);
  const again = await send('sales_ProductTag?key=name', file);
  expect(again.json().unchanged).toBe(2);
  const refused = await send('sales_ProductTag', `name\n${one}\n`);
  expect([refused.status, refused.json().error, refused.json().errors.length]).toEqual([400, 'Import refused', 1]);
  expect((await send('sales_ProductTag', file, 'viewer')).status).toBe(403);
});

// Asserts contract/imports.md#background, contract/files.md#access.
test('an uploaded file is imported in the background, for callers who get it', async () => {
  const tag = unique('tag');
  const file = await as('admin', 'POST', '/files?name=tags.csv', { body: `name\n${tag}\n` });
  const body = { file: file.json().fileRef, type: 'text/csv' };
  const headers = { 'content-type': 'application/json' };
  const accepted = await as('admin', 'POST', '/imports/sales_ProductTag', { body, headers });
  expect([accepted.status, accepted.json().service]).toEqual([202, 'imports']);
  let run = accepted.json();
  for (const end = Date.now() + 60_000; ['QUEUED', 'RUNNING'].includes(run.status) && Date.now() < end; )
    run = (await as('admin', 'GET', `/service-runs/${run.id}`)).json();
  expect(run).toMatchObject({ status: 'SUCCEEDED', result: { rows: 1, created: 1 } });
  expect((await as('viewer', 'POST', '/imports/sales_ProductTag', { body, headers })).status).toBe(403);
  const none = { ...body, file: 'fs://2026/01/01/none.csv?name=none.csv' };
  expect((await as('admin', 'POST', '/imports/sales_ProductTag', { body: none, headers })).json().details).toBe(
    'file: there is no such file',
  );
});
