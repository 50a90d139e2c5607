import type { StatementRunner } from '@lintel/persistence';
import { assertBaseline, MIGRATION_TABLE, PLATFORM_SCHEMA } from './migration-records.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import { inOrder, nameOfRecord, type SchemaMigration } from './schema-migration.ts';

const READABLE = `SELECT has_table_privilege(c.oid, 'SELECT') AS readable
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2 AND has_schema_privilege(n.oid, 'USAGE')`;

/**
 * The names of the migrations of the platform and of the application that have not run in the database, in their
 * order. Empty if the login may not read which ones have run.
 *
 * @throws StartError for a database that was migrated before the platform had a baseline
 */
export async function pendingMigrationNames(
  database: StatementRunner,
  migrations: readonly SchemaMigration[],
): Promise<readonly string[]> {
  const names = [...inOrder(PLATFORM_MIGRATIONS), ...inOrder(migrations)].map(({ name }) => name);
  const [table] = await database.query<{ readonly readable: boolean }>({
    text: READABLE,
    values: [PLATFORM_SCHEMA, MIGRATION_TABLE],
  });
  if (table?.readable === false) return [];
  const rows =
    table === undefined
      ? []
      : await database.query<{ readonly name: string }>({
          text: `SELECT name FROM ${PLATFORM_SCHEMA}.${MIGRATION_TABLE}`,
          values: [],
        });
  const records = rows.map(({ name }) => ({ name: nameOfRecord(name) }));
  assertBaseline(records);
  const executed = new Set(records.map(({ name }) => name));
  return names.filter((name) => !executed.has(name));
}
