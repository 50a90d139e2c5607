import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../run-migrations.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await createTestDatabase('persistence');
  await runMigrations({ url: server.url, migrations: [] });
  // Users who were there before their names were checked.
  await server.query('ALTER TABLE sec."user" DISABLE TRIGGER USER');
  for (const username of ['anna', 'Anna', 'nightly', 'Mary Ann', 'client:x']) await add(username);
  await server.query('ALTER TABLE sec."user" ENABLE TRIGGER USER');
  await server.query(
    `INSERT INTO auth.client (client_id, metadata, enabled, created_by, updated_by) VALUES ('Nightly', '{}', true, 'a', 'a')`,
  );
});
afterAll(() => server.drop());

const add = (username: string) =>
  server.query('INSERT INTO sec."user" (id, version, username, active) VALUES (gen_random_uuid(), 1, $1, true)', [
    username,
  ]);
const addRun = (username: string) =>
  server.query(
    `INSERT INTO report_run.run (id, username, report_id, report_name, request, locale, session_id, status)
VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'Sales', '{}', 'en', 's', 'SUCCEEDED')`,
    [username],
  );
const namesOf = async (table: string) =>
  (await server.query(`SELECT username FROM ${table} ORDER BY username`)).map(({ username }) => username);

test('a name is that of one user or client, whatever writes it; a name that stays is not checked', async () => {
  for (const username of ['ANNA', 'NIGHTLY', '\uff21nna'])
    await expect(add(username)).rejects.toThrow('the user name is taken');
  await server.query(`UPDATE sec."user" SET username = username, active = false`);
  await server.query(`UPDATE sec."user" SET username = 'Bert' WHERE username = 'Anna'`);
  await expect(server.query(`UPDATE sec."user" SET username = 'Nightly' WHERE username = 'Bert'`)).rejects.toThrow();
  const created = await server.query(
    `SELECT sec.create_federated_user(gen_random_uuid(), 'bert', NULL, NULL, NULL, NULL, 'scim') AS created`,
  );
  expect(created).toEqual([{ created: false }]);
});

test('of users who are created at the same time, one gets a name', async () => {
  const results = await Promise.allSettled(['dora', 'Dora', 'DORA', 'doRa'].map(add));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a user whose name looks like the key of a client never takes or removes the runs of the client', async () => {
  await addRun('client:x');
  await addRun('user:client:x');
  await server.query(`UPDATE sec."user" SET username = 'xaver' WHERE username = 'client:x'`);
  await server.query(`UPDATE sec."user" SET username = 'client:x' WHERE username = 'xaver'`);
  expect(await namesOf('report_run.run')).toContain('user:client:x');
  await server.query(`DELETE FROM sec."user" WHERE username = 'client:x'`);
  expect(await namesOf('report_run.run')).toEqual(['client:x']);
});
