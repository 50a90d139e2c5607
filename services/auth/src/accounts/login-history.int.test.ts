import { createLoginHistory } from '@lintel/login';
import { createDatabase, type Database } from '@lintel/persistence';
import { createLogger } from '@lintel/telemetry';
import type { TestDatabase } from '@lintel/testkit';
import { createAuthDatabase } from '../../test/start-auth.ts';

const logger = createLogger({ service: 'auth', level: 'info', destination: { write: () => undefined } });
const DAY_MS = 24 * 3_600_000;

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  database = createDatabase({
    url: testDatabase.url,
    applicationName: 'login-history',
    maxConnections: 2,
    statementTimeoutMs: 60_000,
  });
  await testDatabase.query(`INSERT INTO sec.user (id, version, username, password, active)
    VALUES (gen_random_uuid(), 1, 'anna', 'x', true)`);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const attempt = (username: string) =>
  ({ username, outcome: 'succeeded', method: 'password', clientId: 'web', address: '192.0.2.1' }) as const;
const page = { username: 'anna', limit: 10, offset: 0 };

// Asserts contract/user.md#user-sessions.
test('attempts of users are kept for the configured time, the newest first; names that belong to no user are not stored', async () => {
  const history = createLoginHistory(database, DAY_MS, logger);
  await history.record(attempt('anna'));
  await history.record({ ...attempt('anna'), outcome: 'wrong-password' });
  await history.record(attempt('nobody'));
  await history.record(attempt('a\0b'));
  expect((await history.of(page)).map(({ outcome }) => outcome)).toEqual(['wrong-password', 'succeeded']);
  expect(await testDatabase.query('SELECT username FROM auth.login_attempt')).toHaveLength(2);
  await testDatabase.query(`UPDATE auth.login_attempt SET attempted_at = now() - interval '25 hours'
    WHERE outcome = 'succeeded'`);
  await history.prune();
  expect((await history.of(page)).map(({ outcome }) => outcome)).toEqual(['wrong-password']);
});

// Asserts contract/user.md#user-sessions.
test('with 0 nothing is stored, and what is stored is removed', async () => {
  const history = createLoginHistory(database, 0, logger);
  await history.record(attempt('anna'));
  await history.prune();
  expect(await history.of(page)).toEqual([]);
});

// Asserts contract/user.md#user-sessions.
test('an attempt has its method, and the provider or directory at which it was made', async () => {
  const history = createLoginHistory(database, DAY_MS, logger);
  await testDatabase.query('DELETE FROM auth.login_attempt');
  await history.record({ ...attempt('anna'), method: 'provider', provider: 'acme', outcome: 'refused' });
  await history.record({ ...attempt('anna'), method: 'token', provider: 'resource-server', address: null });
  expect(await history.of(page)).toMatchObject([
    { method: 'token', provider: 'resource-server', outcome: 'succeeded', address: null },
    { method: 'provider', provider: 'acme', outcome: 'refused', address: '192.0.2.1' },
  ]);
});

test('the next user of a name has not the history of the former one', async () => {
  const history = createLoginHistory(database, DAY_MS, logger);
  const addBerta = () =>
    testDatabase.query(`INSERT INTO sec.user (id, version, username, active)
      VALUES (gen_random_uuid(), 1, 'berta', true)`);
  await addBerta();
  await history.record(attempt('berta'));
  expect(await history.of({ ...page, username: 'berta' })).toHaveLength(1);
  await testDatabase.query(`DELETE FROM sec.user WHERE username = 'berta'`);
  await addBerta();
  expect(await history.of({ ...page, username: 'berta' })).toEqual([]);
});
