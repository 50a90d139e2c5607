import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import sales from '@lintel/example-sales';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData } from '../data-fixture.ts';

const ADMIN = { resourceRoles: ['system-full-access'] };
const MEBIBYTE = 1024 * 1024;
const ORDERS = 6;
const listOf = (limit: number): string => `/entities/sales_Order?fetchPlan=_local&limit=${limit}`;
const LIST = listOf(100);
/** The size of the list: half of the memory for results. */
const LIST_BYTES = ORDERS * MEBIBYTE;

let data: DataFixture;

beforeAll(async () => {
  data = await startData(sales, { admin: ADMIN, other: ADMIN }, { 'svc.datasource.max-result-memory': '14MB' });
  await data.query(`INSERT INTO sales.customer (id, version, name) VALUES (lpad('1', 32, '0')::uuid, 1, 'c')`);
  await data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, notes)
    SELECT lpad(n::text, 32, '0')::uuid, 1, 'o' || n, '2026-01-01', 10, lpad('1', 32, '0')::uuid,
      repeat('é', ${MEBIBYTE / 2}) FROM generate_series(1, ${ORDERS}) n`);
});
afterAll(() => data?.close());

const id = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;

/** A client that does not read its response yet. */
async function ask(path: string) {
  const sent = request(`${data.url}/rest${path}`, { headers: { authorization: 'Bearer admin' }, agent: false });
  sent.on('error', () => {});
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    response,
    leave: () => sent.destroy(),
    async text() {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    },
  };
}

test('large lists at the same time are all sent completely', async () => {
  const lists = await Promise.all(
    Array.from({ length: 10 }, (_, at) => data.send(at % 2 === 0 ? 'admin' : 'other', 'GET', LIST)),
  );
  for (const list of lists) {
    expect([list.status, list.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(list.text))]);
    expect(list.json()).toHaveLength(ORDERS);
  }
  expect(data.resultMemory.usedBytes).toBe(0);
});

test('a list occupies memory until its client has it; other lists wait for that, small requests do not', async () => {
  const slow = await ask(LIST);
  expect(slow.response.headers['content-length']).toBeDefined();
  expect(data.resultMemory.usedBytes).toBeGreaterThan(LIST_BYTES);
  const gone = await ask(listOf(5));
  const waiting = data.send('other', 'GET', LIST);
  const small = await data.send('other', 'GET', '/entities/sales_Order?fetchPlan=_instance_name&limit=100');
  expect([small.status, small.json().length]).toEqual([200, ORDERS]);
  expect(data.resultMemory.usedBytes).toBeGreaterThan(LIST_BYTES + 5 * MEBIBYTE);
  gone.leave();
  expect((await waiting).json()).toHaveLength(ORDERS);
  expect(JSON.parse(await slow.text())).toHaveLength(ORDERS);
  await eventually(() => expect(data.resultMemory.usedBytes).toBe(0));
});

test('groups occupy memory until their client has them', async () => {
  // Not grouped by the texts: rows have the position of a page beside their values.
  const asked = new URLSearchParams({ groupBy: '["number"]', aggregates: '{"text":{"max":"notes"}}', limit: '100' });
  const slow = await ask(`/aggregates/sales_Order?${asked}`);
  expect(data.resultMemory.usedBytes).toBeGreaterThan(LIST_BYTES);
  expect(JSON.parse(await slow.text())).toHaveLength(ORDERS);
  await eventually(() => expect(data.resultMemory.usedBytes).toBe(0));
});

test('an instance of a megabyte is sent completely, and its HEAD has its length', async () => {
  const { status, text, headers } = await data.send('admin', 'GET', `/entities/sales_Order/${id(1)}?fetchPlan=_local`);
  expect([status, JSON.parse(text).notes.length]).toEqual([200, MEBIBYTE / 2]);
  const head = await data.send('admin', 'HEAD', `/entities/sales_Order/${id(1)}?fetchPlan=_local`);
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
    200,
    '',
    headers.get('content-length'),
  ]);
});

test('a streamed list occupies the memory of one batch at a time', async () => {
  const list = await data.send('admin', 'GET', listOf(5_000));
  expect([list.status, list.json().length]).toEqual([200, ORDERS]);
  await eventually(() => expect(data.resultMemory.usedBytes).toBe(0));
});

test('more than half of the memory is refused with the name of the property', async () => {
  await data.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, notes)
    SELECT lpad(n::text, 32, '0')::uuid, 1, 'o' || n, '2026-01-01', 10, lpad('1', 32, '0')::uuid,
      repeat('x', ${MEBIBYTE}) FROM generate_series(7, 8) n`);
  const refused = await data.send('admin', 'GET', LIST);
  expect([refused.status, refused.json()]).toEqual([
    400,
    { error: 'The result is too large', details: expect.stringContaining('svc.datasource.max-result-memory') },
  ]);
});
