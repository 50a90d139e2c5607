import { DEFAULT_LOCK_TIMEOUT_MS } from '../apply-migration.ts';
import { forgetStatement } from '../migration-records.ts';
import { type MigrationScript, scriptOf } from '../migration-script.ts';
import { dataLossesOf } from './data-losses.ts';
import { migrationsToRevert, type RevertOptions } from './revert-migrations.ts';

/**
 * The statements that `revertMigrations` would run now, as a script for `psql`; comments name the data losses. Changes
 * nothing.
 *
 * @throws MigrationError, ChangedMigrationError as reverting would before its first statement
 */
export async function revertScript(options: RevertOptions): Promise<MigrationScript> {
  const plan = await migrationsToRevert(options);
  if (plan.length === 0) return { names: [], sql: '-- Nothing to revert.\n' };
  const timeout = options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS;
  const parts = plan.map((migration) => {
    const losses = dataLossesOf(migration.down, migration.up).map((loss) => `-- loses data: ${loss}\n`);
    return `${losses.join('')}${scriptOf(`revert ${migration.name}`, migration.down, forgetStatement(migration), timeout)}`;
  });
  return { names: plan.map(({ name }) => name), sql: parts.join('\n') };
}
