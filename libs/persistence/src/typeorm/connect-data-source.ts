import pg from 'pg';
import type { DataSource, EntitySchemaOptions } from 'typeorm';
import { readDatabaseUrl } from '../address/database-address.ts';
import { addressedClient } from '../address/database-client.ts';
import { SILENT_LOGGER } from './silent-logger.ts';

export type { EntitySchemaColumnOptions, EntitySchemaOptions } from 'typeorm';

/**
 * Connects TypeORM's data source to a database, for its schema builder. TypeORM keeps its own tables in `schema`. The
 * caller destroys the data source.
 */
export async function connectDataSource(
  url: string,
  schema: string,
  entities: readonly EntitySchemaOptions<unknown>[],
): Promise<DataSource> {
  // Loaded on demand: it needs 15 MB, and most processes never change the schema.
  const { DataSource, EntitySchema } = await import('typeorm');
  const address = readDatabaseUrl(url);
  const dataSource = new DataSource({
    type: 'postgres',
    url: address.servers[0] as string,
    schema,
    applicationName: 'lintel-migrate',
    entities: entities.map((options) => new EntitySchema(options)),
    installExtensions: false,
    poolSize: 2,
    // TypeORM omits the schema of tables that are on the search path; every name must be qualified.
    extra: { options: '-c search_path=pg_catalog', Client: addressedClient(pg.Client, address) },
    logger: SILENT_LOGGER,
  });
  return dataSource.initialize();
}
