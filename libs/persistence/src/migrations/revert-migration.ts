import { applyMigration } from './apply-migration.ts';
import { MigrationError } from './migration-error.ts';
import { readRecords, recordChecksums } from './migration-records.ts';
import { withMigrationSession } from './migration-session.ts';
import { changedMigrations } from './migration-status.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import type { MigrateOptions } from './run-migrations.ts';

/**
 * Undoes the migration that was run last, which must be one of the application's. Data of dropped tables
 * and columns is lost.
 *
 * @returns its name, or `undefined` when only the platform's migrations have run
 */
export async function revertLatestMigration(options: MigrateOptions): Promise<string | undefined> {
  return withMigrationSession(options, async (client) => {
    const executed = (await readRecords(client)).map(({ name }) => name);
    const own = new Map(options.migrations.map((migration) => [migration.name, migration]));
    const latest = executed.at(-1);
    if (latest === undefined || !executed.some((name) => own.has(name))) return undefined;
    const migration = own.get(latest);
    if (migration === undefined)
      throw new MigrationError(
        latest,
        `Migration ${latest} ran last and cannot be undone: it is not one of the application`,
      );
    await applyMigration(client, migration, options, 'down');
    return latest;
  });
}

/**
 * Takes the present text of migrations that have run with another one, without running anything.
 *
 * @returns names of those that were changed, of the given ones or of all
 */
export async function acceptChangedMigrations(
  options: MigrateOptions & { readonly names?: readonly string[] },
): Promise<readonly string[]> {
  return withMigrationSession(options, async (client) => {
    const known = [...PLATFORM_MIGRATIONS, ...options.migrations];
    const changed = changedMigrations(known, await readRecords(client)).filter(
      ({ name }) => options.names?.includes(name) ?? true,
    );
    await recordChecksums(client, changed);
    return changed.map(({ name }) => name);
  });
}
