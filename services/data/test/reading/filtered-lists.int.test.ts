import sales from '@lintel/example-sales';
import { type DataFixture, startData } from '../data-fixture.ts';

const LINES = 3_000;
/** Every third line has a discount that the policy hides. */
const VISIBLE = LINES - LINES / 3;

let data: DataFixture;

beforeAll(async () => {
  data = await startData(
    sales,
    { auditor: { resourceRoles: ['rest-minimal', 'sales-manager'], rowLevelRoles: ['no-discounted-lines'] } },
    { 'svc.rest.entity-max-fetch-size.sales_OrderLine': '5000' },
  );
  await data.query(`INSERT INTO sales.customer (id, version, name)
    VALUES ('00000000-0000-4000-8000-000000000001', 1, 'Anna')`);
  await data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id)
    VALUES ('00000000-0000-4000-8000-000000000002', 1, 'A', '2026-01-01', 10, '00000000-0000-4000-8000-000000000001')`);
  await data.query(`INSERT INTO sales.product (id, version, name, sku, price)
    VALUES ('00000000-0000-4000-8000-000000000003', 1, 'Chair', 'C', 1)`);
  await data.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity, position)
    SELECT gen_random_uuid(), 1, '00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003', 1, i
    FROM generate_series(1, ${LINES}) i`);
  await data.query(`INSERT INTO sales.line_discount (id, version, line_id, reason, percent)
    SELECT gen_random_uuid(), 1, id, 'sale', 60 FROM sales.order_line WHERE position % 3 = 0`);
});
afterAll(() => data?.close());

const list = async (parameters: string) => {
  const response = await data.send(
    'auditor',
    'GET',
    `/entities/sales_OrderLine?sort=position&fetchPlan=_local&${parameters}`,
  );
  const positions: number[] = response.json().map(({ position }: { position: number }) => position);
  return { ...response, positions, isStreamed: !response.headers.has('content-length') };
};
const visible = Array.from({ length: LINES }, (_, at) => at + 1).filter((position) => position % 3 !== 0);

describe('a long list whose rows are chosen by predicates', () => {
  test('is streamed completely and in order', async () => {
    const { isStreamed, positions, headers } = await list('');
    expect(isStreamed).toBe(true);
    expect(positions).toEqual(visible);
    expect(headers.has('x-total-count')).toBe(false);
  });

  // Asserts contract/row-policies.md#reading.
  test('begins at its offset and is counted first', async () => {
    const { isStreamed, positions, headers } = await list('offset=1500&returnCount=true');
    expect(isStreamed).toBe(true);
    expect(positions).toEqual(visible.slice(1500));
    expect(headers.get('x-total-count')).toBe(String(VISIBLE));
  });

  // Asserts contract/reading.md#cursors, contract/row-policies.md#reading.
  test('with a limit has a link to the next page', async () => {
    const { positions, headers } = await list('limit=1200');
    expect(positions).toEqual(visible.slice(0, 1200));
    const next = /^<\/rest([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    const rest = await data.send('auditor', 'GET', next);
    expect(rest.json().map(({ position }: { position: number }) => position)).toEqual(visible.slice(1200));
  });

  test('is empty after its end', async () => {
    expect((await list('offset=2000')).positions).toEqual([]);
  });
});
