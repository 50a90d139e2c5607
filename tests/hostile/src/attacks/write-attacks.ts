import { randomUUID } from 'node:crypto';
import { type Attack, type Attacker, atOnce } from './attack.ts';
import { customerId, MEBIBYTE, orderId, PATHS, productId, query } from './request-shapes.ts';

const ITEMS = 'svc.rest.limits.batch-items';
const NODES = 'svc.rest.limits.graph-nodes';
const BATCH = /svc\.rest\.(limits\.batch-items|max-body-size)/;
const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const MERGE_PATCH = { headers: { 'content-type': 'application/merge-patch+json' } };
/** Begin of the names of all that these attacks create. */
const PREFIX = 'hostile batch';

const create =
  (path: string, body: unknown): Attack['run'] =>
  async ({ send }) => [await send({ method: 'POST', path, body, ...(typeof body === 'string' ? JSON_TYPE : {}) })];
const patch =
  (operations: readonly object[], path = `${PATHS.orders}/${orderId(9)}`): Attack['run'] =>
  async ({ send }) => [
    await send({
      method: 'PATCH',
      path,
      body: operations,
      headers: { 'content-type': 'application/json-patch+json' },
    }),
  ];
const customers = (count: number): object => Array.from({ length: count }, (_, at) => ({ name: `${PREFIX} ${at}` }));
const emptyObjects = (bytes: number): string => `[${'{},'.repeat(Math.floor((bytes - 4) / 3))}{}]`;
const orderWithLines = (count: number): object => ({
  number: `H-${randomUUID().slice(0, 12)}`,
  date: '2026-02-03',
  notes: PREFIX,
  customer: { id: customerId(1) },
  lines: Array.from({ length: count }, (_, at) => ({ product: { id: productId(1) }, quantity: 1, position: at })),
});
const upsert = (orders: readonly object[], send: Attacker['send']) =>
  send({ method: 'PUT', path: `${PATHS.orders}?key=number`, body: orders });
const ordersByKey = (number: string): object => ({
  ...{ number, date: '2026-02-03', notes: PREFIX, customer: { id: customerId(1) } },
  lines: Array.from({ length: 3 }, (_, at) => ({ product: { sku: `SKU-000${at + 1}` }, quantity: 1, position: at })),
});
const removeBatch = async ({ query: run }: Attacker): Promise<void> => {
  // One statement, so that orders which are created meanwhile keep all of their lines.
  await run(
    `WITH old AS (SELECT id FROM sales."order" WHERE notes = $1),
       lines AS (DELETE FROM sales.order_line WHERE order_id IN (SELECT id FROM old))
     DELETE FROM sales."order" WHERE id IN (SELECT id FROM old)`,
    [PREFIX],
  );
  await run('DELETE FROM sales.customer WHERE name LIKE $1', [`${PREFIX}%`]);
};

/** Batches and graphs (H4). */
const BATCH_ATTACKS: readonly Attack[] = [
  {
    finding: 'H4',
    title: 'a batch of 1,000 instances is created in time',
    sender: 'manager',
    run: create(PATHS.customers, customers(1_000)),
    cleanUp: removeBatch,
    statuses: [201],
    withinMs: 5_000,
  },
  {
    finding: 'H4',
    title: 'a rehearsal of 1,000 instances is executed in time',
    sender: 'manager',
    run: create(`${PATHS.customers}?dryRun=true`, customers(1_000)),
    statuses: [201],
    withinMs: 10_000,
  },
  {
    finding: 'H4',
    title: 'a rehearsal of an order with 4,900 lines is executed in time',
    sender: 'manager',
    run: create(`${PATHS.orders}?dryRun=true`, orderWithLines(4_900)),
    statuses: [201],
    withinMs: 20_000,
  },
  {
    finding: 'H4',
    title: 'a rehearsal of a patch of all customers is refused by their number, or executed in time',
    sender: 'manager',
    run: async ({ send }) => [
      await send({
        method: 'PATCH',
        path: `${PATHS.customers}?dryRun=true&filter=${encodeURIComponent('{}')}`,
        body: { phone: '031' },
        headers: { ...MERGE_PATCH.headers, prefer: 'max-affected=10000' },
      }),
    ],
    statuses: [200, 409],
    withinMs: 30_000,
  },
  {
    finding: 'H4',
    title: 'a batch of 1,001 instances is refused',
    sender: 'manager',
    run: create(PATHS.customers, customers(1_001)),
    cleanUp: removeBatch,
    statuses: [400],
    limit: ITEMS,
  },
  ...[0.5, 0.99, 4].map(
    (mebibytes): Attack => ({
      finding: 'H4',
      title: `a batch of ${mebibytes} MB of empty objects is refused`,
      sender: 'manager',
      run: create(PATHS.customers, emptyObjects(mebibytes * MEBIBYTE)),
      statuses: [400, 413, 'closed'],
      limit: BATCH,
    }),
  ),
  {
    finding: 'H4',
    title: 'a batch of 0.9 MB of empty objects is refused to one who may create nothing',
    sender: 'viewer',
    run: create(PATHS.customers, emptyObjects(0.9 * MEBIBYTE)),
    statuses: [400, 403],
  },
  ...(['PUT', 'PATCH', 'DELETE'] as const).map(
    (method): Attack => ({
      finding: 'H4',
      title: `${method} of 0.9 MB of empty objects is refused`,
      sender: 'manager',
      run: async ({ send }) => [
        await send({
          method,
          path: PATHS.customers,
          body: emptyObjects(0.9 * MEBIBYTE),
          ...(method === 'PATCH' ? MERGE_PATCH : JSON_TYPE),
        }),
      ],
      statuses: [400],
      limit: ITEMS,
    }),
  ),
  {
    finding: 'H4',
    title: 'a JSON Patch of 1,000 tests is executed in time',
    sender: 'manager',
    run: patch(Array.from({ length: 1_000 }, () => ({ op: 'test', path: '/id', value: orderId(9) }))),
    statuses: [200],
    withinMs: 2_000,
  },
  {
    finding: 'H4',
    title: 'a JSON Patch of 1,001 operations is refused',
    sender: 'manager',
    run: patch(Array.from({ length: 1_001 }, () => ({ op: 'test', path: '/id', value: orderId(9) }))),
    statuses: [400],
    limit: ITEMS,
  },
  {
    finding: 'H4',
    title: 'a JSON Patch of 1,000 operations on 300 instances, each of which is read, is executed in time',
    sender: 'manager',
    run: patch(
      Array.from({ length: 1_000 }, (_, at) => {
        const path = `/${orderId((at % 300) + 1)}/${['notes', 'number', 'date'][at % 3]}`;
        return { op: 'copy', from: path, path };
      }),
      PATHS.orders,
    ),
    statuses: [200],
    withinMs: 5_000,
  },
  {
    finding: 'H4',
    title: 'a JSON Patch of a collection with 1,001 operations is refused',
    sender: 'manager',
    run: patch(
      Array.from({ length: 1_001 }, (_, at) => ({ op: 'test', path: `/${orderId(at)}/notes`, value: '' })),
      PATHS.orders,
    ),
    statuses: [400],
    limit: ITEMS,
  },
  {
    finding: 'H4',
    title: 'a JSON Patch with a path of 900 KB is refused',
    sender: 'manager',
    run: patch([{ op: 'remove', path: '/lines'.repeat(150_000) }]),
    statuses: [400],
  },
  {
    finding: 'H4',
    title: 'an upsert of 950 orders, whose lines and products are found by keys, is executed twice in time',
    sender: 'manager',
    run: async ({ send }) => {
      const orders = Array.from({ length: 950 }, (_, at) => ordersByKey(`HU-${at}`));
      const first = await upsert(orders, send);
      return [first, await upsert(orders, send)];
    },
    cleanUp: removeBatch,
    statuses: [201, 200],
    withinMs: 30_000,
  },
  {
    finding: 'H4',
    title: 'an upsert of 1,001 instances is refused',
    sender: 'manager',
    run: async ({ send }) => [
      await upsert(
        Array.from({ length: 1_001 }, () => ({ number: 'HU' })),
        send,
      ),
    ],
    statuses: [400],
    limit: ITEMS,
  },
  {
    finding: 'H4',
    title: 'an order with 2,000 lines is created in time',
    sender: 'manager',
    run: create(PATHS.orders, orderWithLines(2_000)),
    cleanUp: removeBatch,
    statuses: [201],
    withinMs: 10_000,
  },
  {
    finding: 'H4',
    title: 'an order with 10,001 lines is refused',
    sender: 'manager',
    run: create(
      PATHS.orders,
      // Short members: the whole graph is below the limit of bodies.
      { ...orderWithLines(0), lines: Array.from({ length: 10_001 }, () => ({ quantity: 1 })) },
    ),
    cleanUp: removeBatch,
    statuses: [400],
    limit: NODES,
  },
  {
    finding: 'H4',
    title: '20 batches of 1,000 instances at the same time leave connections to others',
    sender: 'manager',
    run: ({ send }) => atOnce(20, 20, () => send({ method: 'POST', path: PATHS.customers, body: customers(1_000) })),
    cleanUp: removeBatch,
    statuses: [201, 429, 503],
    withinMs: 30_000,
  },
  {
    finding: 'H4',
    title: 'an instance with 60,000 unknown members is refused, or created in time',
    sender: 'manager',
    run: create(
      PATHS.customers,
      `{"name":"${PREFIX}",${Array.from({ length: 60_000 }, (_, at) => `"m${at}":0`).join()}}`,
    ),
    cleanUp: removeBatch,
    statuses: [201, 400],
  },
  {
    finding: 'H4',
    title: 'a decimal of 500,000 digits is refused',
    sender: 'manager',
    run: create(PATHS.customers, `{"name":"${PREFIX}","creditLimit":1${'0'.repeat(500_000)}}`),
    cleanUp: removeBatch,
    statuses: [400],
  },
];

/** Orders of one customer with notes of so many bytes, made on the server; `prefix` begins their numbers. */
const largeOrders =
  (prefix: string, count: number, bytes: number): NonNullable<Attack['prepare']> =>
  async ({ query: run }) => {
    await run(
      `INSERT INTO sales."order" (id, version, number, date, status, customer_id, notes)
       SELECT gen_random_uuid(), 1, $4::text || n, '2026-01-01', 10, $1::uuid, repeat('x', $2::int)
       FROM generate_series(1, $3::int) AS n`,
      [customerId(3), bytes, count, prefix],
    );
  };
const removeLargeOrders =
  (prefix: string): NonNullable<Attack['cleanUp']> =>
  async ({ query: run }) => {
    await run(`DELETE FROM sales."order" WHERE number LIKE $1`, [`${prefix}%`]);
  };
const LARGE = /svc\.(?:rest|datasource)\.|\(collection-bytes\)/;
const ordersPlan = { entity: 'sales_Customer', properties: [{ name: 'orders', fetchPlan: { properties: ['notes'] } }] };

/** A customer with orders that are larger together than a collection may be (H3). */
const largeCollection = (megabytes: number): Attack => ({
  finding: 'H3',
  title: `a customer whose orders have ${megabytes} MB of notes is refused`,
  sender: 'manager',
  prepare: largeOrders('HL-', megabytes, MEBIBYTE),
  run: async ({ send }) => [
    await send({
      method: 'GET',
      path: `${PATHS.customers}/${customerId(3)}${query({ fetchPlan: ordersPlan })}`,
    }),
  ],
  cleanUp: removeLargeOrders('HL-'),
  statuses: [400],
  limit: LARGE,
  withinMs: 10_000,
});

/** Rows that are larger than a text may be (H3). */
const ROW_ATTACKS: readonly Attack[] = [
  largeCollection(48),
  // PostgreSQL cannot hold a text of this size; its preparation takes a minute.
  { ...largeCollection(560), isLong: true },
  {
    finding: 'H3',
    title: '5 lists of 60 orders with notes of 1 MB are sent in bounded memory, or refused',
    sender: 'manager',
    prepare: largeOrders('HM-', 60, MEBIBYTE),
    run: ({ send }) =>
      atOnce(5, 5, () =>
        send({
          method: 'POST',
          path: PATHS.orderSearch,
          body: {
            filter: { conditions: [{ property: 'number', operator: 'startsWith', value: 'HM-' }] },
            fetchPlan: '_local',
          },
        }),
      ),
    cleanUp: removeLargeOrders('HM-'),
    statuses: [200, 400, 429, 503],
    limit: LARGE,
    withinMs: 20_000,
  },
  {
    finding: 'H3',
    title: 'a note of 1 MB is refused, or stored and read in time',
    sender: 'manager',
    run: async ({ send }) => [
      await send({
        method: 'PUT',
        path: `${PATHS.orders}/${orderId(9)}`,
        body: { notes: 'x'.repeat(MEBIBYTE - 100) },
      }),
      await send({ method: 'GET', path: `${PATHS.orders}/${orderId(9)}` }),
      await send({ method: 'PUT', path: `${PATHS.orders}/${orderId(9)}`, body: { notes: null } }),
    ],
    statuses: [200, 400, 413],
    limit: LARGE,
  },
];

export const WRITE_ATTACKS: readonly Attack[] = [...BATCH_ATTACKS, ...ROW_ATTACKS];
