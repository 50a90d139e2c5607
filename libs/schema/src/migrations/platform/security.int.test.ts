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

test('rights of the groups of logins that a restored database lost are granted by the next run', async () => {
  const restored = await createTestDatabase('persistence');
  const groups = ['lintel_sec_reader', 'lintel_federation', 'lintel_report_runner'];
  const rights = () =>
    restored.query(`SELECT n.nspname AS schema, coalesce(c.relname, p.proname) AS name, a.grantee::regrole::text, a.privilege_type
      FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid LEFT JOIN pg_proc p ON p.pronamespace = n.oid
      CROSS JOIN LATERAL aclexplode(array_cat(array_cat(n.nspacl, c.relacl), p.proacl)) a
      WHERE a.grantee::regrole::text = ANY('{${groups.join()}}') GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`);
  try {
    await runMigrations({ url: restored.url, migrations: [] });
    const before = await rights();
    await restored.query(`DROP OWNED BY ${groups.join()}`);
    expect(await rights()).toEqual([]);
    await expect(runMigrations({ url: restored.url, migrations: [] })).resolves.toEqual([]);
    expect(await rights()).toEqual(before);
    expect(before).not.toEqual([]);
  } finally {
    await restored.drop();
  }
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
