import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sales from '@lintel/example-sales';
import { createSchemaFromModel } from '@lintel/schema';
import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';

const ORDERS = 10_000;
const MEBIBYTE = 1024 * 1024;
const MAX_GROWTH_BYTES = 40 * MEBIBYTE;

const PLAN = {
  entity: 'sales_Order',
  properties: [
    ...['number', 'date', 'status', 'amount', 'notes'],
    { name: 'customer', fetchPlan: { properties: ['name', 'email'] } },
    {
      name: 'lines',
      fetchPlan: {
        properties: ['quantity', 'price', 'position', { name: 'product', fetchPlan: { properties: ['name'] } }],
      },
    },
  ],
};
/** More than all buffers between the service and the client can hold. */
const LARGE_PLAN = { ...PLAN, properties: [...PLAN.properties, 'attachment'] };

const listOf = (plan: object): string =>
  `/rest/entities/sales_Order?sort=-date&fetchPlan=${encodeURIComponent(JSON.stringify(plan))}`;
const LIST = listOf(PLAN);

let server: TestDatabase;
let service: ChildProcess;
let url = '';

const id = (kind: number, number: string): string =>
  `('0000000${kind}-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

beforeAll(async () => {
  server = await createTestDatabase('memory');
  await createSchemaFromModel(server.url, sales.model);
  await server.query(`INSERT INTO sales.customer (id, version, name, email)
    SELECT ${id(1, 'i')}, 1, 'customer ' || i, 'c' || i || '@example.com' FROM generate_series(1, 1000) i`);
  await server.query(`INSERT INTO sales.product (id, version, name, sku, price)
    SELECT ${id(2, 'i')}, 1, 'product ' || i, 's' || i, i FROM generate_series(1, 500) i`);
  await server.query(`INSERT INTO sales."order" (id, version, number, date, status, customer_id, amount, notes, attachment)
    SELECT ${id(3, 'i')}, 1, 'n' || i, DATE '2020-01-01' + i % 2000, 10, ${id(1, '1 + i % 1000')}, i, repeat('note ', 20),
      'main://' || repeat('x', 5000)
    FROM generate_series(1, ${ORDERS}) i`);
  await server.query(`INSERT INTO sales.order_line (id, version, order_id, product_id, quantity, price, position)
    SELECT gen_random_uuid(), 1, ${id(3, `1 + i % ${ORDERS}`)}, ${id(2, '1 + i % 500')}, 1, 9.90, i % 3
    FROM generate_series(1, ${3 * ORDERS}) i`);
  await server.query('VACUUM ANALYZE');
  service = fork(fileURLToPath(new URL('../data-process.ts', import.meta.url)), [server.url], {
    execArgv: ['--conditions=lintel-source', '--import', '@lintel/testkit/decorators'],
  });
  const [ready] = (await once(service, 'message')) as [{ url: string }];
  url = ready.url;
});
afterAll(async () => {
  if (service?.connected) {
    const gone = once(service, 'exit');
    service.disconnect();
    await gone;
  }
  await server?.drop();
});

async function peakBytes(): Promise<number> {
  service.send('peak');
  const [report] = (await once(service, 'message')) as [{ peakBytes: number }];
  return report.peakBytes;
}

async function open(path: string): Promise<IncomingMessage> {
  const request = get(`${url}${path}`, { headers: { authorization: 'Bearer admin' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${path} has the status ${response.statusCode}`);
  return response;
}

async function bytesOf(path: string): Promise<number> {
  let bytes = 0;
  for await (const chunk of await open(path)) bytes += (chunk as Buffer).length;
  return bytes;
}

/** The memory of the service after some time of small requests. */
async function idleBytes(): Promise<number> {
  for (let round = 0; round < 300; round += 1) await bytesOf(`${LIST}&limit=5`);
  await sleep(1_000);
  await peakBytes();
  await sleep(500);
  return peakBytes();
}

const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;

test.each(['', '&limit=10000'])(
  'a list of 10,000 orders with customer and lines needs little memory (%s)',
  async (limit) => {
    const idle = await idleBytes();
    const responseBytes = await bytesOf(`${LIST}${limit}`);
    const peak = await peakBytes();
    console.info(`idle ${mebibytes(idle)}, response ${mebibytes(responseBytes)}, growth ${mebibytes(peak - idle)}`);
    expect(responseBytes).toBeGreaterThan(5 * MEBIBYTE);
    expect(peak - idle).toBeLessThan(MAX_GROWTH_BYTES);
  },
  60_000,
);

test('the first byte is sent before the last row is read, and backpressure of the client pauses the database', async () => {
  const response = await open(listOf(LARGE_PLAN));
  await once(response, 'readable');
  const reading = () =>
    server.query(`SELECT wait_event AS waits FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'data-process' AND state <> 'idle'`);
  await eventually(async () => expect(await reading()).toEqual([{ waits: 'ClientRead' }]));
  await sleep(500);
  expect(await reading()).toEqual([{ waits: 'ClientRead' }]);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect(bytes).toBeGreaterThan(50 * MEBIBYTE);
  await eventually(async () => expect(await reading()).toEqual([]));
});
