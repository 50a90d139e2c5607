import { Client } from 'pg';
import { translateDatabaseError } from '../errors/translate-database-error.ts';
import { connectDataSource, MIGRATIONS_TABLE, PLATFORM_SCHEMA } from '../schema/create-data-source.ts';
import { fromTypeOrmName, MigrationError, type SchemaMigration, toMigrationClass } from './migration-class.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import { type MigrateOptions, withMigrationLock } from './run-migrations.ts';

export interface MigrationStatus {
  readonly name: string;
  /** `unknown`: executed in the database, but no longer among the application's migrations. */
  readonly state: 'executed' | 'pending' | 'unknown';
}

/** The state of every migration in a database, in the order they run. Changes nothing. */
export async function migrationStatus(options: Omit<MigrateOptions, 'lock'>): Promise<readonly MigrationStatus[]> {
  const executed = await executedNames(options.url);
  const known = [...PLATFORM_MIGRATIONS, ...options.migrations].map(({ name }) => name);
  const byTime = (migrations: readonly SchemaMigration[]): readonly string[] =>
    migrations.map(({ name }) => name).sort();
  return [
    ...[...byTime(PLATFORM_MIGRATIONS), ...byTime(options.migrations)].map(
      (name): MigrationStatus => ({ name, state: executed.has(name) ? 'executed' : 'pending' }),
    ),
    ...[...executed]
      .filter((name) => !known.includes(name))
      .map((name): MigrationStatus => ({ name, state: 'unknown' })),
  ];
}

async function executedNames(url: string): Promise<ReadonlySet<string>> {
  const client = new Client({ connectionString: url, application_name: 'lintel-migrate' });
  try {
    await client.connect();
    const table = `${PLATFORM_SCHEMA}.${MIGRATIONS_TABLE}`;
    const { rows: found } = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
    if (!found[0]?.exists) return new Set();
    const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`);
    return new Set(rows.map(({ name }) => fromTypeOrmName(name)));
  } catch (error) {
    throw translateDatabaseError(error);
  } finally {
    await client.end();
  }
}

/**
 * Undoes the migration that was run last, which must be one of the application's. Data of dropped tables
 * and columns is lost.
 *
 * @returns its name, or `undefined` when only the platform's migrations have run
 */
export async function revertLatestMigration(options: MigrateOptions): Promise<string | undefined> {
  return withMigrationLock(options, async () => {
    const executed = [...(await executedNames(options.url))];
    const own = new Set(options.migrations.map(({ name }) => name));
    const latest = executed.at(-1);
    if (latest === undefined || !executed.some((name) => own.has(name))) return undefined;
    if (!own.has(latest)) throw new MigrationError(latest, 'revert', 'it is not one of the application');
    const dataSource = await connectDataSource(options.url, { migrations: options.migrations.map(toMigrationClass) });
    try {
      await dataSource.undoLastMigration();
    } finally {
      await dataSource.destroy();
    }
    return latest;
  });
}
