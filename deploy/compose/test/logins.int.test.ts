import application from '@lintel/example-sales';
import { createDatabase, type Database } from '@lintel/persistence';
import { grantReportReader, runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { LOGINS, type Login, makeLogins, type TestLogins } from './make-logins.ts';

let server: TestDatabase;
let logins: TestLogins;
const databases = new Map<Login, Database>();
const query = (login: Login, text: string) => {
  const database = databases.get(login);
  if (database === undefined) throw new Error(`${login} has no database`);
  return database.query({ text, values: [] });
};
const refused = { database: { sqlState: '42501' } };

beforeAll(async () => {
  server = await createTestDatabase('logins');
  logins = await makeLogins(server);
  await runMigrations({ url: logins.urlOf('owner'), migrations: application.migrations ?? [] });
  for (const login of LOGINS)
    databases.set(
      login,
      createDatabase({
        url: logins.urlOf(login),
        maxConnections: 1,
        statementTimeoutMs: 60_000,
        applicationName: login,
      }),
    );
  const owner = databases.get('owner');
  if (owner !== undefined) await grantReportReader(owner, application.model);
});
afterAll(async () => {
  for (const database of databases.values()) await database.close();
  await logins.drop();
  await server.drop();
});

describe('the logins that the compose file makes', () => {
  test('the owner of the database migrates it, and is no superuser', async () => {
    const [role] = await query('owner', 'SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user');
    expect(role).toEqual({ rolsuper: false, rolcreaterole: false });
    await expect(query('owner', 'SELECT count(*)::int AS n FROM sales.customer')).resolves.toEqual([{ n: 0 }]);
  });

  test('auth reads users and keeps its own tables, and nothing of the application', async () => {
    await query('auth', 'SELECT username FROM sec."user"');
    const tables = await server.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'auth'`,
    );
    expect(tables.length).toBeGreaterThan(1);
    for (const { name } of tables) {
      await query('auth', `SELECT * FROM auth.${name}`);
      await query('auth', `DELETE FROM auth.${name}`);
    }
    await expect(query('auth', 'SELECT * FROM sales.customer')).rejects.toMatchObject(refused);
    await expect(query('auth', 'DELETE FROM sec."user"')).rejects.toMatchObject(refused);
  });

  test('files read roles alone', async () => {
    await query('files', 'SELECT * FROM sec.role_snapshot');
    for (const table of ['auth.signing_key', 'sales.customer', 'report_run.run'])
      await expect(query('files', `SELECT * FROM ${table}`)).rejects.toMatchObject(refused);
  });

  test('reports keep runs and read definitions, and no data of the application', async () => {
    await query('reports', 'SELECT * FROM sec.role_snapshot');
    await query('reports', 'SELECT * FROM report.report_snapshot');
    await query('reports', 'DELETE FROM report_run.run');
    for (const table of ['auth.signing_key', 'sales.customer'])
      await expect(query('reports', `SELECT * FROM ${table}`)).rejects.toMatchObject(refused);
  });

  test('SQL of reports reads the tables of the application, and changes nothing', async () => {
    await expect(query('report_data', 'SELECT name FROM sales.customer')).resolves.toEqual([]);
    for (const text of [
      'DELETE FROM sales.customer',
      'SELECT password FROM sec."user"',
      'SELECT * FROM auth.signing_key',
      'CREATE TEMPORARY TABLE t (n integer)',
    ])
      await expect(query('report_data', text)).rejects.toMatchObject(refused);
  });
});
