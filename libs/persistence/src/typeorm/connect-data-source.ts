import type { DataSource, EntitySchemaOptions } from 'typeorm';
import { SILENT_LOGGER } from './silent-logger.ts';

export type { EntitySchemaColumnOptions, EntitySchemaOptions } from 'typeorm';

/**
 * TypeORM's handle of a database, connected: for its schema builder. `schema` is where TypeORM keeps its own tables. The
 * caller destroys it.
 */
export async function connectDataSource(
  url: string,
  schema: string,
  entities: readonly EntitySchemaOptions<unknown>[],
): Promise<DataSource> {
  // Loaded when it is needed: it costs 15 MB, and most processes never touch the schema.
  const { DataSource, EntitySchema } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema,
    applicationName: 'lintel-migrate',
    entities: entities.map((options) => new EntitySchema(options)),
    installExtensions: false,
    poolSize: 2,
    // What it finds without its schema it would name without: every name is to be whole, wherever the statement runs.
    extra: { options: '-c search_path=pg_catalog' },
    logger: SILENT_LOGGER,
  });
  return dataSource.initialize();
}
