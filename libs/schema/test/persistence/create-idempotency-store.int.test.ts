import { createDatabase, createIdempotencyStore, type Database } from '@lintel/persistence';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../../src/migrations/run-migrations.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'persistence',
  );
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'test',
  });
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const request = { principal: 'user amy', key: 'k-1', requestHash: 'h' };
const response = { status: 201, headers: {}, body: '{}' };
const keys = () => server.query('SELECT key, status FROM lintel.idempotent_request ORDER BY key');
const waiting = async (): Promise<unknown> => {
  const [row] = await server.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return row;
};

test('a response that replaces an old one while the old ones are removed stays', async () => {
  const store = createIdempotencyStore(database, { retentionMs: 60_000 });
  await server.query(`INSERT INTO lintel.idempotent_request (principal, key, request_hash, status, headers, body, created_at)
    SELECT 'user amy', 'k-' || n, 'old', 200, '{}', '', now() - interval '1 day' FROM generate_series(1, 2) n`);
  let pruned: Promise<void> | undefined;
  await database.transaction(async (transaction) => {
    expect(await store.recall(transaction, request)).toEqual({ kind: 'new' });
    await store.record(transaction, request, response);
    pruned = store.prune();
    await eventually(async () => expect(await waiting()).toEqual({ n: 1 }));
  });
  await pruned;
  expect(await keys()).toEqual([{ key: 'k-1', status: 201 }]);
});
