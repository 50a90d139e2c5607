import sales from '@lintel/example-sales';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData, type TestResponse } from '../../test/data-fixture.ts';

const ADMIN = { resourceRoles: ['system-full-access'] };

const start = (maxWaitMs: number) =>
  startData(
    sales,
    { importer: ADMIN, other: ADMIN },
    {
      'svc.datasource.statement-timeout': '5m',
      'shares.largeBodies': 2,
      'shares.maxWaitMs': maxWaitMs,
    },
  );

let data: DataFixture;
beforeAll(async () => {
  // Longer than a test may take.
  data = await start(300_000);
});
afterAll(() => data?.close());

/** Names of tags are unique. */
let batches = 0;
function tags(count: number): object {
  batches += 1;
  return Array.from({ length: count }, (_, at) => ({ name: `imported tag ${batches} ${at}` }));
}
const create = (user: string, count: number, service = data): Promise<TestResponse> =>
  service.send(user, 'POST', '/entities/sales_ProductTag', tags(count));

/** Runs the work while all writes of tags wait for the database. */
const whileLocked = <T>(work: () => Promise<T>, { database } = data): Promise<T> =>
  database.transaction(async (transaction) => {
    await transaction.query({ text: 'LOCK TABLE sales.product_tag IN ACCESS EXCLUSIVE MODE', values: [] });
    return work();
  });

/** Number of requests that wait for the locked table. */
const writing = async ({ query } = data): Promise<number> => {
  const [row] = (await query(`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%product_tag%'`)) as [
    { n: number },
  ];
  return row.n;
};

test('large bodies of one user are processed one after the other; small bodies and those of others do not wait', async () => {
  const sent = await whileLocked(async () => {
    const large = [create('importer', 900), create('importer', 900)];
    await eventually(async () => expect(await writing()).toBe(1));
    const small = create('importer', 1);
    await eventually(async () => expect(await writing()).toBe(2));
    const others = create('other', 900);
    await eventually(async () => expect(await writing()).toBe(3));
    expect(await writing()).toBe(3);
    return { all: Promise.all([...large, small, others]) };
  });
  expect((await sent.all).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(data.errors).toEqual([]);
});

test('a large body that has waited for the maximum is refused', async () => {
  const impatient = await start(1_000);
  try {
    const sent = await whileLocked(async () => {
      const large = [create('importer', 900, impatient), create('importer', 900, impatient)];
      const refused = await Promise.race(large);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      await eventually(async () => expect(await writing(impatient)).toBe(1));
      return { all: Promise.all(large) };
    }, impatient);
    expect((await sent.all).map(({ status }) => status).toSorted()).toEqual([201, 429]);
    expect(impatient.errors).toEqual([]);
  } finally {
    await impatient.close();
  }
});

test('a waiting body is processed when the previous request has its response', async () => {
  const responses = await Promise.all(Array.from({ length: 6 }, () => create('importer', 600)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
});

test('a search with a long list of values releases its permit, refused or not', async () => {
  const search = (values: number) =>
    data.send('importer', 'POST', '/entities/sales_ProductTag/search', {
      filter: {
        conditions: [
          { property: 'name', operator: 'in', value: Array.from({ length: values }, (_, at) => `tag ${at}`) },
        ],
      },
      limit: 1,
    });
  for (let each = 0; each < 5; each += 1) {
    expect((await search(5_000)).status).toBe(200);
    expect((await search(50_000)).status).toBe(400);
  }
});
