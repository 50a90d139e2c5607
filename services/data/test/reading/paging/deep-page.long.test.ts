import sales from '@lintel/example-sales';
import { callerWith, type ExplainedReads, startExplainedReads, workOf } from '../../explained-reads.ts';

const ROWS = 1_000_000;
const DEEP = 900_000;
const PAGE = 50;
const ADMIN = callerWith();

let reads: ExplainedReads;

beforeAll(async () => {
  reads = await startExplainedReads(sales);
  const id = (space: number, number: string): string =>
    `('00000000-0000-4000-${space}-' || lpad((${number})::text, 12, '0'))::uuid`;
  await reads.query(`INSERT INTO sales.customer (id, version, name)
    SELECT ${id(8000, 'i')}, 1, 'customer ' || i FROM generate_series(0, 999) i`);
  await reads.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, amount)
    SELECT md5(i::text)::uuid, 1, 'A-' || i, DATE '2020-01-01' + i % 2000, 10 * (1 + i % 4), ${id(8000, 'i % 1000')},
      CASE WHEN i % 10 > 0 THEN (i::bigint * 7919 % 1000000) / 100.0 END
    FROM generate_series(1, ${ROWS}) i`);
  await reads.query('VACUUM ANALYZE sales."order"');
}, 300_000);
afterAll(() => reads?.close());

async function page(members: object) {
  const list = { fetchPlan: '_instance_name', ...members };
  const { result, plans } = await reads.read('sales_Order', list, ADMIN, 'run');
  if (result.kind !== 'list') throw new Error('A page is a list');
  return { rows: result.rows, next: result.next, work: workOf(plans) };
}

test.each(['', 'number', '-date', 'status,amount'])(
  'page one and page nine hundred thousand have the same cost when the list is sorted by "%s"',
  async (sort) => {
    const { next: cursor } = await page({ sort, limit: 1, offset: DEEP - 1 });
    const first = await page({ sort, limit: PAGE });
    const deep = await page({ sort, limit: PAGE, cursor });
    const byOffset = await page({ sort, limit: PAGE, offset: DEEP });
    expect(deep.rows).toEqual(byOffset.rows);
    expect(byOffset.work.rows).toBeGreaterThan(DEEP);
    console.info(`sort=${sort}`, { first: first.work, deep: deep.work, byOffset: byOffset.work });
    // If values repeat, the page may consist of several index ranges.
    expect(deep.work.rows).toBeLessThanOrEqual(2 * first.work.rows);
    expect(deep.work.blocks).toBeLessThanOrEqual(2 * first.work.blocks);
  },
  120_000,
);
