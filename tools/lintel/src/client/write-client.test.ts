import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-client-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const OPTIONS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    allowImportingTsExtensions: true,
  },
  include: ['*.ts'],
};

/** What is used as it should be, and what must not compile. */
const USE = `import { createClient } from './index.ts';

const client = createClient({ baseUrl: 'http://localhost', token: () => 't' });

export async function use(): Promise<void> {
  const [order] = await client.list('sales_Order', { fetchPlan: 'order-list', sort: '-date', limit: 1 });
  const name: string | undefined = order?.customer?.name;
  const status: 'NEW' | 'CONFIRMED' | 'SHIPPED' | 'CLOSED' | 'CANCELLED' | null | undefined = order?.status;
  // @ts-expect-error the plan does not show the lines
  order?.lines;
  // @ts-expect-error there is no such plan
  await client.list('sales_Order', { fetchPlan: 'order-lists' });
  // @ts-expect-error there is no such entity
  await client.load('sales_Ordr', '1');
  await client.create('sales_Customer', { name: 'Ada', grade: 'GOLD', address: { city: 'Berlin' } });
  // @ts-expect-error there is no such constant
  await client.create('sales_Customer', { grade: 'GOLDEN' });
  const [first] = await client.query('sales_Order', 'ordersByStatus', { status: 'NEW' });
  const amount: number | null | undefined = first?.amount;
  // @ts-expect-error a parameter is missing
  await client.query('sales_Order', 'ordersByStatus', {});
  const total: string = await client.call('sales_OrderService', 'calculateTotal', { orderId: '1' });
  // @ts-expect-error there is no such method
  await client.call('sales_OrderService', 'calculate', {});
  console.log(name, status, amount, total);
}
`;

test('the client of the example compiles strictly, and knows its entities, plans, queries and services', async () => {
  const terminal = fakeTerminal();
  const code = await run(
    ['client', '--application', '@lintel/example-sales', '--output', join(folder, 'api'), '--json'],
    terminal,
  );
  expect(terminal.notes()).toBe('');
  expect(code).toBe(0);
  expect(JSON.parse(terminal.output())).toMatchObject({ files: ['index.ts', 'rest-client.ts'] });
  writeFileSync(join(folder, 'api', 'use.ts'), `${USE}\ndeclare const console: { log(...values: unknown[]): void };\n`);
  writeFileSync(join(folder, 'api', 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'api', 'tsconfig.json'), JSON.stringify(OPTIONS));
  const { stdout } = await promisify(execFile)(process.execPath, [COMPILER, '-p', join(folder, 'api')], {
    env: { ...process.env, NODE_OPTIONS: '' },
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
}, 120_000);

test('the OpenAPI document is written without a server, detailed or generic, as JSON or YAML', async () => {
  const file = join(folder, 'openapi.json');
  const named = ['openapi', '--application', '@lintel/example-sales'];
  expect(await run([...named, '--output', file], fakeTerminal())).toBe(0);
  const detailed = JSON.parse(readFileSync(file, 'utf8')) as { openapi: string; paths: object };
  expect(detailed.openapi).toBe('3.1.0');
  expect(Object.keys(detailed.paths)).toContain('/rest/queries/sales_Order/ordersByStatus');
  const terminal = fakeTerminal();
  expect(await run([...named, '--generic', '--format', 'yaml'], terminal)).toBe(0);
  expect(terminal.output()).toMatch(/^openapi: 3\.1/m);
  expect(terminal.output()).not.toContain('sales_Order/ordersByStatus');
});

test('a server that cannot be asked for its document is one sentence', async () => {
  const terminal = fakeTerminal();
  expect(await run(['openapi', '--from', 'http://127.0.0.1:1'], terminal)).toBe(2);
  expect(terminal.notes()).toMatch(
    /^http:\/\/127\.0\.0\.1:1\/rest\/docs\/openapiDetailed\.json\?openapi=3\.1 cannot be reached .*--from\.$/,
  );
});
