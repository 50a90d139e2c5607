import type { DataSource, EntitySchemaOptions, Logger } from 'typeorm';
import type { MigrationClass } from '../migrations/migration-class.ts';

/** Schema of the platform's own bookkeeping. */
export const PLATFORM_SCHEMA = 'lintel';
/** TypeORM's list of executed migrations, in that schema. */
export const MIGRATIONS_TABLE = 'migration';

const ignore = (): void => {};

/** TypeORM would print to the console even with logging off; what matters is thrown or answered. */
const SILENT: Logger = {
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  logMigration: ignore,
  log: ignore,
};

/** TypeORM's handle of a database, connected. The caller destroys it. */
export async function connectDataSource(
  url: string,
  parts: {
    readonly entities?: readonly EntitySchemaOptions<unknown>[];
    readonly migrations?: readonly MigrationClass[];
  },
): Promise<DataSource> {
  // Loaded when it is needed: it costs 15 MB, and most processes never touch the schema.
  const { DataSource, EntitySchema } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema: PLATFORM_SCHEMA,
    applicationName: 'lintel-migrate',
    entities: (parts.entities ?? []).map((options) => new EntitySchema(options)),
    migrations: [...(parts.migrations ?? [])],
    migrationsTableName: MIGRATIONS_TABLE,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    poolSize: 2,
    logger: SILENT,
  });
  return dataSource.initialize();
}
