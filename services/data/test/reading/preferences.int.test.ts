import sales from '@lintel/example-sales';
import { type DataFixture, startData } from '../data-fixture.ts';

const USERS = {
  admin: { resourceRoles: ['system-full-access'] },
  clerk: {
    resourceRoles: ['rest-minimal', 'sales-clerk'],
    rowLevelRoles: ['own-region'],
    attributes: { country: 'DE' },
  },
  auditor: { resourceRoles: ['rest-minimal', 'sales-manager'], rowLevelRoles: ['no-discounted-lines'] },
};
const CUSTOMERS = 4_000;

let data: DataFixture;

beforeAll(async () => {
  data = await startData(sales, USERS);
  await data.query(`INSERT INTO sales.customer (id, version, name, address_country)
    SELECT ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, 1, 'c' || i, CASE WHEN i % 4 = 0 THEN 'DE' ELSE 'FR' END
    FROM generate_series(1, ${CUSTOMERS}) i`);
  await data.query(
    `INSERT INTO sales.product (id, version, name, sku, price) VALUES (gen_random_uuid(), 1, 'Chair', 'C-1', 1)`,
  );
  await data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id)
    SELECT gen_random_uuid(), 1, 'A-1', '2026-01-01', 10, id FROM sales.customer LIMIT 1`);
  await data.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity, position)
    SELECT gen_random_uuid(), 1, o.id, p.id, 1, i FROM sales."order" o, sales.product p, generate_series(1, 9) i`);
  await data.query(`INSERT INTO sales.line_discount (id, version, line_id, reason, percent)
    SELECT gen_random_uuid(), 1, id, 'sale', 60 FROM sales.order_line WHERE position > 7`);
  await data.query('ANALYZE');
});
afterAll(async () => {
  await data?.close();
});

const list = async (user: string, path: string, prefer: string | undefined) => {
  const { headers, status } = await data.send(
    user,
    'GET',
    `/entities/${path}`,
    undefined,
    prefer === undefined ? {} : { prefer },
  );
  expect(status).toBe(200);
  return {
    total: headers.get('x-total-count'),
    applied: headers.get('preference-applied'),
    timing: headers.get('server-timing'),
  };
};

describe('Prefer: count', () => {
  test.each([
    ['count=exact', '', '4000', 'count=exact'],
    ['count=none', '', null, 'count=none'],
    [undefined, '', null, null],
    ['count=many', '', null, null],
    ['count=none', '&returnCount=true', '4000', null],
    ['count=estimated', '&returnCount=true', '4000', null],
    ['count=exact', '&returnCount=true', '4000', 'count=exact'],
    [undefined, '&returnCount=true', '4000', null],
  ])('%s with "%s" has the count %s and the header %s', async (prefer, more, total, applied) => {
    expect(await list('admin', `sales_Customer?limit=2${more}`, prefer)).toMatchObject({ total, applied });
  });

  test('an estimate is close to the exact count', async () => {
    const all = await list('admin', 'sales_Customer?limit=2', 'count=estimated');
    expect(all.applied).toBe('count=estimated');
    expect(Math.abs(Number(all.total) - CUSTOMERS)).toBeLessThan(CUSTOMERS / 10);
  });

  test('an estimate is exact if row conditions select the rows: the statistics include hidden rows', async () => {
    const filtered = (property: string, value: string) =>
      `filter=${encodeURIComponent(JSON.stringify({ conditions: [{ property, operator: '=', value }] }))}`;
    const ask = (path: string) => list('clerk', path, 'count=estimated');
    expect(await ask('sales_Customer?limit=2')).toMatchObject({ total: '1000', applied: 'count=exact' });
    // The most common value of the column; all its rows are hidden. The page alone does not determine the count.
    const hidden = filtered('address.country', 'FR');
    for (const page of ['limit=2&offset=1', 'limit=2000'])
      expect(await ask(`sales_Customer/search?${page}&${hidden}`)).toMatchObject({
        total: '0',
        applied: 'count=exact',
      });
    const path = filtered('customer.address.country', 'FR');
    expect(await ask(`sales_Order/search?limit=2&offset=1&${path}`)).toMatchObject({
      total: '0',
      applied: 'count=exact',
    });
  });

  // Asserts contract/reading.md#preferences.
  test('an entity without row conditions is estimated, even if other entities have row conditions', async () => {
    expect(await list('clerk', 'sales_Product?limit=2', 'count=estimated')).toMatchObject({
      applied: 'count=estimated',
    });
  });

  test('an estimate never contradicts the page', async () => {
    const filter = encodeURIComponent('{"conditions":[{"property":"name","operator":"endsWith","value":"77"}]}');
    expect(await list('admin', `sales_Customer/search?limit=100&filter=${filter}`, 'count=estimated')).toMatchObject({
      total: '40',
      applied: 'count=estimated',
    });
    const within = await list('admin', `sales_Customer/search?limit=30&filter=${filter}`, 'count=estimated');
    expect(Number(within.total)).toBeGreaterThanOrEqual(30);
    const streamed = await list('admin', 'sales_Customer?limit=2000', 'count=estimated');
    expect(Math.abs(Number(streamed.total) - CUSTOMERS)).toBeLessThan(CUSTOMERS / 10);
  });

  test('an estimate is exact if predicates select the rows, since the planner includes hidden rows', async () => {
    expect(await list('auditor', 'sales_OrderLine?limit=2', 'count=estimated')).toMatchObject({
      total: '7',
      applied: 'count=exact',
    });
  });

  test('searches by body apply it, single instances and counts do not', async () => {
    const body = { filter: { conditions: [{ property: 'address.country', operator: '=', value: 'DE' }] }, limit: 1 };
    const search = await data.send('admin', 'POST', '/entities/sales_Customer/search', body, { prefer: 'count=exact' });
    expect(search.headers.get('x-total-count')).toBe('1000');
    const count = await data.send('admin', 'POST', '/entities/sales_Customer/search/count', body, {
      prefer: 'count=estimated',
    });
    expect([count.text, count.headers.get('preference-applied')]).toEqual(['1000', null]);
    const one = await list('admin', 'sales_Customer/00000000-0000-4000-8000-000000000001', 'count=exact');
    expect(one).toMatchObject({ total: null, applied: null });
  });
});

describe('Prefer: server-timing', () => {
  test.each([
    ['sales_Customer/00000000-0000-4000-8000-000000000001', '1 statement'],
    ['sales_Customer?limit=10', '1 statement'],
    ['sales_Customer?limit=10&returnCount=true', '2 statements'],
    ['sales_Customer', '1 statement'],
    ['sales_Customer?limit=2000', '2 statements'],
    [
      'sales_Order?fetchPlan={"entity":"sales_Order","properties":["customer.category","lines.product","lines.discounts"]}',
      '1 statement',
    ],
  ])('%s returns its time and %s', async (path, statements) => {
    const { timing, applied } = await list('admin', path, 'server-timing');
    expect(timing).toMatch(new RegExp(`^db;dur=\\d+\\.\\d, q;desc="${statements}"$`));
    expect(applied).toBe('server-timing');
  });

  test('is returned together with another preference', async () => {
    const { applied, timing } = await list('admin', 'sales_Customer?limit=2', 'count=estimated, server-timing');
    expect(applied).toBe('count=estimated, server-timing');
    expect(timing).toContain('2 statements');
  });

  test('is not returned without the preference', async () => {
    expect((await list('admin', 'sales_Customer?limit=10', undefined)).timing).toBeNull();
  });
});
