import sales from '@lintel/example-sales';
import { type Answer, type DataFixture, startData } from '../../../test/data-fixture.ts';

const ROWS = 1_000_000;
const DEEP = 900_000;
const PAGE = 50;
const ROUNDS = 40;
/** What two medians of the same work may differ by on a busy machine. */
const MOST_RATIO = 2;

let data: DataFixture;

beforeAll(async () => {
  data = await startData(sales, { admin: { resourceRoles: ['system-full-access'] } });
  const id = (space: number, number: string): string =>
    `('00000000-0000-4000-${space}-' || lpad((${number})::text, 12, '0'))::uuid`;
  await data.query(`INSERT INTO sales.customer (id, version, name)
    SELECT ${id(8000, 'i')}, 1, 'customer ' || i FROM generate_series(0, 999) i`);
  await data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, amount)
    SELECT md5(i::text)::uuid, 1, 'A-' || i, DATE '2020-01-01' + i % 2000, 10 * (1 + i % 4), ${id(8000, 'i % 1000')},
      CASE WHEN i % 10 > 0 THEN (i::bigint * 7919 % 1000000) / 100.0 END
    FROM generate_series(1, ${ROWS}) i`);
  await data.query('VACUUM ANALYZE sales."order"');
}, 300_000);
afterAll(() => data?.close());

const get = async (path: string): Promise<Answer> => {
  const answer = await data.send('admin', 'GET', path);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
};

async function medianMs(path: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedMs = performance.now();
    await get(path);
    times.push(performance.now() - startedMs);
  }
  return times.sort((one, other) => one - other)[ROUNDS / 2] ?? Number.NaN;
}

test.each(['', 'number', '-date', 'status,amount'])(
  'page one and page nine hundred thousand cost the same when the list is sorted by "%s"',
  async (sort) => {
    const list = `/entities/sales_Order?fetchPlan=_instance_name&sort=${sort}`;
    const before = await get(`${list}&limit=1&offset=${DEEP - 1}`);
    const link = /^<\/rest([^>]*)>/.exec(before.headers.get('link') ?? '')?.[1] ?? '';
    const deep = link.replace('limit=1&', `limit=${PAGE}&`);
    const byOffset = await get(`${list}&limit=${PAGE}&offset=${DEEP}`);
    expect((await get(deep)).text).toBe(byOffset.text);
    const first = `${list}&limit=${PAGE}`;
    await medianMs(first);
    await medianMs(deep);
    const [firstMs, deepMs] = [await medianMs(first), await medianMs(deep)];
    const startedMs = performance.now();
    await get(`${list}&limit=${PAGE}&offset=${DEEP}`);
    const offsetMs = performance.now() - startedMs;
    console.info(
      `sort=${sort}: first page ${firstMs.toFixed(2)} ms, page behind ${DEEP} rows ${deepMs.toFixed(2)} ms, by offset ${offsetMs.toFixed(0)} ms`,
    );
    expect(deepMs / firstMs).toBeLessThan(MOST_RATIO);
  },
  120_000,
);
