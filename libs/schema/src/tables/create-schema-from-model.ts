import { type Model, quoteIdentifier } from '@lintel/metadata';
import { connectDataSource } from '@lintel/persistence';
import { PLATFORM_SCHEMA } from '../migrations/migration-records.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { compareSearchIndexes } from './comparison/search-indexes.ts';
import { buildEntitySchemas } from './expected/build-entity-schemas.ts';
import { describeTables } from './expected/describe-tables.ts';

/**
 * Creates the tables of a model without migrations: for tests and trials on an empty database. The platform's tables
 * (outbox, users, auth) are created as well.
 */
export async function createSchemaFromModel(url: string, model: Model): Promise<void> {
  await runMigrations({ url, migrations: [] });
  const dataSource = await connectDataSource(url, PLATFORM_SCHEMA, buildEntitySchemas(model));
  try {
    const tables = describeTables(model);
    const schemas = new Set(tables.map((table) => table.schema));
    for (const schema of schemas) await dataSource.query(`CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(schema)}`);
    await dataSource.driver.createSchemaBuilder().build();
    const { removed, added } = await compareSearchIndexes(dataSource, tables);
    for (const statement of [...removed.up, ...added.up]) await dataSource.query(statement);
  } finally {
    await dataSource.destroy();
  }
}
