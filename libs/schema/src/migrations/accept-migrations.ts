import { readRecords, recordChecksums } from './migration-records.ts';
import { withMigrationSession } from './migration-session.ts';
import { changedMigrations } from './migration-status.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import type { MigrateOptions } from './run-migrations.ts';

/**
 * Records the present text of migrations that have run with another text, without running them.
 *
 * @returns names of the changed migrations, among the given ones or among all
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
