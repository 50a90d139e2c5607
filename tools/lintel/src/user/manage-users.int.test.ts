import sales from '@lintel/example-sales';
import { verifyPassword } from '@lintel/passwords';
import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';

// Needs a database: createTestDatabase.

const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await cloneTestDatabase(
    { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
    'cli_manage_users',
  );
  database = createDatabase({
    url: testDatabase.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    applicationName: 't',
    logger,
  });
  const ada = ['add', 'ada', '--role', 'rest-minimal', '--row-level-role', 'own-region', '--first-name', 'Ada'];
  await user(ada, { input: 'first password' });
  await user(['add', 'grace', '--inactive', '--email', 'grace@example.com'], { input: 'first password' });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function user(parameters: readonly string[], options: Parameters<typeof fakeTerminal>[0] = {}) {
  const terminal = fakeTerminal(options);
  const named = ['--application', '@lintel/example-sales', '--url', testDatabase.url];
  const code = await run(['user', ...parameters, ...named], terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
}
const listed = async (...parameters: string[]) => JSON.parse((await user(['list', '--json', ...parameters])).output);

test('users are listed with their roles, as a table or as JSON', async () => {
  expect(await listed()).toEqual([
    {
      username: 'ada',
      active: true,
      email: null,
      name: 'Ada',
      roles: ['rest-minimal'],
      rowLevelRoles: ['own-region'],
    },
    { username: 'grace', active: false, email: 'grace@example.com', name: null, roles: [], rowLevelRoles: [] },
  ]);
  expect((await user(['list'])).output.split('\n')).toEqual([
    'User   Active  Name               Roles         Row-level roles',
    'ada    yes     Ada                rest-minimal  own-region',
    'grace  no      grace@example.com  –             –',
  ]);
  expect(await listed('--role', 'own-region')).toMatchObject([{ username: 'ada' }]);
  expect((await user(['list', '--role', 'auditor'])).output).toBe('No user has the role auditor.');
});

test('a password is set, and shown nowhere', async () => {
  const { code, output, notes } = await user(['passwd', 'grace'], { inputs: ['another secret', 'another secret'] });
  expect({ code, output, notes }).toEqual({ code: 0, output: 'Changed the password of grace.', notes: '' });
  const [row] = await database.query<{ password: string }>({
    text: `SELECT password FROM sec."user" WHERE username = 'grace'`,
    values: [],
  });
  expect(await verifyPassword(row?.password ?? '', 'another secret')).toMatchObject({ ok: true });
});

test('roles are granted and revoked; those that a user has already stay', async () => {
  const granted = await user(['grant', 'grace', '--role', 'rest-minimal', '--row-level-role', 'own-region']);
  expect(granted).toMatchObject({ code: 0, output: 'Granted rest-minimal, own-region to grace.' });
  const again = await user(['grant', 'grace', '--role', 'rest-minimal', '--json']);
  expect([again.code, JSON.parse(again.output)]).toEqual([0, { username: 'grace', granted: [] }]);
  const revoked = await user(['revoke', 'grace', '--row-level-role', 'own-region']);
  expect(revoked).toMatchObject({ code: 0, output: 'Revoked own-region from grace.' });
  expect(await listed('--role', 'rest-minimal')).toMatchObject([
    { username: 'ada' },
    { username: 'grace', roles: ['rest-minimal'], rowLevelRoles: [] },
  ]);
});

test('the name of requests without a token can have roles without being a user', async () => {
  expect(await user(['grant', 'anonymous', '--role', 'rest-minimal'])).toMatchObject({ code: 0 });
  expect(await user(['revoke', 'anonymous', '--role', 'rest-minimal'])).toMatchObject({ code: 0 });
});

test.each([
  [['passwd', 'nobody'], 'There is no user nobody. "lintel user list" shows the users.'],
  [['grant', 'nobody', '--role', 'rest-minimal'], 'There is no user nobody'],
  [['grant', 'ada'], 'No role is named. Name one with --role or --row-level-role.'],
  [['grant', 'ada', '--role', 'sales-manger'], 'There is no resource role sales-manger. There are '],
  [['revoke', 'ada', '--role', 'own-region'], 'ada does not have the resource role own-region. ada has '],
])('%j is refused in one sentence, and nothing is written', async (parameters, sentence) => {
  const before = await listed();
  const { code, output, notes } = await user(parameters, { input: 'a password' });
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(notes).toContain(sentence);
  expect(await listed()).toEqual(before);
});
