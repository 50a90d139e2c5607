import { readFileSync } from 'node:fs';
import { createTestDatabase } from '@lintel/testkit';
import { Client } from 'pg';
import { platformCatalogueSource } from '../../test/platform-catalogue-source.ts';
import { PLATFORM_MIGRATIONS } from '../migrations/platform/index.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { checksumOf } from '../migrations/schema-migration.ts';
import { readCatalogue } from './read-catalogue.ts';

test('the catalogue of the platform is what its migrations make (test/write-platform-catalogue.ts)', async () => {
  const server = await createTestDatabase('catalogue');
  const client = new Client({ connectionString: server.url });
  try {
    await runMigrations({ url: server.url, migrations: [] });
    await client.connect();
    const source = await platformCatalogueSource(client, readCatalogue);
    expect(readFileSync(new URL('platform-catalogue.ts', import.meta.url), 'utf8')).toBe(source);
    // Functions with the rights of their owner are for those to whom a migration grants them.
    const { rows } = await client.query(`SELECT p.oid::regprocedure::text AS name FROM pg_proc p
      WHERE p.prosecdef AND has_function_privilege('public', p.oid, 'EXECUTE') ORDER BY 1`);
    expect(rows).toEqual([]);
  } finally {
    await client.end();
    await server.drop();
  }
});

test('migrations of the platform are added to, never changed: a database that ran them would refuse the others', () => {
  const checksums = PLATFORM_MIGRATIONS.map((migration) => `${migration.name} ${checksumOf(migration).slice(0, 12)}`);
  expect(checksums).toEqual([
    '1763683200100-platform 7d48fbb4ad81',
    '1764400000000-history 6f61ac8de229',
    '1764700000000-history-in-order 7abce349f245',
    '1764800000000-access-log f8e844b3dbe2',
    '1764900000000-jobs c5d6ab3c325d',
    '1765100000000-event-handlers 50bcb9a67a0b',
    '1765200000000-mails 3459f9f78fbd',
    '1765300000000-webhooks-of-events 35e1995f8ff1',
    '1765400000000-questions-of-views 07d08726069a',
    '1765500000000-history-of-values 5e0a8cea87dc',
    '1765600000000-conditions-of-webhooks 6aa804e8ba93',
    '1765700000000-history-of-rows 9bca52b34f2d',
    '1765800000000-report-deliveries 4a1c8f478600',
    '1765850000000-history-in-less-time a68559a37332',
    '1765900000000-callers-of-runs c5f447228a4b',
    '1765950000000-owners-of-deliveries 07735167373e',
    '1765960000000-schedules-of-every-time 0fc174eceac2',
    '1766050000000-received-events 8353cd643649',
    '1766100000000-notifications 1c4075fb512f',
    '1766150000000-history-of-imports 1dbc1e7d5069',
    '1766160000000-paused-jobs cf30ae9662f1',
  ]);
});
