import { createDatabase, type Database } from '@lintel/persistence';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../run-migrations.ts';
import { PLATFORM_MIGRATIONS } from './index.ts';

const ID = '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase('persistence');
  await runMigrations({ url: server.url, migrations: [] });
  await server.query(`INSERT INTO sec."user" (id, version, username, password) VALUES ($1, 1, 'clerk', 'old-hash')`, [
    ID,
  ]);
  // A login of the auth service would be a member of the role; taking the role comes to the same.
  const url = new URL(server.url);
  url.searchParams.set('options', '-c role=lintel_sec_reader');
  database = createDatabase({ url: url.href, maxConnections: 1, statementTimeoutMs: 60_000, applicationName: 'auth' });
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const replace = (from: string, to: string) =>
  database.query({ text: 'SELECT sec.replace_password_hash($1, $2, $3) AS replaced', values: [ID, from, to] });

test('the reader of users sees them and changes nothing', async () => {
  await expect(database.query({ text: 'SELECT username FROM sec."user"', values: [] })).resolves.toEqual([
    { username: 'clerk' },
  ]);
  await expect(database.query({ text: 'SELECT role_code FROM sec.role_assignment', values: [] })).resolves.toEqual([]);
  for (const text of [
    'UPDATE sec."user" SET password = NULL',
    'DELETE FROM sec."user"',
    'SELECT * FROM auth.signing_key',
  ]) {
    await expect(database.query({ text, values: [] })).rejects.toMatchObject({ database: { sqlState: '42501' } });
  }
});

test('a hash is replaced only while it is the one that was verified', async () => {
  await expect(replace('old-hash', 'new-hash')).resolves.toEqual([{ replaced: true }]);
  await expect(replace('old-hash', 'later-hash')).resolves.toEqual([{ replaced: false }]);
  expect(await server.query('SELECT password, version FROM sec."user"')).toEqual([
    { password: 'new-hash', version: 1 },
  ]);
});

test('a migrating user that may not make roles migrates all the same', async () => {
  const limited = await createTestDatabase('persistence');
  const role = limited.name;
  try {
    await limited.query(`CREATE ROLE "${role}" LOGIN PASSWORD 'secret' NOCREATEROLE`);
    await limited.query(`GRANT CREATE ON DATABASE "${limited.name}" TO "${role}"`);
    const url = new URL(limited.url);
    url.username = role;
    url.password = 'secret';
    await expect(runMigrations({ url: url.href, migrations: [] })).resolves.toHaveLength(PLATFORM_MIGRATIONS.length);
  } finally {
    await limited.drop();
    await server.query(`DROP ROLE IF EXISTS "${role}"`);
  }
});
