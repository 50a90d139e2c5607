import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import sales from '@lintel/example-sales';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

let database: TestDatabase;
let named: readonly string[];
beforeAll(async () => {
  database = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
    'cli_shell',
  );
  named = ['--application', '@lintel/example-sales', '--url', database.url];
  const terminal = fakeTerminal({ input: 'a long password' });
  expect(
    await run(['user', 'add', 'ada', '--role', 'rest-minimal', '--role', 'catalog-reader', ...named], terminal),
  ).toBe(0);
});
afterAll(() => database.drop());

/** Pipes lines into a shell. */
const shell = (lines: readonly string[], ...parameters: readonly string[]) =>
  new Promise<{ readonly code: number | null; readonly output: readonly string[]; readonly notes: string }>((done) => {
    const child = spawn(process.execPath, ['--conditions=lintel-source', MAIN, 'shell', ...named, ...parameters]);
    let output = '';
    let notes = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      notes += text;
    });
    child.once('close', (code) => done({ code, output: output.trimEnd().split('\n'), notes }));
    child.stdin.end(`${lines.join('\n')}\n`);
  });

test('a pipe is one script with the data manager, whose last value is printed', async () => {
  const { code, output } = await shell([
    "const id = await data.create('sales_ProductTag', { name: 'Xanadu' });",
    "console.log((await data.load('sales_ProductTag', id, { fetchPlan: '_local' })).name);",
    "await data.update('sales_ProductTag', id, {",
    "  name: 'Yonder',",
    '});',
    "const ada = await as('ada');",
    "({ tags: (await data.loadList('sales_ProductTag')).length, products: (await ada.loadList('sales_Product')).length })",
  ]);
  expect(output).toEqual(['Xanadu', '{ tags: 1, products: 0 }']);
  expect(code).toBe(0);
});

test('instances are found by words, grouped and aggregated', async () => {
  const { output, notes } = await shell([
    "for (const [name, creditLimit] of [['Brandt Übersee', '12345678901234567.89'], ['Kraft', '0.01']])",
    "  await data.create('sales_Customer', { name, creditLimit });",
    "const n = { count: '*' };",
    "const total = { sum: 'creditLimit' };",
    "console.log(await data.aggregate('sales_Customer', { groupBy: ['grade'], aggregates: { n, total } }));",
    "console.log(await data.aggregate('sales_Customer', { groupBy: ['name'], q: 'kraft', sort: 'name', limit: 1 }));",
    "const [found, ...others] = await data.loadList('sales_Customer', { q: 'ubersee' });",
    "({ name: found.name, others: others.length, count: await data.count('sales_Customer', { q: 'bran' }) })",
  ]);
  expect([notes, output]).toEqual([
    '',
    [
      "[ { grade: null, n: '2', total: '12345678901234567.90' } ]",
      "[ { name: 'Kraft' } ]",
      "{ name: 'Brandt Übersee', others: 0, count: 1 }",
    ],
  ]);
});

test('with --user, the rights of a user apply', async () => {
  const question = "await data.aggregate('sales_Customer', { aggregates: { n: { count: '*' } } })";
  expect((await shell([question], '--user', 'ada')).notes).toContain("code: 'ACCESS_READ_DENIED'");
  const refused = await shell(["await data.create('sec_User', { username: 'eve' })"], '--user', 'ada');
  expect([refused.code, refused.notes]).toEqual([1, expect.stringContaining("code: 'ACCESS_CREATE_DENIED'")]);
  expect((await shell(['1'], '--user', 'nobody')).notes).toContain('There is no user nobody');
});

test('webhooks are not saved: only the data service encrypts their secrets', async () => {
  const { code, notes } = await shell([
    "await data.create('sys_Webhook', { name: 'w', url: 'https://example.com/', entityName: 'sales_Order', active: false })",
  ]);
  expect([code, notes]).toEqual([1, expect.stringContaining('Webhooks can only be saved with the API')]);
  expect(await database.query('SELECT count(*)::int AS count FROM sys.webhook')).toEqual([{ count: 0 }]);
});

test('values that are no objects are printed, and undefined is not', async () => {
  for (const [script, shown] of [
    ['10n ** 20n', '100000000000000000000n'],
    ['undefined', ''],
  ] as const)
    expect(await shell([script])).toMatchObject({ code: 0, output: [shown] });
});

test.each([
  ['const a = ', 'Unexpected end of input'],
  ['nothing()', 'nothing is not defined'],
])(
  'the script %s fails with its error',
  async (script, reason) => {
    const { code, notes } = await shell([script]);
    expect([code, notes]).toEqual([1, expect.stringContaining(reason)]);
  },
  60_000,
);
