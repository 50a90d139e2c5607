import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../run-migrations.ts';

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase('persistence');
  await runMigrations({ url: server.url, migrations: [] });
});
afterAll(() => server.drop());
beforeEach(async () => {
  await server.query('DELETE FROM sec."user"');
  for (const table of ['auth.login_attempt', 'report_run.run', 'sys.list_view', 'sys.webhook'])
    await server.query(`DELETE FROM ${table}`);
});

const addUser = (username: string) =>
  server.query('INSERT INTO sec."user" (id, version, username, active) VALUES (gen_random_uuid(), 1, $1, true)', [
    username,
  ]);

/** What a user leaves under a name. */
async function addBelongings(username: string, view = 'Mine'): Promise<void> {
  await server.query(
    `INSERT INTO auth.login_attempt (username, outcome, client_id, address) VALUES ($1, 'succeeded', 'web', '192.0.2.1')`,
    [username],
  );
  await server.query(
    `INSERT INTO report_run.run (id, username, report_id, report_name, request, locale, session_id, status)
VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'Sales', '{}', 'en', 's', 'SUCCEEDED')`,
    [username],
  );
  for (const isShared of [true, false])
    await server.query(
      `INSERT INTO sys.list_view (id, owner, entity_name, name, content, is_shared)
VALUES (gen_random_uuid(), $1, 'Order', $2, '{}', $3)`,
      [username, `${view} ${isShared ? 'shared' : 'own'}`, isShared],
    );
  await server.query(
    `INSERT INTO sys.webhook (id, version, name, url, entity_name, changes, active, owner, secret)
VALUES (gen_random_uuid(), 1, $1, 'https://r.example', 'Order', 'created', true, $1, 'x')`,
    [username],
  );
}

/** Owners of attempts, runs, views and webhooks. */
async function owners(): Promise<readonly (readonly string[])[]> {
  const rows = await server.query<{ readonly owners: string[] }>(
    `SELECT ARRAY(SELECT username FROM auth.login_attempt ORDER BY 1) AS owners
UNION ALL SELECT ARRAY(SELECT username FROM report_run.run ORDER BY 1)
UNION ALL SELECT ARRAY(SELECT owner || '/' || name FROM sys.list_view ORDER BY 1)
UNION ALL SELECT ARRAY(SELECT owner || '/' || active FROM sys.webhook ORDER BY 1)`,
  );
  return rows.map((row) => row.owners);
}

const ANNA = [['anna'], ['anna'], ['anna/Mine own', 'anna/Mine shared'], ['anna/true']];
const RELEASED = [[], [], ['/Mine shared'], ['/false']];

test('the next user of a name has nothing of the former one', async () => {
  await addUser('anna');
  await addBelongings('anna');
  expect(await owners()).toEqual(ANNA);
  await server.query(`DELETE FROM sec."user" WHERE username = 'anna'`);
  expect(await owners()).toEqual(RELEASED);
  await addUser('anna');
  expect(await owners()).toEqual(RELEASED);
});

test('shared views of several removed users may have one name', async () => {
  for (const username of ['anna', 'berta']) {
    await addUser(username);
    await addBelongings(username);
  }
  await server.query('DELETE FROM sec."user"');
  expect(await owners()).toEqual([[], [], ['/Mine shared', '/Mine shared'], ['/false', '/false']]);
});

test('a user does not get what is left under the name', async () => {
  await addBelongings('anna');
  await addUser('anna');
  expect(await owners()).toEqual(RELEASED);
});

test('a renamed user keeps all, and the next user of the former name has nothing', async () => {
  await addUser('maria');
  await addBelongings('maria');
  await addBelongings('anna', 'Former');
  await server.query(`UPDATE sec."user" SET username = 'anna' WHERE username = 'maria'`);
  const renamed = [ANNA[0], ANNA[1], ['/Former shared', ...(ANNA[2] ?? [])], ['/false', 'anna/true']];
  expect(await owners()).toEqual(renamed);
  await addUser('maria');
  expect(await owners()).toEqual(renamed);
});

test('another change of a user changes nothing', async () => {
  await addUser('anna');
  await addBelongings('anna');
  await server.query(`UPDATE sec."user" SET username = username, active = false`);
  expect(await owners()).toEqual(ANNA);
});
