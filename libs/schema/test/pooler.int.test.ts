import { createTestDatabase, runOnce, type TestDatabase } from '@lintel/testkit';
import { type PgBouncer, startPgBouncer } from '@lintel/testkit/backends';
import { migrationStatus, runMigrations } from '../src/index.ts';

let server: TestDatabase;
let pooler: PgBouncer;

beforeAll(async () => {
  server = await createTestDatabase('migrated');
  pooler = await startPgBouncer({ serverUrl: server.url, settings: { default_pool_size: '1' } });
});
afterAll(async () => {
  await pooler.dispose();
  await server.drop();
});

test('migrations are refused through a pooler, and change nothing', async () => {
  await expect(runMigrations({ url: pooler.through(server.url), migrations: [] })).rejects.toThrow(
    /the URL leads to a pooler .*: name PostgreSQL itself as svc.datasource.direct-url/,
  );
  await expect(server.query(`SELECT FROM pg_namespace WHERE nspname = 'lintel'`)).resolves.toEqual([]);
});

test('their state can be read through it, and the next client gets a session without settings', async () => {
  await runMigrations({ url: server.url, migrations: [] });
  const url = pooler.through(server.url);
  const status = await migrationStatus({ url, migrations: [] });
  expect(new Set(status.map(({ state }) => state))).toEqual(new Set(['executed']));
  await expect(
    runOnce(
      url,
      `SELECT current_setting('search_path') AS path, current_setting('transaction_read_only') AS read_only`,
    ),
  ).resolves.toEqual([{ path: '"$user", public', read_only: 'off' }]);
});
