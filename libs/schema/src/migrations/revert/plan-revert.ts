import { ChangedMigrationError, MigrationError } from '../migration-error.ts';
import type { MigrationRecord } from '../migration-records.ts';
import { changedMigrations } from '../migration-status.ts';
import type { SchemaMigration } from '../schema-migration.ts';

/** How far to go back. */
export interface RevertRange {
  /** How many migrations of the application; default 1. */
  readonly steps?: number;
  /** The migration that is to be the last one of the application; it stays. Not together with `steps`. */
  readonly to?: string;
}

export interface RevertPlanInput extends RevertRange {
  /** The migrations that have run, in their order of execution. */
  readonly records: readonly MigrationRecord[];
  /** Migrations of the application. */
  readonly migrations: readonly SchemaMigration[];
  /** Names of the platform's migrations. */
  readonly platform: ReadonlySet<string>;
}

/**
 * The migrations to undo, the latest first. Those of the platform are skipped: their tables belong to the platform, and
 * all its later versions work with them.
 *
 * @throws MigrationError naming every migration of the range that cannot be undone
 * @throws ChangedMigrationError if the text in the code differs from the one that was run
 */
export function planRevert(input: RevertPlanInput): readonly SchemaMigration[] {
  const { migrations, platform, records } = input;
  const executed = records.map(({ name }) => name).filter((name) => !platform.has(name));
  const names = rangeOf(executed, input);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw refused(unknown, 'this version of the application does not have', 'Revert with the version that ran them.');
  const plan = names.flatMap((name) => known.get(name) ?? []);
  const changed = changedMigrations(plan, records);
  if (changed.length > 0) throw new ChangedMigrationError(changed.map(({ name }) => name));
  const irreversible = plan.filter(({ up, down }) => down.length === 0 && !up.every(isKept));
  if (irreversible.length > 0)
    throw refused(
      irreversible.map(({ name }) => name),
      'cannot be undone: no down statements for',
      'Write a migration that goes forward instead.',
    );
  return plan;
}

/** An extension stays: others may use it, and a further run finds it. */
const isKept = (statement: string): boolean => statement.startsWith('CREATE EXTENSION IF NOT EXISTS ');

function rangeOf(executed: readonly string[], { steps, to }: RevertRange): readonly string[] {
  if (to !== undefined) {
    const at = executed.indexOf(to);
    if (at < 0) throw new MigrationError(to, `${to} has not run on this database as a migration of the application`);
    return executed.slice(at + 1).reverse();
  }
  const count = steps ?? 1;
  if (steps !== undefined && count > executed.length)
    throw new MigrationError(
      executed[0] ?? '',
      `${count} migrations of the application were to be reverted; ${executed.length} have run on this database`,
    );
  return executed.slice(Math.max(0, executed.length - count)).reverse();
}

const refused = (names: readonly string[], reason: string, remedy: string): MigrationError =>
  new MigrationError(names[0] ?? '', `Nothing was reverted; ${reason} ${names.join(', ')}. ${remedy}`);
