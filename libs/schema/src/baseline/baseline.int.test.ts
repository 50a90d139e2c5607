import { readFileSync } from 'node:fs';
import { buildModel } from '@lintel/metadata';
import { createDatabase } from '@lintel/persistence';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { dumpOf } from '../../test/database-dump.ts';
import { migrationStatus } from '../migrations/migration-status.ts';
import { pendingMigrationNames } from '../migrations/pending-migration-names.ts';
import { PLATFORM_BASELINE } from '../migrations/platform/index.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { checksumOf } from '../migrations/schema-migration.ts';
import { baselineMigrations } from './baseline.ts';

const CREATE = { name: '1795000000000-create', up: ['CREATE TABLE public.thing (id int)'], down: [] };
const NOTHING_ELSE = { fits: true, names: [PLATFORM_BASELINE.name], renames: [], findings: [] };

/** The database of a version that had a list of migrations instead of the baseline. */
let earlier: TestDatabase;
beforeEach(async () => {
  earlier = await createTestDatabase('earlier');
  await earlier.query(readFileSync(new URL('../../test/earlier-platform.sql', import.meta.url), 'utf8'));
});
afterEach(() => earlier.drop());

const baseline = (dryRun = false) =>
  baselineMigrations({ url: earlier.url, model: buildModel({ entities: [] }), migrations: [CREATE], dryRun });
const recorded = () => earlier.query('SELECT name FROM lintel.migration ORDER BY id');

test('the baseline of the platform makes the objects and rows of the migrations that it replaces', async () => {
  const present = await createTestDatabase('present');
  try {
    await runMigrations({ url: present.url, migrations: [] });
    await baseline();
    await runMigrations({ url: earlier.url, migrations: [] });
    const [before, after] = [await dumpOf(earlier), await dumpOf(present)];
    expect(before.length).toBeGreaterThan(500);
    expect(after).toEqual(before);
  } finally {
    await present.drop();
  }
});

test('a database of an earlier version is refused until its platform has a baseline; then migrations run', async () => {
  await earlier.query(CREATE.up[0] ?? '');
  await earlier.query(
    `INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1795000000000, 'create-1795000000000', $1)`,
    [checksumOf(CREATE)],
  );
  const database = createDatabase({
    url: earlier.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'data',
  });
  try {
    for (const refused of [
      runMigrations({ url: earlier.url, migrations: [CREATE] }),
      migrationStatus({ url: earlier.url, migrations: [CREATE] }),
      pendingMigrationNames(database, [CREATE]),
    ])
      await expect(refused).rejects.toThrow('"lintel migrate baseline" records the baseline instead of them');
  } finally {
    await database.close();
  }
  expect(await baseline()).toMatchObject(NOTHING_ELSE);
  expect(await recorded()).toEqual([{ name: 'create-1795000000000' }, { name: 'platform-1763683200100' }]);
  expect(await runMigrations({ url: earlier.url, migrations: [CREATE] })).toEqual([
    '1764400000000-history',
    '1764700000000-history-in-order',
    '1764800000000-access-log',
    '1764900000000-jobs',
    '1765100000000-event-handlers',
    '1765200000000-mails',
    '1765300000000-webhooks-of-events',
    '1765400000000-questions-of-views',
    '1765500000000-history-of-values',
    '1765600000000-conditions-of-webhooks',
    '1765700000000-history-of-rows',
    '1765800000000-report-deliveries',
    '1765850000000-history-in-less-time',
    '1765900000000-callers-of-runs',
    '1765950000000-owners-of-deliveries',
    '1765960000000-schedules-of-every-time',
    '1766050000000-received-events',
    '1766100000000-notifications',
    '1766150000000-history-of-imports',
    '1766160000000-paused-jobs',
  ]);
});

test('a dry run prints the statements and changes nothing', async () => {
  const before = await recorded();
  const { sql, ...result } = await baseline(true);
  expect(result).toEqual(NOTHING_ELSE);
  expect(await recorded()).toEqual(before);
  await earlier.query(sql);
  expect(await recorded()).toEqual([{ name: 'platform-1763683200100' }]);
});

test('a database that lacks the last of the replaced migrations is refused', async () => {
  await earlier.query(`DELETE FROM lintel.migration WHERE name = 'platform-security-event-sources-1763683200046'`);
  await expect(baseline()).rejects.toThrow('first migrate the database with the version that has it');
});
