import { type Model, quoteIdentifier } from '@lintel/metadata';
import { connectDataSource, type DataSource } from '@lintel/persistence';
import { PLATFORM_SCHEMA } from '../../migrations/migration-records.ts';
import { runMigrations } from '../../migrations/run-migrations.ts';
import type { SchemaMigration } from '../../migrations/schema-migration.ts';
import { buildEntitySchemas } from '../expected/build-entity-schemas.ts';
import { describeTables } from '../expected/describe-tables.ts';
import { dropRemovedTables } from './drop-removed-tables.ts';
import { fillNewColumns } from './fill-new-columns.ts';
import { retypeColumns } from './retype-columns.ts';
import {
  createdTables,
  joinChanges,
  type SchemaChange,
  type SchemaDifference,
  warningsOf,
} from './schema-difference.ts';
import { compareSearchIndexes } from './search-indexes.ts';
import { withShadowDatabase } from './shadow-database.ts';

export interface CompareOptions {
  /** Any database of the server; the comparison creates and removes a separate one on the same server. */
  readonly url: string;
  readonly model: Model;
  /** The application's migrations so far. */
  readonly migrations: readonly SchemaMigration[];
}

/**
 * The difference between a database created by all migrations so far and the model: the content of the next migration.
 * Empty if they agree.
 */
export async function compareWithModel(options: CompareOptions): Promise<SchemaDifference> {
  return withShadowDatabase(options.url, async (url) => {
    await createExternalTables(url, options.model);
    await runMigrations({ url, migrations: options.migrations, lock: false });
    const dataSource = await connectDataSource(url, PLATFORM_SCHEMA, comparedSchemas(options.model));
    try {
      return await differenceIn(dataSource, options.model);
    } finally {
      await dataSource.destroy();
    }
  });
}

/** TypeORM does not escape names with quotes: they are left out in external tables, where they are not compared. */
const comparedSchemas = (model: Model): ReturnType<typeof buildEntitySchemas> =>
  buildEntitySchemas(model).map((schema) => ({
    ...schema,
    columns: Object.fromEntries(Object.entries(schema.columns).filter(([name]) => !name.includes('"'))),
    indices: (schema.indices ?? []).filter(({ columns }) => !JSON.stringify(columns).includes('\\"')),
  }));

/**
 * Creates the external tables of the model, with their columns and keys, in a shadow database: they exist before any
 * migration of the application, and its foreign keys may refer to them.
 */
export async function createExternalTables(url: string, model: Model): Promise<void> {
  const others = describeTables(model).filter(({ external }) => external);
  if (others.length === 0) return;
  await runMigrations({ url, migrations: [], lock: false });
  const names = new Set(others.map(({ schema, name }) => `${schema}.${name}`));
  const schemas = comparedSchemas(model).filter(({ name }) => names.has(name));
  const dataSource = await connectDataSource(url, PLATFORM_SCHEMA, schemas);
  try {
    await apply(dataSource, await missingSchemas(dataSource, [...new Set(others.map(({ schema }) => schema))]));
    await dataSource.driver.createSchemaBuilder().build();
  } finally {
    await dataSource.destroy();
  }
}

async function differenceIn(dataSource: DataSource, model: Model): Promise<SchemaDifference> {
  const described = describeTables(model);
  const tables = described.filter(({ external }) => !external);
  const schemas = await missingSchemas(dataSource, [...new Set(tables.map((table) => table.schema))]);
  await apply(dataSource, schemas);
  const searches = await compareSearchIndexes(dataSource, tables);
  const retyped = await retypeColumns(dataSource, tables);
  await apply(dataSource, retyped);
  const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
  const built: SchemaChange = {
    up: upQueries.map(({ query }) => query),
    down: downQueries.map(({ query }) => query).reverse(),
  };
  const dropped = await dropRemovedTables(dataSource, tables, described);
  const all = [schemas, searches.removed, retyped, built, dropped, searches.added].reduce(joinChanges);
  const up = fillNewColumns(model, all.up.map(tidy));
  return { up, down: all.down.map(tidy), warnings: warningsOf(up, createdTables(up)) };
}

/** TypeORM leaves extra spaces for absent options. */
const tidy = (statement: string): string => statement.replace(/^(CREATE .*INDEX \S+ ON \S+) +\(/, '$1 (').trim();

async function apply(dataSource: DataSource, statements: SchemaChange): Promise<void> {
  for (const statement of statements.up) await dataSource.query(statement);
}

async function missingSchemas(dataSource: DataSource, schemas: readonly string[]): Promise<SchemaChange> {
  const found: readonly { name: string }[] = await dataSource.query(
    'SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY ($1)',
    [schemas],
  );
  const missing = schemas.filter((schema) => !found.some(({ name }) => name === schema));
  return {
    up: missing.map((schema) => `CREATE SCHEMA ${quoteIdentifier(schema)}`),
    down: missing.map((schema) => `DROP SCHEMA ${quoteIdentifier(schema)}`),
  };
}
