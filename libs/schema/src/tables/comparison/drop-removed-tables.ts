import type { DataSource } from '@lintel/persistence';
import type { TableDescription } from '../expected/table-description.ts';
import type { SchemaChange } from './schema-difference.ts';

/** Schemas of the platform, whose tables no application's model describes. */
const PLATFORM_SCHEMAS = new Set(['auth', 'dynat', 'events', 'lintel', 'report', 'report_run', 'sec', 'sys']);

const TABLES = `SELECT table_schema || '.' || table_name AS path FROM information_schema.tables
WHERE table_type = 'BASE TABLE' AND table_schema = ANY ($1) ORDER BY 1`;

/**
 * Drops the tables in the model's schemas that the model no longer contains. TypeORM's schema builder does not drop
 * them. A schema without any remaining entity is ignored.
 *
 * @param tables those that migrations create
 * @param known all tables of the model, also external ones
 */
export async function dropRemovedTables(
  dataSource: DataSource,
  tables: readonly TableDescription[],
  known: readonly TableDescription[],
): Promise<SchemaChange> {
  const described = new Set(known.map((table) => `${table.schema}.${table.name}`));
  const schemas = [...new Set(tables.map((table) => table.schema))].filter((schema) => !PLATFORM_SCHEMAS.has(schema));
  const found: readonly { path: string }[] = await dataSource.query(TABLES, [schemas]);
  const removed = found.map(({ path }) => path).filter((path) => !described.has(path));
  if (removed.length === 0) return { up: [], down: [] };
  const runner = dataSource.createQueryRunner();
  try {
    const loaded = await runner.getTables(removed);
    runner.enableSqlMemory();
    // Foreign keys first, so that tables which refer to each other can go in any order.
    for (const table of loaded) await runner.dropForeignKeys(table, [...table.foreignKeys]);
    for (const table of loaded) await runner.dropTable(table, false, false, true);
    const { upQueries, downQueries } = runner.getMemorySql();
    return {
      up: upQueries.map(({ query }) => query),
      down: downQueries.map(({ query }) => query).reverse(),
    };
  } finally {
    runner.disableSqlMemory();
    await runner.release();
  }
}
