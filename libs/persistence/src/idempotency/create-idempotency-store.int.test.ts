import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { createDatabase } from '../connection/create-database.ts';
import type { Database } from '../database.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { createIdempotencyStore } from './create-idempotency-store.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase('persistence');
  await runMigrations({ url: server.url, migrations: [] });
  database = createDatabase({ url: server.url, maxConnections: 2, statementTimeoutMs: 5_000, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const request = { principal: 'user amy', key: 'k-1', requestHash: 'h' };
const answer = { status: 201, headers: {}, body: '{}' };
const keys = () => server.query('SELECT key, status FROM lintel.idempotent_request ORDER BY key');
const waiting = async (): Promise<unknown> => {
  const [row] = await server.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return row;
};

test('an answer that takes the place of an old one while the old ones are removed stays', async () => {
  const store = createIdempotencyStore(database, { retentionMs: 60_000 });
  await server.query(`INSERT INTO lintel.idempotent_request (principal, key, request_hash, status, headers, body, created_at)
    SELECT 'user amy', 'k-' || n, 'old', 200, '{}', '', now() - interval '1 day' FROM generate_series(1, 2) n`);
  let pruned: Promise<void> | undefined;
  await database.transaction(async (transaction) => {
    expect(await store.recall(transaction, request)).toEqual({ kind: 'new' });
    await store.record(transaction, request, answer);
    pruned = store.prune();
    await eventually(async () => expect(await waiting()).toEqual({ n: 1 }));
  });
  await pruned;
  expect(await keys()).toEqual([{ key: 'k-1', status: 201 }]);
});
