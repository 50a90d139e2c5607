import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run, type Terminal } from '@lintel/cli';
import { baseUrl, send } from '../api.ts';

const FOLDER = fileURLToPath(new URL('../.typed-client-', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(FOLDER);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A terminal at which nobody sits. */
function openTerminal() {
  const lines: string[] = [];
  const nobody = async (): Promise<never> => Promise.reject(new Error('Nobody can be asked'));
  const terminal: Terminal = {
    isInteractive: false,
    print: (text) => void lines.push(text),
    note: (text) => void lines.push(text),
    during: (_title, work) => work(() => {}),
    through: (_title, _total, work) => work(() => {}),
    askText: nobody,
    askPassword: nobody,
    askYes: nobody,
    readInput: async () => '',
  };
  return { terminal, lines };
}

/** Reads, writes, a query, a service method, an error, as a front end would. */
const PROGRAM = `import { createClient, RestError, requestToken } from './api/index.ts';

const [baseUrl = ''] = process.argv.slice(2);
const token = await requestToken(baseUrl, { clientId: 'client', clientSecret: 'secret', username: 'admin', password: 'admin' });
const client = createClient({ baseUrl, token: () => token });
const [order] = await client.list('sales_Order', {
  fetchPlan: 'order-list',
  filter: { conditions: [{ property: 'amount', operator: '>', value: 0 }] },
  sort: 'number',
  limit: 1,
});
const customer = await client.create('sales_Customer', { name: 'Client of lintel', grade: 'GOLD' });
const id = String(customer.id);
await client.update('sales_Customer', id, { email: 'client@example.com' });
const loaded = await client.load('sales_Customer', id, { fetchPlan: '_local' });
const counted = await client.count('sales_Customer', { conditions: [{ property: 'id', operator: '=', value: id }] });
const refused = await client.create('sales_Customer', { email: 'nobody' }).catch((error: unknown) => error);
await client.remove('sales_Customer', id);
const gone = await client.load('sales_Customer', id);
const rows = await client.query('sales_Order', 'ordersByStatus', { status: 'NEW' }, { limit: 2 });
const bulk = await client.create('sales_Order', {
  number: 'CLI-1', date: '2026-02-03', customer: { id: order?.customer?.id ?? '' },
  lines: [{ product: { id: 'b0000000-0000-4000-8000-000000000001' }, quantity: 2, price: '12.00', position: 1 }],
});
const exact = await client.load('sales_Order', String(bulk.id), { fetchPlan: { amount: true, customer: { address: { city: true } } } });
await client.remove('sales_Order', String(bulk.id));
const total = await client.call('sales_OrderService', 'calculateTotal', { orderId: order?.id ?? '' });
console.log(
  JSON.stringify({
    order: [typeof order?.number, typeof order?.customer?.name],
    loaded: [loaded?.name, loaded?.grade, loaded?.email],
    counted,
    refused: refused instanceof RestError ? [refused.status, Array.isArray(refused.body)] : String(refused),
    gone: gone === undefined,
    rows: rows.map((row) => row.status),
    total: /^[0-9]+[.][0-9]{2}$/.test(total),
    amount: exact?.amount === '24.00',
    city: exact?.customer?.address?.city,
  }),
);
`;

test('the client that "lintel client" writes reads, writes, queries and calls services', async () => {
  const { terminal, lines } = openTerminal();
  const code = await run(
    ['client', '--application', '@lintel/example-sales', '--output', join(folder, 'api')],
    terminal,
  );
  expect([code, lines]).toEqual([0, [expect.stringContaining('index.ts')]]);
  await writeFile(join(folder, 'main.ts'), PROGRAM);
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', join(folder, 'main.ts'), baseUrl], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(JSON.parse(stdout)).toEqual({
    order: ['string', 'string'],
    loaded: ['Client of lintel', 'GOLD', 'client@example.com'],
    counted: 1,
    refused: [400, true],
    gone: true,
    rows: ['NEW', 'NEW'],
    total: true,
    amount: true,
    city: expect.any(String),
  });
});

test('"lintel openapi --from" writes the document that the server returns', async () => {
  const { terminal, lines } = openTerminal();
  const file = join(folder, 'openapi.yaml');
  expect(await run(['openapi', '--from', baseUrl, '--format', 'yaml', '--generic', '--output', file], terminal)).toBe(
    0,
  );
  expect(lines).toEqual([expect.stringContaining(file)]);
  const served = await send('GET', '/rest/docs/openapi.yaml');
  expect(await readFile(file, 'utf8')).toBe(served.text);

  // The detailed one needs a token to be whole.
  expect(await run(['openapi', '--from', baseUrl, '--output', file], terminal)).toBe(0);
  expect(lines).toContainEqual(expect.stringMatching(/only what needs no token.*--token-file/));
  expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).paths)).not.toContain('/rest/userInfo');
});
