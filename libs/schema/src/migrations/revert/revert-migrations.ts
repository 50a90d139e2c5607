import type { Client } from 'pg';
import { applyMigration, assertRunnable } from '../apply-migration.ts';
import { MigrationError } from '../migration-error.ts';
import { readRecords } from '../migration-records.ts';
import { withMigrationSession, withReadingSession } from '../migration-session.ts';
import { PLATFORM_MIGRATIONS } from '../platform/index.ts';
import type { MigrateOptions } from '../run-migrations.ts';
import { assertMigrationNames, type SchemaMigration } from '../schema-migration.ts';
import { dataLossesOf } from './data-losses.ts';
import { planRevert, type RevertRange } from './plan-revert.ts';

export interface RevertOptions extends MigrateOptions, RevertRange {
  /** Whether statements that lose data may run. Default false. */
  readonly allowDataLoss?: boolean;
}

const PLATFORM = new Set(PLATFORM_MIGRATIONS.map(({ name }) => name));

/**
 * Undoes migrations of the application by their `down` statements, the latest first, while no other process migrates.
 * Each is undone in one transaction, as it was applied; one with concurrent indexes has none. The whole range is
 * checked first: if one of it cannot be undone, none is.
 *
 * @returns names of those that were undone; empty if no migration of the application has run
 * @throws MigrationError naming what cannot be undone or would lose data, or the statement that failed: those
 *   that were undone before it stay undone
 * @throws ChangedMigrationError if the text in the code differs from the one that was run; nothing is undone then
 */
export async function revertMigrations(options: RevertOptions): Promise<readonly string[]> {
  assertMigrationNames(options.migrations);
  const { onProgress } = options;
  return withMigrationSession({ ...options, onWaiting: () => onProgress?.({ kind: 'waiting' }) }, async (client) => {
    const plan = await planOf(client, options);
    if (options.allowDataLoss !== true) refuseLosses(plan);
    for (const migration of plan) {
      const onRetry = (name: string, attempt: number) => onProgress?.({ kind: 'retry', name, attempt });
      await applyMigration(client, migration, { ...options, onRetry }, 'down');
      onProgress?.({ kind: 'reverted', name: migration.name });
    }
    return plan.map(({ name }) => name);
  });
}

/**
 * The migrations that `revertMigrations` would undo now; those that lose data are included. Changes nothing.
 *
 * @throws MigrationError, ChangedMigrationError as reverting would before its first statement
 */
export async function migrationsToRevert(options: RevertOptions): Promise<readonly SchemaMigration[]> {
  assertMigrationNames(options.migrations);
  return withReadingSession(options.url, (client) => planOf(client, options));
}

async function planOf(client: Client, options: RevertOptions): Promise<readonly SchemaMigration[]> {
  const plan = planRevert({ ...options, records: await readRecords(client), platform: PLATFORM });
  for (const migration of plan) assertRunnable(migration, migration.down);
  return plan;
}

function refuseLosses(plan: readonly SchemaMigration[]): void {
  const losses = plan.flatMap(({ name, up, down }) => dataLossesOf(down, up).map((loss) => ({ name, loss })));
  const [first] = losses;
  if (first === undefined) return;
  const list = losses.map(({ name, loss }) => `  ${name}: ${loss}`).join('\n');
  throw new MigrationError(
    first.name,
    `Nothing was reverted; data would be lost:\n${list}\nAdd --allow-data-loss where it is no longer needed.`,
  );
}
