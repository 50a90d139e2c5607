import type { Client } from 'pg';
import { applyMigration, type LockPatience } from './apply-migration.ts';
import { ChangedMigrationError } from './migration-error.ts';
import { RECORDS_SETUP, readRecords } from './migration-records.ts';
import { withMigrationSession } from './migration-session.ts';
import { changedMigrations, unknownNames } from './migration-status.ts';
import { GRANTED_GROUPS, GROUPS_OF_LOGINS, isForGroup } from './platform/fragments.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import { assertMigrationNames, inOrder, type SchemaMigration } from './schema-migration.ts';

/** Events while migrations run, for a log. */
export type MigrationProgress =
  /** Another process migrates; this one waits until it has ended. */
  | { readonly kind: 'waiting' }
  /** The database has migrations that are unknown to this version: a newer version has run on it. */
  | { readonly kind: 'newer'; readonly names: readonly string[] }
  /** What a migration reports about the data. */
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'ran'; readonly name: string }
  | { readonly kind: 'reverted'; readonly name: string }
  /** A lock was not acquired in time; the migration was rolled back and is tried again. */
  | { readonly kind: 'retry'; readonly name: string; readonly attempt: number };

export interface MigrateOptions extends LockPatience {
  readonly url: string;
  /** The application's migrations; the platform's own run before them. */
  readonly migrations: readonly SchemaMigration[];
  /**
   * Whether only one process may migrate at a time; if false, the caller ensures that it is the only one. Default true.
   */
  readonly lock?: boolean;
  readonly onProgress?: (progress: MigrationProgress) => void;
  /** Awaited when the session is there, before anything is run; if it rejects, nothing is. */
  readonly until?: Promise<unknown>;
}

/**
 * Brings the database up to date. Each migration is one transaction. Processes that start together wait for the first,
 * and then have nothing left to do but rights of groups of logins that are missing. A database that is newer than the code is not changed: during an upgrade the former
 * version must be able to start on it.
 *
 * @returns names of the migrations that were run now
 * @throws MigrationError naming the migration and the statement that failed; earlier migrations stay applied
 * @throws ChangedMigrationError if the text of one that has run has changed; nothing is run then
 */
export async function runMigrations(options: MigrateOptions): Promise<readonly string[]> {
  assertMigrationNames(options.migrations);
  return withMigrationSession(
    { ...options, onWaiting: () => options.onProgress?.({ kind: 'waiting' }) },
    async (client) => {
      const ran: string[] = [];
      client.on('notice', ({ severity, message = '' }) => {
        if (severity === 'WARNING') options.onProgress?.({ kind: 'warning', text: message });
      });
      const { pending, isNewer } = await pendingMigrations(client, options);
      for (const migration of pending) {
        await applyMigration(client, migration, {
          ...options,
          onRetry: (name, attempt) => options.onProgress?.({ kind: 'retry', name, attempt }),
        });
        options.onProgress?.({ kind: 'ran', name: migration.name });
        ran.push(migration.name);
      }
      if (ran.length === 0 && !isNewer) await grantToGroups(client);
      return ran;
    },
  );
}

/**
 * Creates the groups of logins that are missing, and their rights: another server may have restored the database without
 * them, or the migrating user could not create them.
 */
async function grantToGroups(client: Client): Promise<void> {
  const { rowCount } = await client.query(GRANTED_GROUPS);
  if (rowCount === GROUPS_OF_LOGINS.length) return;
  for (const { up } of inOrder(PLATFORM_MIGRATIONS))
    for (const statement of up) if (isForGroup(statement)) await client.query(statement);
}

async function pendingMigrations(
  client: Client,
  options: MigrateOptions,
): Promise<{ readonly pending: readonly SchemaMigration[]; readonly isNewer: boolean }> {
  for (const statement of RECORDS_SETUP) await client.query(statement);
  const records = await readRecords(client);
  const known = [...inOrder(PLATFORM_MIGRATIONS), ...inOrder(options.migrations)];
  const changed = changedMigrations(known, records);
  if (changed.length > 0) throw new ChangedMigrationError(changed.map(({ name }) => name));
  const names = unknownNames(known, records);
  if (names.length > 0) options.onProgress?.({ kind: 'newer', names });
  const executed = new Set(records.map(({ name }) => name));
  return { pending: known.filter(({ name }) => !executed.has(name)), isNewer: names.length > 0 };
}
