import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sales from '@lintel/example-sales';
import { verifyPassword } from '@lintel/passwords';
import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

// Needs a database: createTestDatabase.

const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };

let testDatabase: TestDatabase;
let database: Database;
let folder: string;
beforeAll(async () => {
  testDatabase = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
    'cli_users',
  );
  database = createDatabase({
    url: testDatabase.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    applicationName: 't',
    logger,
  });
  folder = mkdtempSync(join(tmpdir(), 'lintel-users-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.close();
  await testDatabase.drop();
});

const add = async (parameters: readonly string[], options: Parameters<typeof fakeTerminal>[0] = {}) => {
  const terminal = fakeTerminal(options);
  const named = ['--application', '@lintel/example-sales', '--url', testDatabase.url];
  const code = await run(['user', 'add', ...parameters, ...named], terminal);
  return { code, ...terminal };
};
const rows = <T extends object>(text: string): Promise<readonly T[]> => database.query<T>({ text, values: [] });
const userNamed = async (name: string) =>
  (await rows<{ password: string; active: boolean }>(`SELECT * FROM sec."user" WHERE username = '${name}'`))[0];

test('a user is added with roles and a hashed password, and the services are notified', async () => {
  const { code, output } = await add(
    ['ada', '--role', 'rest-minimal', '--role', 'sales-manager', '--row-level-role', 'own-region', '--json'],
    { input: 'correct horse\n' },
  );
  expect(code).toBe(0);
  expect(JSON.parse(output())).toMatchObject({
    username: 'ada',
    roles: ['rest-minimal', 'sales-manager', 'own-region'],
  });
  const user = await userNamed('ada');
  expect(user).toMatchObject({ active: true, created_by: 'system' });
  expect(await verifyPassword(user?.password ?? '', 'correct horse')).toMatchObject({ ok: true });
  expect(await rows(`SELECT role_code, role_type FROM sec.role_assignment WHERE username = 'ada' ORDER BY 1`)).toEqual([
    { role_code: 'own-region', role_type: 'row-level' },
    { role_code: 'rest-minimal', role_type: 'resource' },
    { role_code: 'sales-manager', role_type: 'resource' },
  ]);
  expect((await rows('SELECT 1 FROM events.outbox')).length).toBeGreaterThanOrEqual(4);
});

test('the password is asked for twice, or comes from a file; it is shown nowhere', async () => {
  const prompted = await add(['asked'], { inputs: ['a secret', 'a secret'] });
  expect(prompted.code).toBe(0);
  expect(prompted.output() + prompted.notes()).not.toContain('a secret');
  const differing = await add(['differing'], { inputs: ['a secret', 'another'] });
  expect([differing.code, differing.notes()]).toEqual([2, expect.stringContaining('differ')]);
  const file = join(folder, 'password');
  writeFileSync(file, 'from a file\n');
  expect((await add(['filed', '--password-file', file, '--inactive'])).code).toBe(0);
  const filed = await userNamed('filed');
  expect(filed?.active).toBe(false);
  expect(await verifyPassword(filed?.password ?? '', 'from a file')).toMatchObject({ ok: true });
});

test.each([
  ['a name that is taken', ['twice'], 'a password', 'There is a user twice already'],
  ['a role that there is not', ['other', '--role', 'sales-manger'], 'a password', 'no resource role sales-manger'],
  ['a role in another case', ['other', '--role', 'Rest-Minimal'], 'a password', 'no resource role Rest-Minimal'],
  ['a value that breaks a rule', ['other', '--email', 'nobody'], 'a password', 'email: '],
  ['no password', ['other'], '', 'The password is empty'],
  ['a file that is missing', ['other', '--password-file', '/nowhere'], '', 'Check --password-file'],
])('%s is one sentence, and nothing is written', async (_what, parameters, input, sentence) => {
  if (parameters[0] === 'twice') await add(['twice'], { input: 'a password' });
  const before = await rows('SELECT id FROM sec."user"');
  const { code, notes } = await add(parameters, { input });
  expect(code).toBe(2);
  expect(notes()).toContain(sentence);
  expect(notes()).not.toMatch(/^\s+at /m);
  expect(await rows('SELECT id FROM sec."user"')).toEqual(before);
});

test('for a database without the tables the error says what to do', async () => {
  const empty = await createTestDatabase('cli_empty');
  const terminal = fakeTerminal({ input: 'x' });
  const parameters = ['user', 'add', 'ada', '--application', '@lintel/example-sales', '--url', empty.url];
  expect(await run(parameters, terminal)).toBe(2);
  expect(terminal.notes()).toContain('lintel migrate run');
  await empty.drop();
});
