import type { DataSource, EntitySchemaOptions, Logger } from 'typeorm';

/** Schema of the platform's own bookkeeping. */
export const PLATFORM_SCHEMA = 'lintel';
/** List of executed migrations, in that schema. */
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

/** TypeORM's handle of a database, connected: for its schema builder. The caller destroys it. */
export async function connectDataSource(
  url: string,
  entities: readonly EntitySchemaOptions<unknown>[],
): Promise<DataSource> {
  // Loaded when it is needed: it costs 15 MB, and most processes never touch the schema.
  const { DataSource, EntitySchema } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema: PLATFORM_SCHEMA,
    applicationName: 'lintel-migrate',
    entities: entities.map((options) => new EntitySchema(options)),
    installExtensions: false,
    poolSize: 2,
    // What it finds without its schema it would name without: every name is to be whole, wherever the statement runs.
    extra: { options: '-c search_path=pg_catalog' },
    logger: SILENT,
  });
  return dataSource.initialize();
}
