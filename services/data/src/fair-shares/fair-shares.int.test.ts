import sales from '@lintel/example-sales';
import { FORWARDING_PROOF_HEADER, forwardingProofOf } from '@lintel/http';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData } from '../../test/data-fixture.ts';
import { HEAVY_MS } from './statement-costs.ts';

const ADMIN = { resourceRoles: ['system-full-access'] };
const HOSTILE = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`hostile${at}`, ADMIN]));
/** One of the five connections of the fixture has the lock. */
const CONNECTIONS = 4;

const USERS = {
  ...HOSTILE,
  hostile: ADMIN,
  other: ADMIN,
  third: ADMIN,
  anonymous: { ...ADMIN, kind: 'anonymous' },
} as const;

const start = (maxWaitMs: number) =>
  startData(sales, USERS, {
    'svc.datasource.pool-size': String(CONNECTIONS),
    'svc.datasource.statement-timeout': '5m',
    'shares.maxWaitMs': maxWaitMs,
    'shares.maxWaitingPerUser': 20,
    'svc.rest.anonymous-url-patterns': '/rest/entities/**',
  });

let data: DataFixture;
beforeAll(async () => {
  // Longer than a test may take: who waits does so until a statement has ended.
  data = await start(300_000);
});
afterAll(() => data?.close());

/** Runs the work while all statements that read tags wait. */
const whileSlow = <T>(work: () => Promise<T>, { database } = data): Promise<T> =>
  database.transaction(async (transaction) => {
    await transaction.query({ text: 'LOCK TABLE sales.product_tag IN ACCESS EXCLUSIVE MODE', values: [] });
    return work();
  });

const running = async ({ query } = data): Promise<number> => {
  const [row] = (await query(`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'product_tag|sales_ProductTag'`)) as [
    { n: number },
  ];
  return row.n;
};

const read = (user: string, entity = 'sales_ProductTag', from = '192.0.2.1', { url } = data) =>
  fetch(`${url}/rest/entities/${entity}?limit=5`, {
    headers: {
      authorization: `Bearer ${user}`,
      'x-forwarded-for': from,
      [FORWARDING_PROOF_HEADER]: forwardingProofOf('x'),
    },
  });

const many = (count: number, user: string, service = data) =>
  Array.from({ length: count }, () => read(user, 'sales_ProductTag', undefined, service));

/** Collects responses as they come. */
function collect(sent: readonly Promise<Response>[]) {
  const ended: Response[] = [];
  const all = Promise.all(sent.map((each) => each.then((response) => void ended.push(response))));
  const counts = () => ({
    ok: ended.filter(({ status }) => status === 200).length,
    refused: ended.filter(({ status, headers }) => status === 429 && Number(headers.get('retry-after')) >= 1).length,
  });
  return { all, counts };
}

test('fifty slow requests of one user wait for each other, and the requests of others are served', async () => {
  const slow = await whileSlow(async () => {
    const sent = collect(many(50, 'hostile'));
    await eventually(async () => expect(await running()).toBe(2));
    // The maximum of requests waits; the others were refused at once.
    await eventually(() => expect(sent.counts()).toEqual({ ok: 0, refused: 28 }));
    for (let each = 0; each < 20; each += 1) expect((await read('other', 'sales_Order')).status).toBe(200);
    const together = await Promise.all(Array.from({ length: 20 }, () => read('other', 'sales_Order')));
    expect(together.map(({ status }) => status)).toEqual(together.map(() => 200));
    return sent;
  });
  await slow.all;
  expect(slow.counts()).toEqual({ ok: 22, refused: 28 });
  expect((await read('hostile')).status).toBe(200);
  expect(data.errors).toEqual([]);
});

test('a request that has waited for the maximum is refused', async () => {
  const impatient = await start(1_000);
  try {
    const slow = await whileSlow(async () => {
      const sent = collect(many(12, 'hostile', impatient));
      await eventually(() => expect(sent.counts()).toEqual({ ok: 0, refused: 10 }));
      expect(await running(impatient)).toBe(2);
      return sent;
    }, impatient);
    await slow.all;
    expect(slow.counts()).toEqual({ ok: 2, refused: 10 });
    expect((await read('hostile', undefined, undefined, impatient)).status).toBe(200);
    expect(impatient.errors).toEqual([]);
  } finally {
    await impatient.close();
  }
});

/** Requests of a shape that was not sent before. */
let shapes = 0;
function newShape() {
  shapes += 1;
  const conditions = Array.from({ length: shapes }, () => ({ property: 'name', operator: '<>', value: 'none' }));
  return (user: string, from = '192.0.2.1') =>
    data.send(
      user,
      'POST',
      '/entities/sales_ProductTag/search',
      { filter: { conditions }, limit: 5 },
      { 'x-forwarded-for': from },
    );
}

test('statements that are known to be slow use half of the connections, and lists without a limit the other half', async () => {
  const list = async () =>
    (await fetch(`${data.url}/rest/entities/sales_Order`, { headers: { authorization: 'Bearer third' } })).status;
  expect(await list()).toBe(200);
  const readSlowly = newShape();
  const first = await whileSlow(async () => {
    const sent = readSlowly('hostile');
    await eventually(async () => expect(await running()).toBe(1));
    // From this duration on, a statement is known to be slow.
    await new Promise((resolve) => setTimeout(resolve, HEAVY_MS));
    return { sent };
  });
  expect((await first.sent).status).toBe(200);
  const slow = await whileSlow(async () => {
    const sent = ['hostile', 'other'].flatMap((user) => Array.from({ length: 10 }, () => readSlowly(user)));
    await eventually(async () => expect(await running()).toBe(2));
    const quick = await Promise.all(Array.from({ length: 20 }, () => read('third', 'sales_Order')));
    expect(quick.map(({ status }) => status)).toEqual(quick.map(() => 200));
    for (let each = 0; each < 5; each += 1) expect(await list()).toBe(200);
    expect(await running()).toBe(2);
    return { all: Promise.all(sent) };
  });
  for (const { status } of await slow.all) expect(status).toBe(200);
});

test('slow requests of six users, each of a new shape, leave a connection for a user with quick requests', async () => {
  expect((await read('other', 'sales_Order')).status).toBe(200);
  expect((await read('other', 'sales_Order')).status).toBe(200);
  const slow = await whileSlow(async () => {
    const sent = Object.keys(HOSTILE).flatMap((user) => Array.from({ length: 4 }, () => newShape()(user)));
    await eventually(async () => expect(await running()).toBe(CONNECTIONS - 1));
    const quick: number[] = [];
    for (let each = 0; each < 10; each += 1) quick.push((await read('other', 'sales_Order')).status);
    expect(quick).toEqual(quick.map(() => 200));
    expect(await running()).toBe(CONNECTIONS - 1);
    return { all: Promise.all(sent) };
  });
  for (const { status } of await slow.all) expect(status).toBe(200);
  expect(data.errors).toEqual([]);
});

test('anonymous callers are distinguished by their addresses', async () => {
  const slow = await whileSlow(async () => {
    const readSlowly = newShape();
    const sent = Array.from({ length: 10 }, () => readSlowly('anonymous'));
    await eventually(async () => expect(await running()).toBe(2));
    for (let each = 0; each < 5; each += 1)
      expect((await read('anonymous', 'sales_Order', '192.0.2.2, 10.0.0.1')).status).toBe(200);
    return { all: Promise.all(sent) };
  });
  for (const { status } of await slow.all) expect(status).toBe(200);
});

test('a transaction that uses the last slot of its caller reads during it', async () => {
  const order = await data.send('hostile', 'POST', '/entities/sales_ProductTag', { name: 'beside' });
  expect(order.status).toBe(201);
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, each) =>
      data.send('hostile', 'POST', '/entities/sales_ProductTag', { name: `beside ${each}` }),
    ),
  );
  expect(many.map(({ status }) => status)).toEqual(many.map(() => 201));
});
