import sales from '@lintel/example-sales';
import { type DataFixture, startData, type TestResponse } from '../../data-fixture.ts';

const ID = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ORDERS = 23;
const TAGS = 3_100;

let data: DataFixture;

beforeAll(async () => {
  data = await startData(sales, {
    admin: { resourceRoles: ['system-full-access'] },
    other: { resourceRoles: ['system-full-access'] },
    clerk: {
      resourceRoles: ['rest-minimal', 'sales-clerk'],
      rowLevelRoles: ['own-region'],
      attributes: { country: 'DE' },
    },
    auditor: { resourceRoles: ['rest-minimal', 'sales-manager'], rowLevelRoles: ['no-discounted-lines'] },
  });
  await data.query(`INSERT INTO sales.customer (id, version, name, address_country, credit_limit) VALUES
    ('${ID(1)}', 1, 'Anna', 'DE', 1), ('${ID(2)}', 1, 'Bob', 'FR', 2), ('${ID(3)}', 1, 'anna', NULL, NULL)`);
  await data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, amount, discount, placed_at)
    SELECT ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid, 1, 'A-' || i, DATE '2026-01-01' + i % 5,
      10 * (1 + i % 4), ('00000000-0000-4000-8000-' || lpad((1 + i % 3)::text, 12, '0'))::uuid,
      CASE WHEN i % 4 > 0 THEN i % 3 + 0.10 END, CASE WHEN i % 2 = 0 THEN 0.0100 END,
      CASE WHEN i % 3 > 0 THEN TIMESTAMPTZ '2026-01-01 10:00:00.123+02' + (i % 4) * INTERVAL '1 hour' END
    FROM generate_series(1, ${ORDERS}) i`);
  await data.query(`INSERT INTO sales.product_tag (id, version, name)
    SELECT gen_random_uuid(), 1, 'tag ' || lpad(i::text, 5, '0') FROM generate_series(1, ${TAGS}) i`);
  await data.query(
    `INSERT INTO sales.product (id, version, name, sku, price) VALUES ('${ID(9)}', 1, 'Chair', 'C-1', 1)`,
  );
  await data.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity, position)
    SELECT ('00000000-0000-4000-a000-' || lpad(i::text, 12, '0'))::uuid, 1, '00000000-0000-4000-9000-000000000001',
      '${ID(9)}', 1, i / 2 FROM generate_series(1, 12) i`);
  await data.query(`INSERT INTO sales.line_discount (id, version, line_id, reason, percent)
    SELECT gen_random_uuid(), 1, id, 'sale', 60 FROM sales.order_line WHERE position % 3 = 0`);
  await data.query(`INSERT INTO sales.exchange_rate (id_currency, id_valid_on, rate)
    SELECT c, DATE '2026-01-01' + i, i + 1 FROM unnest(ARRAY['EUR', 'USD', 'CHF']) c, generate_series(0, 3) i`);
});
afterAll(() => data?.close());

/** The target of the `Link` header, below the base path. */
function nextOf({ headers }: TestResponse): string | undefined {
  const link = headers.get('link');
  if (link === null) return undefined;
  const target = /^<\/rest(\/[^>]*)>; rel="next"$/.exec(link)?.[1];
  if (target === undefined) throw new Error(`Not a link to the next page: ${link}`);
  return target;
}

const cursorOf = (response: TestResponse): string =>
  new URLSearchParams(nextOf(response)?.split('?')[1]).get('cursor') ?? '';

type Row = { readonly id: unknown };

async function walk(path: string, user = 'admin'): Promise<{ readonly ids: unknown[]; readonly pages: number }> {
  const ids: unknown[] = [];
  let pages = 0;
  for (let next: string | undefined = path; next !== undefined; pages += 1) {
    const response: TestResponse = await data.send(user, 'GET', next);
    if (response.status !== 200) throw new Error(response.text);
    ids.push(...response.json().map((row: Row) => row.id));
    next = nextOf(response);
  }
  return { ids, pages };
}

const idsOf = async (path: string, user = 'admin'): Promise<unknown[]> =>
  (await data.send(user, 'GET', path)).json().map((row: Row) => row.id);

describe('the pages of a list', () => {
  const sorts = [
    '',
    'id',
    '-id',
    'date',
    '-date,status',
    'amount',
    '-amount',
    'amount,-discount',
    '-placedAt,amount,number',
    'customer.name',
    '-customer.address.country,date',
    'customer',
    '-customer,-amount',
    'manager.username,-amount',
    'customer.category.name',
  ];
  test.each(sorts)('contain the whole list in order when it is sorted by "%s"', async (sort) => {
    const whole = await idsOf(`/entities/sales_Order?sort=${sort}&limit=1000`);
    expect(whole).toHaveLength(ORDERS);
    for (const limit of [1, 4, 23]) {
      const { ids, pages } = await walk(`/entities/sales_Order?sort=${sort}&limit=${limit}&fetchPlan=_local`);
      expect(ids).toEqual(whole);
      expect(pages).toBe(Math.floor(ORDERS / limit) + 1);
    }
  });

  test('begin at an offset and continue without one', async () => {
    const whole = await idsOf('/entities/sales_Order?sort=-amount&limit=1000');
    expect((await walk('/entities/sales_Order?sort=-amount&limit=5&offset=7')).ids).toEqual(whole.slice(7));
  });

  test('follow the order of a composite key', async () => {
    const whole = await idsOf('/entities/sales_ExchangeRate?sort=-id&limit=1000');
    expect(whole).toHaveLength(12);
    expect((await walk('/entities/sales_ExchangeRate?sort=-id&limit=5')).ids).toEqual(whole);
    expect((await walk('/entities/sales_ExchangeRate?sort=rate&limit=5')).ids).toHaveLength(12);
  });

  // Asserts contract/row-policies.md#reading.
  test('contain only rows that the caller may see', async () => {
    const { ids } = await walk('/entities/sales_Order?sort=customer,-amount&limit=2', 'clerk');
    expect(ids).toEqual(await idsOf('/entities/sales_Order?sort=customer,-amount&limit=1000', 'clerk'));
    expect(ids).toHaveLength(7);
  });

  // Asserts contract/row-policies.md#reading.
  test('have the count of the whole list, also if predicates select the rows', async () => {
    const first = await data.send(
      'auditor',
      'GET',
      '/entities/sales_OrderLine?sort=-position&limit=3&returnCount=true',
    );
    const second = await data.send('auditor', 'GET', nextOf(first) ?? '');
    expect([first.headers.get('x-total-count'), second.headers.get('x-total-count')]).toEqual(['8', '8']);
    const { ids } = await walk('/entities/sales_OrderLine?sort=-position&limit=3', 'auditor');
    expect(ids).toEqual(await idsOf('/entities/sales_OrderLine?sort=-position&limit=1000', 'auditor'));
    expect(ids).toHaveLength(8);
  });

  test('are streamed if they are large', async () => {
    const { ids, pages } = await walk('/entities/sales_ProductTag?sort=-name&limit=1500');
    expect(pages).toBe(3);
    expect(ids).toEqual(await idsOf('/entities/sales_ProductTag?sort=-name'));
    expect(new Set(ids).size).toBe(TAGS);
    const last = await data.send('admin', 'GET', '/entities/sales_ProductTag?limit=2000&offset=3000');
    expect(last.json()).toHaveLength(100);
    expect(nextOf(last)).toBeUndefined();
  });
});

describe('a link to the next page', () => {
  test('is sent for full pages of lists and searches with a limit in the request, and for nothing else', async () => {
    const filter = encodeURIComponent('{"conditions":[]}');
    const linked = async (path: string): Promise<boolean> =>
      (await data.send('admin', 'GET', `/entities/sales_Order${path}`)).headers.has('link');
    expect(await linked('?limit=23')).toBe(true);
    expect(await linked(`/search?limit=5&filter=${filter}`)).toBe(true);
    for (const path of ['', '?offset=1', '?limit=24', '?limit=0', `/search?filter=${filter}`, `/${ID(1)}?limit=1`])
      expect([path, await linked(path)]).toEqual([path, false]);
  });

  test('keeps the other parameters; the fetch plan may be changed', async () => {
    const first = await data.send(
      'admin',
      'GET',
      '/entities/sales_Order?limit=2&sort=-date&fetchPlan=_local&returnNulls=true',
    );
    expect(nextOf(first)).toMatch(
      /^\/entities\/sales_Order\?limit=2&sort=-date&fetchPlan=_local&returnNulls=true&cursor=[\w-]+$/,
    );
    const cursor = cursorOf(first);
    const other = await data.send(
      'admin',
      'GET',
      `/entities/sales_Order?limit=5&sort=-date&fetchPlan=_instance_name&cursor=${cursor}`,
    );
    expect(other.json()).toHaveLength(5);
    const rest = await data.send('admin', 'GET', `/entities/sales_Order?sort=-date&cursor=${cursor}`);
    expect(rest.json()).toHaveLength(ORDERS - 2);
    expect(nextOf(rest)).toBeUndefined();
  });

  test('continues a search by body: the same body is sent to it, or the cursor is added to the body', async () => {
    const body = {
      filter: { conditions: [{ property: 'amount', operator: '>', value: 0 }] },
      sort: '-amount,customer.name',
      limit: 4,
    };
    const search = (path: string, members: object) => data.send('admin', 'POST', path, members);
    const whole = (await search('/entities/sales_Order/search', { ...body, limit: 1000 }))
      .json()
      .map((row: Row) => row.id);
    const ids: unknown[] = [];
    let next: string | undefined = '/entities/sales_Order/search';
    while (next !== undefined) {
      const response: TestResponse = await search(next, body);
      ids.push(...response.json().map((row: Row) => row.id));
      next = nextOf(response);
    }
    expect(ids).toEqual(whole);
    const first = await search('/entities/sales_Order/search', body);
    const second = await search('/entities/sales_Order/search', { ...body, cursor: cursorOf(first) });
    expect(second.json().map((row: Row) => row.id)).toEqual(whole.slice(4, 8));
    const both = await search(nextOf(first) ?? '', { ...body, cursor: cursorOf(first) });
    expect([both.status, both.json().details]).toEqual([
      400,
      "Parameter 'cursor' must be given once, in the URL or the body",
    ]);
  });
});

describe('a cursor is refused', () => {
  const refused = { error: 'Invalid cursor', details: 'The cursor is none of this caller, entity, filter and sort' };
  let cursor: string;
  beforeAll(async () => {
    cursor = cursorOf(await data.send('admin', 'GET', '/entities/sales_Order?limit=2&sort=-date'));
  });

  test.each([
    ['another sort', '/entities/sales_Order?limit=2&sort=date'],
    ['no sort', '/entities/sales_Order?limit=2'],
    [
      'a filter',
      `/entities/sales_Order/search?limit=2&sort=-date&filter={"conditions":[{"property":"amount","operator":"isNull"}]}`,
    ],
  ])('with %s', async (_title, path) => {
    const response = await data.send('admin', 'GET', `${path}&cursor=${cursor}`);
    expect([response.status, response.json()]).toEqual([400, refused]);
  });

  test('with another value in the filter', async () => {
    const search = (value: number, more: string) =>
      data.send(
        'admin',
        'GET',
        `/entities/sales_Order/search?limit=2&filter={"conditions":[{"property":"amount","operator":">","value":${value}}]}${more}`,
      );
    const of = cursorOf(await search(0, ''));
    expect((await search(0, `&cursor=${of}`)).status).toBe(200);
    expect((await search(1, `&cursor=${of}`)).json()).toEqual(refused);
  });

  test('with another entity', async () => {
    const of = cursorOf(await data.send('admin', 'GET', '/entities/sales_Order?limit=2'));
    expect((await data.send('admin', 'GET', `/entities/sales_Order?limit=2&cursor=${of}`)).status).toBe(200);
    expect((await data.send('admin', 'GET', `/entities/sales_Customer?limit=2&cursor=${of}`)).json()).toEqual(refused);
  });

  test('from another caller', async () => {
    const response = await data.send('other', 'GET', `/entities/sales_Order?limit=2&sort=-date&cursor=${cursor}`);
    expect([response.status, response.json()]).toEqual([400, refused]);
  });

  test('after it was changed', async () => {
    const response = await data.send(
      'admin',
      'GET',
      `/entities/sales_Order?limit=2&sort=-date&cursor=${cursor.slice(1)}`,
    );
    expect([response.status, response.json()]).toEqual([400, refused]);
  });

  test('together with an offset', async () => {
    const response = await data.send(
      'admin',
      'GET',
      `/entities/sales_Order?limit=2&sort=-date&offset=0&cursor=${cursor}`,
    );
    expect([response.status, response.json()]).toEqual([
      400,
      { error: 'Invalid parameter value', details: "Parameters 'cursor' and 'offset' exclude each other" },
    ]);
  });
});
