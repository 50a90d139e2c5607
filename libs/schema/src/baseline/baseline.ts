import { StartError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import type { Client } from 'pg';
import { type BaselineFinding, compareForBaseline } from '../drift/compare-for-baseline.ts';
import { readCatalogue } from '../drift/read-catalogue.ts';
import { DEFAULT_LOCK_TIMEOUT_MS } from '../migrations/apply-migration.ts';
import {
  forgetStatement,
  type MigrationRecord,
  readAllRecords,
  readRecords,
  recordStatement,
  replacedNames,
} from '../migrations/migration-records.ts';
import { migrationScript, scriptOf } from '../migrations/migration-script.ts';
import { withMigrationSession, withReadingSession } from '../migrations/migration-session.ts';
import { PLATFORM_BASELINE, PLATFORM_MIGRATIONS } from '../migrations/platform/index.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { assertMigrationNames, inOrder, type SchemaMigration } from '../migrations/schema-migration.ts';
import { catalogueOfMigrations } from './catalogue-of-migrations.ts';

export interface BaselineOptions {
  readonly url: string;
  readonly model: Model;
  /** The application's migrations. */
  readonly migrations: readonly SchemaMigration[];
  /** Name of the last migration that the database contains; the last of all by default. */
  readonly to?: string;
  /** Whether nothing is changed, not even by the platform's migrations. */
  readonly dryRun?: boolean;
}

/** What a baseline did, or would do. */
export interface Baseline {
  /** Whether the migrations were recorded, or with `dryRun` would be: no finding is a problem. */
  readonly fits: boolean;
  /** Names of the migrations that count as run. */
  readonly names: readonly string[];
  /** Statements that give constraints and indexes the names that the migrations would have given. */
  readonly renames: readonly string[];
  readonly findings: readonly BaselineFinding[];
  /** The whole as SQL for `psql`, with the platform's migrations where they have not run. */
  readonly sql: string;
}

/**
 * Records the migrations of the application as run, in a database whose tables already exist. The tables are compared
 * with those that the migrations create in an empty database on the same server. If nothing is missing and nothing
 * differs, constraints and indexes get their names, and the migrations their records, in one transaction. The rows and
 * columns of the tables are not changed.
 *
 * In a database that was migrated before the platform had a baseline, only the platform's records are replaced: its
 * tables are those of the baseline.
 *
 * @throws StartError if a migration of the application has run before, or `to` is unknown
 */
export async function baselineMigrations(options: BaselineOptions): Promise<Baseline> {
  assertMigrationNames(options.migrations);
  const ofPlatform = await recordPlatform(options);
  if (ofPlatform !== undefined) return ofPlatform;
  const chosen = chosenMigrations(options);
  await withReadingSession(options.url, async (client) => assertFirst(await readRecords(client)));
  const expected = await catalogueOfMigrations({ ...options, migrations: chosen });
  const schemas = [...new Set(expected.tables.map(({ schema }) => schema))];
  const platform = await migrationScript({ url: options.url, migrations: [] });
  if (options.dryRun !== true) await runMigrations({ url: options.url, migrations: [] });
  const actual = await withReadingSession(options.url, (client) => readCatalogue(client, schemas));
  const { findings, renames } = compareForBaseline(expected, actual);
  const fits = findings.every(({ severity }) => severity === 'notice');
  const records = chosen.map(recordStatement);
  const [last = ''] = records.slice(-1);
  const own = scriptOf('baseline', [...renames, ...records.slice(0, -1)], last, DEFAULT_LOCK_TIMEOUT_MS);
  const sql =
    platform.names.length === 0
      ? own
      : `${platform.sql}
${own}`;
  if (fits && options.dryRun !== true) await apply(options.url, [...renames, ...records], assertFirst);
  return { fits, names: chosen.map(({ name }) => name), renames, findings, sql };
}

/** The last of the migrations that the baseline replaces. */
const LAST_REPLACED = '1763683200046-platform-security-event-sources';

/** Records the platform's baseline instead of the migrations that it replaces; undefined if none of them has run. */
async function recordPlatform({ url, dryRun }: BaselineOptions): Promise<Baseline | undefined> {
  const replaced = replacedNames(await withReadingSession(url, readAllRecords));
  if (replaced.length === 0) return undefined;
  if (!replaced.includes(LAST_REPLACED))
    throw new StartError(
      `The migration ${LAST_REPLACED} of the platform has not run: first migrate the database with the version that has it.`,
    );
  const statements = replaced.map((name) => forgetStatement({ name }));
  const record = recordStatement(PLATFORM_BASELINE);
  if (dryRun !== true)
    await apply(url, [...statements, record], (records) => {
      if (replacedNames(records).length === 0) throw new StartError('Another process has recorded the baseline.');
    });
  const sql = scriptOf('baseline', statements, record, DEFAULT_LOCK_TIMEOUT_MS);
  return { fits: true, names: [PLATFORM_BASELINE.name], renames: [], findings: [], sql };
}

function chosenMigrations({ migrations, to }: BaselineOptions): readonly SchemaMigration[] {
  const ordered = inOrder(migrations);
  if (ordered.length === 0)
    throw new StartError(
      'The application has no migrations: write the first one with "lintel migrate generate initial".',
    );
  if (to === undefined) return ordered;
  const at = ordered.findIndex(({ name }) => name === to);
  if (at >= 0) return ordered.slice(0, at + 1);
  throw new StartError(`There is no migration ${to}; there are ${ordered.map(({ name }) => name).join(', ')}.`);
}

function assertFirst(records: readonly { readonly name: string }[]): void {
  const platform = new Set(PLATFORM_MIGRATIONS.map(({ name }) => name));
  const own = records.map(({ name }) => name).filter((name) => !platform.has(name));
  if (own.length === 0) return;
  throw new StartError(
    `A baseline is for a database in which no migration of the application has run; ${own.join(', ')} ran in this one. "lintel migrate run" runs the others.`,
  );
}

/** One transaction, with the lock of migrations: another process may have begun to migrate in the meantime. */
async function apply(
  url: string,
  statements: readonly string[],
  check: (records: readonly MigrationRecord[]) => void,
): Promise<void> {
  await withMigrationSession({ url }, async (client) => {
    check(await readAllRecords(client));
    await client.query('BEGIN');
    try {
      await client.query(`SET LOCAL lock_timeout = ${DEFAULT_LOCK_TIMEOUT_MS}`);
      for (const statement of statements) await runStatement(client, statement);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {}); // a lost connection rolls back by itself
      throw error;
    }
  });
}

async function runStatement(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The statement "${statement}" failed: ${reason}. Nothing was renamed or recorded.`, { cause });
  }
}
