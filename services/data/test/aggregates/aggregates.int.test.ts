import { cases, fc } from '@lintel/testkit/properties';
import { type DataFixture, startData } from '../data-fixture.ts';
import { orders } from './orders-application.ts';

const FULL = ['system-full-access'];
const USERS = {
  admin: { resourceRoles: FULL },
  limited: { resourceRoles: FULL, rowLevelRoles: ['shown'] },
  reader: { resourceRoles: ['reader'] },
  nameless: { resourceRoles: ['nameless'] },
  outsider: { resourceRoles: [] },
  predicated: { resourceRoles: FULL, rowLevelRoles: ['by-code'] },
};

let data: DataFixture;
beforeAll(async () => {
  data = await startData(orders, USERS);
});
afterAll(() => data?.close());

interface Line {
  readonly quantity: number | null;
}
interface Order {
  readonly status: 'NEW' | 'SHIPPED' | null;
  readonly day: string | null;
  readonly placedAt: string | null;
  readonly amount: number | null;
  readonly weight: number | null;
  /** Index among the customers. */
  readonly customer: number | null;
  readonly isDeleted: boolean;
  readonly lines: readonly Line[];
}

/** The third one is hidden from `limited`. */
const CUSTOMERS = ['anna', 'bert', 'hidden'];
const idOf = (kind: number, at: number): string => `0000000${kind}-0000-4000-8000-${String(at).padStart(12, '0')}`;
const sqlText = (value: string | number | null): string => (value === null ? 'NULL' : `'${value}'`);

async function store(given: readonly Order[]): Promise<void> {
  await data.query('TRUNCATE g.line, g."order", g.customer CASCADE');
  for (const [at, name] of CUSTOMERS.entries())
    await data.query(`INSERT INTO g.customer (id, version, name) VALUES ('${idOf(1, at)}', 1, '${name}')`);
  for (const [at, order] of given.entries()) {
    const status = order.status === null ? null : order.status === 'NEW' ? 'n' : 's';
    const customer = order.customer === null ? null : idOf(1, order.customer);
    const values = [idOf(2, at), 1, `o${at}`, status, order.day, order.placedAt, order.amount, order.weight, customer];
    await data.query(`INSERT INTO g."order" (id, version, number, status, day, placed_at, amount, weight, customer_id, deleted_date)
      VALUES (${values.map(sqlText).join(', ')}, ${order.isDeleted ? 'now()' : 'NULL'})`);
    for (const [number, { quantity }] of order.lines.entries())
      await data.query(`INSERT INTO g.line (id, version, order_id, quantity)
        VALUES ('${idOf(3, at * 100 + number)}', 1, '${idOf(2, at)}', ${sqlText(quantity)})`);
  }
}

const ask = (user: keyof typeof USERS, body: object, entity = 'g_Order') =>
  data.send(user, 'POST', `/aggregates/${entity}`, body);

type User = 'admin' | 'limited';
type Value = string | number | null;

/** The values of an order that groups are made by. */
const GROUPS: Readonly<Record<string, { readonly sent: unknown; readonly of: (order: Order, user: User) => Value }>> = {
  status: { sent: 'status', of: ({ status }) => status },
  weight: { sent: 'weight', of: ({ weight }) => weight },
  month: { sent: { attribute: 'day', by: 'month', as: 'month' }, of: ({ day }) => day && `${day.slice(0, 7)}-01` },
  quarter: {
    sent: { attribute: 'day', by: 'quarter', as: 'quarter' },
    of: ({ day }) => day && `${day.slice(0, 4)}-${day.slice(5, 7) < '04' ? '01' : '04'}-01`,
  },
  berlin: {
    sent: { attribute: 'placedAt', by: 'day', timeZone: 'Europe/Berlin', as: 'berlin' },
    of: ({ placedAt }) =>
      placedAt && new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date(placedAt)),
  },
  customer: {
    sent: 'customer',
    of: (order, user) => (nameOf(order, user) === null ? null : idOf(1, order.customer ?? 0)),
  },
  'customer.name': { sent: 'customer.name', of: (order, user) => nameOf(order, user) },
};

function nameOf({ customer }: Order, user: User): string | null {
  const name = customer === null ? null : (CUSTOMERS[customer] ?? null);
  return user === 'limited' && name === 'hidden' ? null : name;
}

const present = (values: readonly (number | null)[]): readonly number[] => values.filter((value) => value !== null);
const sum = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((one, other) => one + other * 1_000, 0) / 1_000;
const quantities = (list: readonly Order[], user: User): readonly number[] =>
  present(list.flatMap(({ lines }) => seenLines(lines, user).map(({ quantity }) => quantity)));
/** A quantity that is unknown does not keep the row rule. */
const seenLines = (lines: readonly Line[], user: User): readonly Line[] =>
  user === 'admin' ? lines : lines.filter(({ quantity }) => quantity !== null && quantity < 50);
const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : (sum(values) ?? 0) / values.length;
const least = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.min(...values));
/** The first value that at least the fraction of the values does not exceed. */
const percentile = (values: readonly number[], at: number): number | null =>
  [...values].sort((one, other) => one - other)[Math.max(0, Math.ceil(at * values.length) - 1)] ?? null;

const AGGREGATES: Readonly<
  Record<string, { readonly sent: object; readonly of: (list: readonly Order[], user: User) => number | null }>
> = {
  n: { sent: { count: '*' }, of: (list) => list.length },
  amounts: { sent: { count: 'amount' }, of: (list) => present(list.map(({ amount }) => amount)).length },
  total: { sent: { sum: 'amount' }, of: (list) => sum(present(list.map(({ amount }) => amount))) },
  mean: { sent: { avg: 'weight' }, of: (list) => average(present(list.map(({ weight }) => weight))) },
  least: { sent: { min: 'amount' }, of: (list) => least(present(list.map(({ amount }) => amount))) },
  p90: {
    sent: { percentile: 'weight', at: 0.9 },
    of: (list) => percentile(present(list.map(({ weight }) => weight)), 0.9),
  },
  p0: { sent: { percentile: 'amount', at: 0 }, of: (list) => least(present(list.map(({ amount }) => amount))) },
  customers: {
    sent: { countDistinct: 'customer' },
    of: (list, user) =>
      new Set(list.filter((order) => nameOf(order, user) !== null).map(({ customer }) => customer)).size,
  },
  lines: { sent: { count: 'lines' }, of: (list, user) => list.flatMap(({ lines }) => seenLines(lines, user)).length },
  quantities: { sent: { count: 'lines.quantity' }, of: (list, user) => quantities(list, user).length },
  quantity: { sent: { sum: 'lines.quantity' }, of: (list, user) => sum(quantities(list, user)) },
  perLine: { sent: { avg: 'lines.quantity' }, of: (list, user) => average(quantities(list, user)) },
  smallest: { sent: { min: 'lines.quantity' }, of: (list, user) => least(quantities(list, user)) },
};

const FILTERS: readonly { readonly sent: object | undefined; readonly of: (order: Order, user: User) => boolean }[] = [
  { sent: undefined, of: () => true },
  { sent: { property: 'weight', operator: '>', value: 2 }, of: ({ weight }) => weight !== null && weight > 2 },
  {
    sent: { property: 'customer.name', operator: '=', value: 'hidden' },
    of: (order, user) => nameOf(order, user) === 'hidden',
  },
  {
    sent: { some: 'lines', conditions: [{ property: 'quantity', operator: '>', value: 10 }] },
    of: ({ lines }, user) => seenLines(lines, user).some(({ quantity }) => quantity !== null && quantity > 10),
  },
  { sent: { count: 'lines', operator: '<', value: 2 }, of: ({ lines }, user) => seenLines(lines, user).length < 2 },
];

const order: fc.Arbitrary<Order> = fc.record({
  status: fc.constantFrom('NEW', 'SHIPPED', null),
  day: fc.constantFrom('2026-01-31', '2026-02-01', '2026-04-30', null),
  placedAt: fc.constantFrom('2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', null),
  amount: fc.option(fc.integer({ min: -500, max: 5_000 }).map((cents) => cents / 100)),
  weight: fc.option(fc.integer({ min: 0, max: 5 })),
  customer: fc.option(fc.nat({ max: 2 })),
  isDeleted: fc.boolean().map((is) => is),
  lines: fc.array(fc.record({ quantity: fc.option(fc.integer({ min: 0, max: 99_999 }).map((one) => one / 1_000)) }), {
    maxLength: 3,
  }),
});

const rounded = (value: unknown): unknown => (typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value);
const sorted = (rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.keys(row)
          .sort()
          .map((name) => [name, rounded(row[name])]),
      ),
    )
    .sort();

// Asserts contract/aggregates.md#request, contract/aggregates.md#collections, contract/aggregates.md#rights.
test('PostgreSQL groups and aggregates as a simple evaluation does', async () => {
  const request = fc.record({
    user: fc.constantFrom<User>('admin', 'limited'),
    stored: fc.array(order, { maxLength: 12 }),
    groups: fc.subarray(Object.keys(GROUPS), { maxLength: 3 }),
    values: fc.subarray(Object.keys(AGGREGATES), { minLength: 1 }),
    filter: fc.constantFrom(...FILTERS),
    atLeast: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ user, stored, groups, values, filter, atLeast }) => {
      await store(stored);
      const seen = stored.filter((one) => !one.isDeleted && filter.of(one, user));
      const grouped = Map.groupBy(seen, (one) => JSON.stringify(groups.map((name) => GROUPS[name]?.of(one, user))));
      const lists = groups.length === 0 ? [seen] : [...grouped.values()];
      const expected = lists
        .filter((list) => atLeast === undefined || list.length >= atLeast)
        .map((list) => ({
          ...Object.fromEntries(groups.map((name) => [name, list[0] && GROUPS[name]?.of(list[0], user)])),
          ...Object.fromEntries(values.map((name) => [name, AGGREGATES[name]?.of(list, user)])),
          counted: list.length,
        }));
      const response = await ask(user, {
        groupBy: groups.map((name) => GROUPS[name]?.sent),
        aggregates: {
          ...Object.fromEntries(values.map((name) => [name, AGGREGATES[name]?.sent])),
          counted: { count: '*' },
        },
        ...(filter.sent && { filter: { conditions: [filter.sent] } }),
        ...(atLeast !== undefined && {
          having: { conditions: [{ property: 'counted', operator: '>=', value: atLeast }] },
        }),
      });
      expect([response.status, response.status === 200 ? [] : response.text]).toEqual([200, []]);
      expect(sorted(response.json())).toEqual(sorted(expected));
    }),
    cases(24),
  );
});

/** The groups of all pages, by the cursors of their links. */
async function walk(user: User, body: object): Promise<{ readonly pages: number; readonly rows: readonly unknown[] }> {
  const rows: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const response = await ask(user, { ...body, cursor });
    if (response.status !== 200) throw new Error(response.text);
    rows.push(...(response.json() as readonly unknown[]));
    cursor = /cursor=([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
    if (cursor === undefined) return { pages, rows };
  }
}

// Asserts contract/aggregates.md#paging.
test('pages by cursor have each group once, in the order of the whole list', async () => {
  const request = fc.record({
    user: fc.constantFrom<User>('admin', 'limited'),
    stored: fc.array(order, { minLength: 4, maxLength: 12 }),
    groups: fc.subarray(Object.keys(GROUPS), { minLength: 1, maxLength: 3 }),
    sorts: fc.array(fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...Object.keys({ ...GROUPS, ...AGGREGATES }))), {
      maxLength: 3,
    }),
    limit: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ user, stored, groups, sorts, limit }) => {
      await store(stored);
      const names = sorts.filter(([, name]) => name in AGGREGATES || groups.includes(name));
      const body = {
        groupBy: groups.map((name) => GROUPS[name]?.sent),
        aggregates: Object.fromEntries(Object.entries(AGGREGATES).map(([name, { sent }]) => [name, sent])),
        sort: names.map((parts) => parts.join('')).join(','),
      };
      const whole = (await ask(user, { ...body, offset: 0 })).json() as readonly unknown[];
      const { pages, rows } = await walk(user, { ...body, limit });
      expect(rows).toEqual(whole);
      expect(pages).toBe(Math.floor(whole.length / limit) + 1);
    }),
    cases(16),
  );
});

/** The first days of the months from one to another. */
const monthsBetween = (first: string, last: string): readonly string[] =>
  Array.from({ length: 12 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}-01`).filter(
    (month) => month >= first && month <= last,
  );

// Asserts contract/aggregates.md#groups, contract/aggregates.md#paging.
test('units of time without instances are groups, for all other groups that occur', async () => {
  const request = fc.record({
    user: fc.constantFrom<User>('admin', 'limited'),
    stored: fc.array(order, { maxLength: 8 }),
    others: fc.subarray(['status', 'customer.name']),
    sort: fc.constantFrom('', 'month', '-n,-month', 'total,month'),
    limit: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ user, stored, others, sort, limit }) => {
      await store(stored);
      const seen = stored.filter((one) => !one.isDeleted);
      const keyOf = (one: Order): readonly Value[] => others.map((name) => GROUPS[name]?.of(one, user) ?? null);
      const monthOf = (one: Order): string | null => GROUPS['month']?.of(one, user) as string | null;
      const found = seen.flatMap((one) => monthOf(one) ?? []).sort();
      const all = monthsBetween(found[0] ?? '9', found.at(-1) ?? '0');
      const expected = [...Map.groupBy(seen, (one) => JSON.stringify(keyOf(one))).values()].flatMap((list) => {
        const hasMonths = list.some((one) => monthOf(one) !== null);
        const months = [...(hasMonths ? all : []), ...(list.some((one) => monthOf(one) === null) ? [null] : [])];
        return months.map((month) => {
          const members = list.filter((one) => monthOf(one) === month);
          return {
            ...Object.fromEntries(others.map((name, at) => [name, list[0] && keyOf(list[0])[at]])),
            month,
            ...Object.fromEntries(
              ['total', 'quantities', 'customers'].map((name) => [name, AGGREGATES[name]?.of(members, user)]),
            ),
            n: members.length,
          };
        });
      });
      const body = {
        groupBy: [...others, { attribute: 'day', by: 'month', as: 'month', fill: true }],
        aggregates: {
          ...Object.fromEntries(['total', 'quantities', 'customers'].map((name) => [name, AGGREGATES[name]?.sent])),
          n: { count: '*' },
        },
        sort,
        returnCount: true,
      };
      const response = await ask(user, body);
      expect([response.status, response.status === 200 ? [] : response.text]).toEqual([200, []]);
      expect(sorted(response.json())).toEqual(sorted(expected));
      expect(response.headers.get('x-total-count')).toBe(String(expected.length));
      const whole = (await ask(user, { ...body, offset: 0 })).json() as readonly unknown[];
      expect((await walk(user, { ...body, limit })).rows).toEqual(whole);
    }),
    cases(16),
  );
});

// Asserts contract/aggregates.md#groups.
test.each([
  ['day', ['2026-01-31', '2026-02-01', '2026-02-02'], ['2026-01-31', '2026-02-02']],
  ['week', ['2026-01-26', '2026-02-02', '2026-02-09'], ['2026-02-01', '2026-02-09']],
  ['quarter', ['2026-01-01', '2026-04-01', '2026-07-01'], ['2026-03-31', '2026-07-01']],
  ['year', ['2024-01-01', '2025-01-01', '2026-01-01'], ['2024-02-29', '2026-07-01']],
])('%ss without instances are there', async (by, expected, days) => {
  await store(days.map((day) => ({ ...(SOME[0] as Order), day })));
  const groupBy = [{ attribute: 'day', by, as: 'unit', fill: true }];
  const response = await ask('admin', { groupBy, aggregates: { n: { count: '*' } }, sort: 'unit' });
  expect(response.json()).toEqual(expected.map((unit, at) => ({ unit, n: at === 1 ? 0 : 1 })));
});

const SOME: readonly Order[] = [
  ...([1, 2, 3].map((weight) => ({
    ...{
      status: 'NEW',
      day: '2026-01-31',
      placedAt: null,
      amount: weight + 0.1,
      weight,
      customer: 0,
      isDeleted: false,
    },
    lines: [{ quantity: 1 }, { quantity: 2.5 }],
  })) as Order[]),
  {
    status: 'SHIPPED',
    day: '2026-02-01',
    placedAt: null,
    amount: null,
    weight: 9,
    customer: null,
    isDeleted: false,
    lines: [],
  },
];

// Asserts contract/aggregates.md#small-groups.
test('groups that are smaller than the least of their entity are left out', async () => {
  const teams = ['A', 'A', 'A', 'B', 'B', 'C', 'C', 'C', 'C'];
  for (const [at, team] of teams.entries())
    await data.query(`INSERT INTO g.salary (id, version, team, amount) VALUES ('${idOf(5, at)}', 1, '${team}', ${at})`);
  const salaries = (body: object, entity = 'g_Salary') => ask('admin', { returnCount: true, ...body }, entity);
  const n = { n: { count: '*' } };
  const grouped = await salaries({ groupBy: ['team'], aggregates: n, sort: 'team' });
  expect([grouped.headers.get('x-total-count'), grouped.json()]).toEqual([
    '2',
    [
      { team: 'A', n: 3 },
      { team: 'C', n: 4 },
    ],
  ]);
  const having = { conditions: [{ property: 'n', operator: '<', value: 4 }] };
  expect((await salaries({ groupBy: ['team'], aggregates: n, having })).json()).toEqual([{ team: 'A', n: 3 }]);
  const few = { conditions: [{ property: 'team', operator: '=', value: 'B' }] };
  expect((await salaries({ aggregates: n, filter: few })).json()).toEqual([]);
  const counted = { groupBy: ['above', 'note'], aggregates: { salaries: { countDistinct: 'id' } } };
  expect((await salaries(counted)).json()).toEqual([{ above: null, note: null, salaries: 9 }]);
  await data.query(`INSERT INTO g.salary (id, version, team, amount)
    SELECT gen_random_uuid(), 1, 'D', number FROM generate_series(1, 100) number`);
  const whole = { conditions: [{ property: 'team', operator: '=', value: 'D' }] };
  const percentiles = Object.fromEntries(
    [0, 0.07, 0.14, 0.5, 0.57, 1].map((at) => [`p${at}`, { percentile: 'amount', at }]),
  );
  expect((await salaries({ aggregates: percentiles, filter: whole })).json()).toEqual([
    { p0: 1, 'p0.07': 7, 'p0.14': 14, 'p0.5': 50, 'p0.57': 57, p1: 100 },
  ]);
  const details = async (body: object, entity?: string) => {
    const response = await salaries(body, entity);
    return [response.status, response.status === 200 ? '' : response.json().details];
  };
  expect(await details({ groupBy: [{ attribute: 'day', by: 'day', fill: true }] })).toEqual([
    400,
    "'fill' is not available for g_Salary, whose small groups are left out",
  ]);
  const of = (path: string) => `${path} has values of g_Salary, whose small groups are left out: ask g_Salary`;
  expect(await details({ aggregates: { n: { avg: 'above.amount' } } })).toEqual([400, of('above.amount')]);
  expect(await details({ groupBy: [{ attribute: 'above', captionAs: 'name' }] })).toEqual([400, of('above')]);
  const sum = { aggregates: { n: { sum: 'salaries.amount' } } };
  expect(await details(sum, 'g_Note')).toEqual([400, of('salaries.amount')]);
  expect(await details({ aggregates: { n: { count: 'salaries' } } }, 'g_Note')).toEqual([200, '']);
});

describe('a request', () => {
  beforeAll(() => store(SOME));

  // Asserts contract/aggregates.md#request.
  test('is sorted, paged and counted', async () => {
    const body = { groupBy: ['weight'], aggregates: { total: { sum: 'amount' } }, sort: '-total', returnCount: true };
    const first = await ask('admin', { ...body, limit: 2, offset: 1 });
    expect(first.json()).toEqual([
      { weight: 3, total: 3.1 },
      { weight: 2, total: 2.1 },
    ]);
    expect(first.headers.get('x-total-count')).toBe('4');
  });

  // Asserts contract/aggregates.md#paging.
  test('goes on after a group that was deleted, with the cursor of the same request alone', async () => {
    const body = { groupBy: ['weight'], aggregates: { n: { count: '*' } }, sort: '-weight', limit: 2 };
    const first = await ask('admin', body);
    expect(first.json()).toEqual([
      { weight: 9, n: 1 },
      { weight: 3, n: 1 },
    ]);
    const cursor = /cursor=([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1];
    await data.query('UPDATE g."order" SET weight = 9 WHERE weight = 3');
    expect((await ask('admin', { ...body, limit: 5, cursor, returnCount: true })).json()).toEqual([
      { weight: 2, n: 1 },
      { weight: 1, n: 1 },
    ]);
    for (const other of [{ groupBy: ['status'] }, { sort: 'weight' }, { aggregates: { n: { count: 'amount' } } }]) {
      const refused = await ask('admin', { ...body, ...other, cursor });
      expect([refused.status, refused.json().error]).toEqual([400, 'Invalid cursor']);
    }
    expect((await ask('limited', { ...body, cursor })).status).toBe(400);
    const both = await ask('admin', { ...body, cursor, offset: 1 });
    expect([both.status, both.json().details]).toEqual([400, "Parameters 'cursor' and 'offset' exclude each other"]);
    await store(SOME);
  });

  // Asserts contract/aggregates.md#groups.
  test('shows captions of enums and names of references, in exports, too', async () => {
    const groupBy = [
      { attribute: 'status', captionAs: 'statusText' },
      { attribute: 'customer', captionAs: 'name' },
    ];
    const body = { groupBy, aggregates: { n: { count: '*' } }, sort: '-n' };
    expect((await ask('admin', body)).json()).toEqual([
      { status: 'NEW', customer: idOf(1, 0), statusText: 'New', name: 'anna', n: 3 },
      { status: 'SHIPPED', customer: null, statusText: 'Shipped', name: null, n: 1 },
    ]);
    const csv = await data.send('admin', 'POST', '/aggregates/g_Order', body, { accept: 'text/csv' });
    expect(csv.text.replace('\ufeff', '').trim().split(/\r?\n/)).toEqual([
      '"status","customer","statusText","name","n"',
      `"NEW",${idOf(1, 0)},"New","anna",3`,
      '"SHIPPED",,"Shipped",,1',
    ]);
    const reader = await ask('reader', { ...body, groupBy: [groupBy[1]] });
    expect(reader.json()).toMatchObject([{ name: 'anna' }, { name: null }]);
    const nameless = await ask('nameless', { ...body, groupBy: [groupBy[1]] });
    expect(nameless.json()).toMatchObject([{ customer: idOf(1, 0), name: '' }, { name: null }]);
  });

  // Asserts contract/aggregates.md#request.
  test('is the same in the URL', async () => {
    const members = { groupBy: ['status'], aggregates: { n: { count: '*' } }, filter: { conditions: [] } };
    const parameters = Object.entries(members).map(
      ([name, value]) => [name, JSON.stringify(value)] as [string, string],
    );
    const url = `/aggregates/g_Order?${new URLSearchParams([...parameters, ['sort', '-n']])}`;
    expect((await data.send('admin', 'GET', url)).json()).toEqual([
      { status: 'NEW', n: 3 },
      { status: 'SHIPPED', n: 1 },
    ]);
  });

  // Asserts contract/aggregates.md#request.
  test('without groups has one row, of no instances, too', async () => {
    const filter = { conditions: [{ property: 'number', operator: '=', value: 'none' }] };
    const aggregates = {
      n: { count: '*' },
      total: { sum: 'amount' },
      lines: { count: 'lines' },
      tags: { count: 'tags' },
    };
    const response = await ask('admin', { aggregates, filter });
    expect(response.json()).toEqual([{ n: 0, total: null, lines: 0, tags: 0 }]);
  });

  // Asserts contract/aggregates.md#request.
  test('names its cost', async () => {
    const body = { aggregates: { n: { count: '*' } } };
    const response = await data.send('admin', 'POST', '/aggregates/g_Order', body, { prefer: 'server-timing' });
    expect(response.headers.get('server-timing')).toMatch(/^db;dur=[\d.]+, q;desc="1 statement"$/);
  });

  // Asserts contract/aggregates.md#checks.
  test('names the members that have no meaning, and does not use them', async () => {
    const response = await ask('admin', {
      aggregates: { n: { count: '*' } },
      having: { conditions: [{ property: 'n', operator: '>', value: 0, note: 'x' }], strict: true },
      ...{ deleted: 'wrong', dynamicAttributes: 'maybe' },
    });
    expect([response.status, response.text]).toEqual([200, '[{"n":4}]']);
    const named = ['deleted', 'dynamicAttributes', 'having.strict', 'having.conditions.note'];
    expect(response.headers.get('x-ignored')?.split(', ').sort()).toEqual(named.map((name) => `body.${name}`).sort());
  });

  // Asserts contract/aggregates.md#request, contract/filters.md#checks.
  test('leaves conditions without a value out where the installation says so', async () => {
    const lenient = await startData(orders, USERS, { 'svc.core.skip-null-or-empty-conditions-by-default': 'true' });
    try {
      const empty = (property: string) => ({ conditions: [{ property, operator: '=', value: '' }] });
      const body = { aggregates: { n: { count: '*' } }, filter: empty('number'), having: empty('n') };
      const response = await lenient.send('admin', 'POST', '/aggregates/g_Order', body);
      expect([response.status, response.json()]).toEqual([200, [{ n: 0 }]]);
    } finally {
      await lenient.close();
    }
  });

  // Asserts contract/aggregates.md#checks.
  test.each<[string, object, number, string]>([
    ['with a filter that is a text', { filter: '{}' }, 400, "'filter' of a body must not be a text"],
    ['of nothing', {}, 400, "'groupBy' or 'aggregates' must ask for a value"],
    ['of an unknown attribute', { groupBy: ['colour'] }, 400, 'Property for g_Order not found: colour'],
    ['of groups that are no list', { groupBy: {} }, 400, "'groupBy' must be a JSON array"],
    [
      'that fills hours',
      { groupBy: [{ attribute: 'placedAt', by: 'hour', fill: true }] },
      400,
      "'fill' of placedAt must be true or false, together with 'by' day, week, month, quarter, year",
    ],
    [
      'that fills two groups',
      {
        groupBy: ['a', 'b'].map((as) => ({ attribute: 'day', by: 'day', fill: true, as })),
        aggregates: { n: { count: '*' } },
      },
      400,
      "Only one element of 'groupBy' may have 'fill'",
    ],
    [
      'that fills groups under a condition',
      {
        groupBy: [{ attribute: 'day', by: 'day', fill: true }],
        having: { conditions: [{ property: 'day', operator: 'notEmpty', value: true }] },
      },
      400,
      "'fill' and 'having' exclude each other",
    ],
    ['of a group that is a number', { groupBy: [1] }, 400, "An element of 'groupBy' is a path or an object"],
    [
      'of members of collections',
      { groupBy: ['lines.quantity'] },
      400,
      'lines.quantity leads through a collection: only count, sum, avg, min and max may, through one',
    ],
    [
      'of a reference with a composite key',
      { groupBy: ['rate'] },
      400,
      'rate has no single key: name one of its attributes',
    ],
    [
      'of a text by month',
      { groupBy: [{ attribute: 'number', by: 'month' }] },
      400,
      'number (string) cannot be grouped by month',
    ],
    [
      'of a date by hour',
      { groupBy: [{ attribute: 'day', by: 'hour' }] },
      400,
      'day (localDate) cannot be grouped by hour',
    ],
    [
      'by an unknown unit',
      { groupBy: [{ attribute: 'day', by: 'era' }] },
      400,
      "'by' of day must be one of minute, hour, day, week, month, quarter, year",
    ],
    [
      'in an unknown zone',
      { groupBy: [{ attribute: 'day', by: 'day', timeZone: 'Mars' }] },
      400,
      "'timeZone' of day must be the name of a time zone, together with 'by'",
    ],
    [
      'with an unknown member of a group',
      { groupBy: [{ attribute: 'day', of: 1 }] },
      400,
      "An element of 'groupBy' has no member of: expected attribute, by, timeZone, as, captionAs, fill",
    ],
    [
      'with the caption of a number',
      { groupBy: [{ attribute: 'weight', captionAs: 'text' }] },
      400,
      "'captionAs' of weight needs a reference or an enum",
    ],
    [
      'with a caption that has the name of a group',
      { groupBy: [{ attribute: 'status', captionAs: 'status' }] },
      400,
      'status names two values',
    ],
    [
      'sorted by a caption',
      { groupBy: [{ attribute: 'status', captionAs: 'text' }], sort: 'text' },
      400,
      'Cannot sort by text: no value has the name',
    ],
    [
      'with two values of a name',
      { groupBy: ['status'], aggregates: { status: { count: '*' } } },
      400,
      'status names two values',
    ],
    [
      'with a name that is none',
      { aggregates: { 'a b': { count: '*' } } },
      400,
      'a b is no name of a value: expected up to 63 letters, digits, _, . or +',
    ],
    [
      'with an unknown function',
      { aggregates: { n: { median: 'amount' } } },
      400,
      'The aggregate n must be an object with one of count, countDistinct, sum, avg, min, max, percentile',
    ],
    ['with a sum of texts', { aggregates: { n: { sum: 'number' } } }, 400, 'n: sum is not available for string'],
    ['with a sum of all', { aggregates: { n: { sum: '*' } } }, 400, 'sum needs the path of an attribute'],
    [
      'with a fraction above 1',
      { aggregates: { n: { percentile: 'amount', at: 1.5 } } },
      400,
      "The aggregate n needs 'at', from 0 to 1",
    ],
    [
      'with the sum of a collection',
      { aggregates: { n: { sum: 'lines' } } },
      400,
      'n: sum needs an attribute of the members of lines',
    ],
    [
      'with a sort of an attribute',
      { groupBy: ['status'], sort: 'amount' },
      400,
      'Cannot sort by amount: no value has the name',
    ],
    [
      'with a condition of another name',
      { groupBy: ['status'], having: { conditions: [{ property: 'n', operator: '>', value: 1 }] } },
      400,
      "No value has the name n of 'having'",
    ],
    [
      'with a condition of a text',
      { groupBy: ['status'], having: { conditions: [{ property: 'status', operator: 'contains', value: 'x' }] } },
      400,
      "'having' takes =, <>, >, >=, <, <=, isNull and notEmpty, and groups of them",
    ],
    [
      'with a condition of a wrong value',
      { aggregates: { n: { count: '*' } }, having: { conditions: [{ property: 'n', operator: '>', value: 'x' }] } },
      400,
      'Cannot parse property value: x',
    ],
    [
      'of 51 values',
      { aggregates: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`n${at}`, { count: '*' }])) },
      400,
      "'groupBy' and 'aggregates' have at most 50 members together",
    ],
    [
      'of 11 collections',
      { aggregates: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`n${at}`, { count: 'lines' }])) },
      400,
      'Steps through collections: 11, the limit is 10 (to-many-steps)',
    ],
  ])('%s is refused', async (_title, body, status, details) => {
    const response = await ask('admin', body);
    expect([response.status, response.json().details]).toEqual([status, details]);
  });

  // Asserts contract/aggregates.md#rights.
  test('refuses what the caller may not see', async () => {
    const hidden = [
      { groupBy: ['amount'] },
      { groupBy: ['customer.credit'] },
      { aggregates: { n: { sum: 'amount' } } },
      { aggregates: { n: { percentile: 'amount', at: 0.5 } } },
      { aggregates: { n: { max: 'lines.quantity' } } },
      { aggregates: { n: { count: '*' } }, filter: { conditions: [{ property: 'amount', operator: 'notEmpty' }] } },
    ];
    for (const body of hidden) expect([body, (await ask('reader', body)).status]).toEqual([body, 403]);
    expect(
      (await ask('reader', { groupBy: ['status'], aggregates: { n: { count: 'lines' } }, sort: 'n' })).json(),
    ).toEqual([
      { status: 'SHIPPED', n: 0 },
      { status: 'NEW', n: 6 },
    ]);
    expect((await ask('outsider', { aggregates: { n: { count: '*' } } })).status).toBe(403);
    expect((await ask('predicated', { aggregates: { n: { count: '*' } } })).status).toBe(200);
    expect((await ask('predicated', { aggregates: { n: { sum: 'lines.quantity' } } })).status).toBe(403);
    expect((await ask('predicated', { aggregates: { n: { count: '*' } } }, 'g_Line')).status).toBe(403);
    expect((await ask('admin', { aggregates: { n: { count: '*' } } }, 'g_None')).status).toBe(404);
  });
});
