import { assertRunnable, DEFAULT_LOCK_TIMEOUT_MS } from './apply-migration.ts';
import { isConcurrent } from './concurrent-indexes.ts';
import { ChangedMigrationError } from './migration-error.ts';
import { RECORDS_SETUP, recordStatement } from './migration-records.ts';
import { migrationStatus } from './migration-status.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import type { MigrateOptions } from './run-migrations.ts';
import { assertMigrationNames } from './schema-migration.ts';

/** The statements of a run that is not executed. */
export interface MigrationScript {
  /** Names of the pending migrations. */
  readonly names: readonly string[];
  /** SQL for `psql`, the bookkeeping included: a database that it was run on is up to date. */
  readonly sql: string;
}

/**
 * The statements that `runMigrations` would run now, as a script. Changes nothing.
 *
 * @throws ChangedMigrationError, MigrationError as a run would before its first statement
 */
export async function migrationScript(options: MigrateOptions): Promise<MigrationScript> {
  assertMigrationNames(options.migrations);
  const status = await migrationStatus(options);
  const namesIn = (wanted: string): readonly string[] =>
    status.filter(({ state }) => state === wanted).map(({ name }) => name);
  const changed = namesIn('changed');
  if (changed.length > 0) throw new ChangedMigrationError(changed);
  const byName = new Map([...PLATFORM_MIGRATIONS, ...options.migrations].map((each) => [each.name, each]));
  const names = namesIn('pending');
  const pending = names.flatMap((name) => byName.get(name) ?? []);
  for (const migration of pending) assertRunnable(migration, migration.up);
  if (pending.length === 0) return { names, sql: '-- The database is up to date.\n' };
  const timeout = options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS;
  const parts = [
    inTransaction(RECORDS_SETUP),
    ...pending.map((migration) => scriptOf(migration.name, migration.up, recordStatement(migration), timeout)),
  ];
  return { names, sql: parts.join('\n') };
}

/** The statements of one migration and those that add or remove its record, below a line that names it. */
export function scriptOf(title: string, statements: readonly string[], record: string, lockTimeoutMs: number): string {
  const all = [...statements, record];
  const body = statements.some(isConcurrent)
    ? all.map(terminated).join('')
    : inTransaction([`SET LOCAL lock_timeout = ${lockTimeoutMs}`, ...all]);
  return `-- ${title}
${body}`;
}

const inTransaction = (statements: readonly string[]): string =>
  `BEGIN;\n${statements.map(terminated).join('')}COMMIT;\n`;

/** The terminator is on its own line if the last one may be a comment. */
function terminated(statement: string): string {
  const text = statement.trim().replace(/;+$/, '');
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  return `${text}${lastLine.includes('--') ? '\n' : ''};\n`;
}
