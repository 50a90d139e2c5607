import type { Client } from 'pg';
import type { Catalogue, CatalogueColumn, CatalogueConstraint, CatalogueIndex, CatalogueTable } from './catalogue.ts';

const TABLES = `SELECT n.nspname AS schema, c.relname AS name, c.relkind IN ('v', 'm') AS "isView", c.relkind = 'p' AS "isPartitioned",
  (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'nullable', NOT a.attnotnull AND NOT y.typnotnull, 'default', CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END,
      'generated', CASE WHEN a.attidentity <> '' THEN 'identity' WHEN a.attgenerated <> '' THEN 'stored' END)
      ORDER BY a.attnum), '[]')
    FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  (SELECT coalesce(json_agg(json_build_object('name', k.conname, 'kind', CASE k.contype WHEN 'p' THEN 'primary key'
      WHEN 'f' THEN 'foreign key' WHEN 'u' THEN 'unique constraint' WHEN 'c' THEN 'check' ELSE 'exclusion' END,
      'definition', pg_get_constraintdef(k.oid)) ORDER BY k.conname), '[]')
    FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'f', 'u', 'c', 'x') AND k.conparentid = 0) AS constraints,
  (SELECT coalesce(json_agg(json_build_object('name', i.relname, 'unique', x.indisunique,
      'definition', pg_get_indexdef(i.oid)) ORDER BY i.relname), '[]')
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE x.indrelid = c.oid AND x.indisvalid
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.conrelid = c.oid)) AS indexes,
  (SELECT json_agg(json_build_object('name', g.tgname, 'definition', pg_get_triggerdef(g.oid)) ORDER BY g.tgname)
    FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgfoid = to_regproc('history.record')) AS triggers
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition AND n.nspname = ANY ($1) ORDER BY 1, 2`;

const VIEWS = `SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('v', 'm') AND n.nspname = ANY ($1) ORDER BY 1`;

const FUNCTIONS = `SELECT n.nspname || '.' || p.proname || '(' || oidvectortypes(p.proargtypes) || ')' AS name
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ANY ($1) ORDER BY 1`;

interface TableRow {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  readonly isPartitioned: boolean;
  readonly columns: readonly CatalogueColumn[];
  readonly constraints: readonly CatalogueConstraint[];
  readonly indexes: readonly CatalogueIndex[];
  readonly triggers: NonNullable<CatalogueTable['triggers']> | null;
}

/**
 * Reads the content of the schemas with three statements, independent of their size. Changes nothing.
 *
 * @param client with the search path `pg_catalog`: definitions name a schema only if it is not in the search path
 */
export async function readCatalogue(client: Client, schemas: readonly string[]): Promise<Catalogue> {
  const namesOf = async (text: string): Promise<readonly string[]> =>
    (await client.query<{ name: string }>(text, [schemas])).rows.map(({ name }) => name);
  const { rows } = await client.query<TableRow>(TABLES, [schemas]);
  const tables = rows.map(
    ({ isView, isPartitioned, triggers, ...table }): CatalogueTable => ({
      ...table,
      ...(triggers === null ? {} : { triggers }),
      ...(isView ? { isView } : {}),
      ...(isPartitioned ? { isPartitioned } : {}),
    }),
  );
  return { tables, views: await namesOf(VIEWS), functions: await namesOf(FUNCTIONS) };
}
