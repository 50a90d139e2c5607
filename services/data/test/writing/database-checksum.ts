import type { Database } from '@lintel/persistence';

/**
 * The checksums of all tables of the application and of the platform: equal before and after if and only if no row
 * was added, changed or deleted.
 */
export async function databaseChecksum(database: Pick<Database, 'query'>): Promise<Readonly<Record<string, string>>> {
  const tables = await database.query<{ name: string }>({
    text: `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    values: [],
  });
  const sums = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '-') AS sum FROM ${name} t`,
  );
  const rows = await database.query<{ name: string; sum: string }>({ text: sums.join(' UNION ALL '), values: [] });
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}
