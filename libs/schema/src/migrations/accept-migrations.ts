import { readRecords, recordChecksums } from './migration-records.ts';
import { withMigrationSession } from './migration-session.ts';
import { changedMigrations } from './migration-status.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import type { MigrateOptions } from './run-migrations.ts';

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
