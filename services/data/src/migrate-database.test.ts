import { isStartError } from '@lintel/errors';
import { migrateDatabase, warnOfPendingMigrations } from './migrate-database.ts';

/** Nothing listens on the port: it is reserved. */
const UNREACHABLE = 'postgres://lintel:secret@127.0.0.1:1/lintel';
const SSL = { mode: undefined, rootCertificate: undefined, certificate: undefined, key: undefined };
const addresses = { url: UNREACHABLE, directUrl: undefined, ssl: SSL, passwordFile: undefined };
const logger = { info: () => {}, warn: () => {} };

test('a database that cannot be reached ends the start with a line that names the property and the reason', async () => {
  const error = await migrateDatabase(addresses, {}, logger).catch((thrown: unknown) => thrown);
  expect(isStartError(error)).toBe(true);
  expect((error as Error).message).toBe(
    'The database of svc.datasource.url cannot be migrated: connect ECONNREFUSED 127.0.0.1:1. Start PostgreSQL first, or set svc.datasource.migrate=false and migrate with "lintel migrate run".',
  );
});

test('the property of the address that migrations use is named', async () => {
  const database = { ...addresses, url: 'postgres://pooler/lintel', directUrl: UNREACHABLE };
  await expect(migrateDatabase(database, {}, logger)).rejects.toThrow(
    'The database of svc.datasource.direct-url cannot be migrated: ',
  );
});

test('migrations that have not run are named in one warning', async () => {
  const migrations = [{ name: '1795000000000-first', up: [], down: [] }];
  const lines: unknown[] = [];
  const database = { query: async () => [] };
  const parts = { database, application: { migrations }, logger: { warn: (...line: unknown[]) => lines.push(line) } };
  await warnOfPendingMigrations(parts);
  expect(lines).toEqual([
    [
      {
        pending: [
          '1763683200100-platform',
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
          '1795000000000-first',
        ],
      },
      'migrations of this version have not run: run "lintel migrate run"',
    ],
  ]);
});
