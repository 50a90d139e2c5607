import { Client } from 'pg';
import { translateDatabaseError } from '../errors/translate-database-error.ts';
import { connectDataSource, PLATFORM_SCHEMA } from '../schema/create-data-source.ts';
import { fromTypeOrmName, MigrationError, type SchemaMigration, toMigrationClass } from './migration-class.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';

export interface MigrateOptions {
  readonly url: string;
  /** The application's migrations; the platform's own run before them. */
  readonly migrations: readonly SchemaMigration[];
  /** Whether to let one process at a time migrate; without it, the caller knows that it is alone. */
  readonly lock?: boolean;
}

/** Any number that nobody else locks: the letters of "lintel". */
const LOCK_KEY = 0x6c69_6e74;

/**
 * Brings the database up to date. Each migration is one transaction. Processes that start together wait
 * for the first, and find nothing left to do.
 *
 * @returns names of the migrations that were run now
 * @throws MigrationError naming the migration and the statement that failed; what ran before it stays
 */
export async function runMigrations(options: MigrateOptions): Promise<readonly string[]> {
  return withMigrationLock(options, async () => {
    const platform = await runPending(options.url, PLATFORM_MIGRATIONS);
    const application = await runPending(options.url, options.migrations);
    return [...platform, ...application];
  });
}

/** Runs `work` while no other process migrates the same database. */
export async function withMigrationLock<T>(options: MigrateOptions, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: options.url, application_name: 'lintel-migrate' });
  // A connection lost while waiting or working ends the statement in question with an error.
  client.on('error', () => {});
  try {
    await client.connect();
    if (options.lock ?? true) await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${PLATFORM_SCHEMA}`);
    return await work();
  } catch (error) {
    throw error instanceof MigrationError ? error : translateDatabaseError(error);
  } finally {
    await client.end();
  }
}

async function runPending(url: string, migrations: readonly SchemaMigration[]): Promise<readonly string[]> {
  const dataSource = await connectDataSource(url, { migrations: migrations.map(toMigrationClass) });
  try {
    const executed = await dataSource.runMigrations();
    return executed.map((migration) => fromTypeOrmName(migration.name));
  } finally {
    await dataSource.destroy();
  }
}
