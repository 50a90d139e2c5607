import { StartError } from '@lintel/errors';
import type { Client } from 'pg';
import { withReadingSession } from '../migrations/migration-session.ts';
import type { DatabaseSchema, FoundTable } from './database-schema.ts';

const RIGHTS = `SELECT current_user AS login, has_schema_privilege(oid, 'USAGE') AS usable
FROM pg_namespace WHERE nspname = $1`;

const NAMES = `SELECT string_agg(nspname, ', ' ORDER BY nspname) AS names FROM pg_namespace
WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'`;

const columnNames = (table: string, numbers: string): string =>
  `(SELECT json_agg(a.attname ORDER BY u.at) FROM unnest(${numbers}) WITH ORDINALITY u(number, at)
    JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = u.number)`;

const constraints = (kind: string): string =>
  `(SELECT coalesce(json_agg(json_build_object('name', k.conname, 'columns', ${columnNames('c.oid', 'k.conkey')},
      'definition', pg_get_constraintdef(k.oid)) ORDER BY k.conname), '[]')
    FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = '${kind}')`;

const COLUMNS = `(SELECT coalesce(json_agg(json_build_object('name', a.attname,
      'type', format_type(a.atttypid, a.atttypmod), 'typeKind', t.typtype,
      'baseType', CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) ELSE format_type(a.atttypid, a.atttypmod) END,
      'array', (SELECT json_build_object('type', format_type(i.oid, a.atttypmod), 'typeKind', i.typtype,
        'baseType', CASE WHEN i.typtype = 'd' THEN format_type(i.typbasetype, i.typtypmod) ELSE format_type(i.oid, a.atttypmod) END,
        'dimensions', a.attndims) FROM pg_type i WHERE i.oid = t.typelem AND i.typarray = t.oid),
      'labels', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid),
      'nullable', NOT a.attnotnull AND NOT t.typnotnull,
      'default', CASE WHEN a.attgenerated = '' THEN coalesce(pg_get_expr(d.adbin, d.adrelid), t.typdefault) END,
      'numbered', a.attidentity <> '' OR (a.atthasdef AND a.attgenerated = '' AND pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'
        AND pg_get_serial_sequence(c.oid::regclass::text, a.attname) IS NOT NULL),
      'unbounded', coalesce(nullif(t.typbasetype, 0), t.oid) = ANY ('{date,timestamp,timestamptz,date[],timestamp[],timestamptz[]}'::regtype[])
        AND a.attndims < 2 AND concat(pg_get_expr(d.adbin, d.adrelid),
          (SELECT string_agg(concat(s.most_common_vals, s.histogram_bounds, s.most_common_elems), '')
          FROM pg_stats s WHERE (s.schemaname, s.tablename, s.attname) = (n.nspname, c.relname, a.attname)))
          ~ 'infinity| BC|[^.0-9][0-9]{5,}-',
      'computed', a.attgenerated <> '', 'comment', col_description(c.oid, a.attnum)) ORDER BY a.attnum), '[]')
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)`;

const FOREIGN_KEYS = `(SELECT coalesce(json_agg(json_build_object('name', k.conname,
      'columns', ${columnNames('c.oid', 'k.conkey')},
      'target', (SELECT json_build_object('schema', tn.nspname, 'name', tc.relname) FROM pg_class tc
        JOIN pg_namespace tn ON tn.oid = tc.relnamespace WHERE tc.oid = k.confrelid),
      'targetColumns', ${columnNames('k.confrelid', 'k.confkey')},
      'onDelete', CASE k.confdeltype WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE'
        WHEN 'n' THEN 'SET NULL' ELSE 'SET DEFAULT' END) ORDER BY k.conkey, k.conname), '[]')
    FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0)`;

const INDEXES = `(SELECT coalesce(json_agg(json_build_object('name', i.relname,
      'columns', CASE WHEN 0 = ANY (x.indkey::int2[]) THEN NULL ELSE ${columnNames('c.oid', '(x.indkey::int2[])[0:x.indnkeyatts - 1]')} END,
      'unique', x.indisunique, 'where', pg_get_expr(x.indpred, x.indrelid), 'method', m.amname,
      'definition', pg_get_indexdef(i.oid)) ORDER BY i.relname), '[]')
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_am m ON m.oid = i.relam
    WHERE x.indrelid = c.oid AND x.indisvalid AND NOT x.indisprimary AND NOT x.indisexclusion)`;

// The triggers of a partition are those of the partitioned table; the rule of a view is its query.
const AUTOMATISMS = `(SELECT coalesce(json_agg(found ORDER BY found.kind, found.name), '[]') FROM (
      SELECT 'trigger' AS kind, g.tgname AS name, pg_get_triggerdef(g.oid) AS definition
      FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgparentid = 0
      UNION ALL SELECT 'rule', r.rulename, pg_get_ruledef(r.oid)
      FROM pg_rewrite r WHERE r.ev_class = c.oid AND r.rulename <> '_RETURN'
      UNION ALL SELECT 'policy', p.polname, CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT'
        WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END
      FROM pg_policy p WHERE p.polrelid = c.oid) found)`;

/**
 * The key of an updatable view is the one of its only table: an updatable view selects plain columns of some rows of one
 * relation. The text of the view says whether the column has another name there.
 */
const VIEW = `CASE WHEN c.relkind IN ('v', 'm') THEN (SELECT json_build_object(
      'key', base.key, 'base', base.name, 'populated', c.relispopulated,
      'writable', c.relkind = 'v' AND pg_relation_is_updatable(c.oid, true) & 28 = 28)
    FROM (SELECT) AS one LEFT JOIN LATERAL (SELECT bn.nspname || '.' || b.relname AS name, keys.names AS key
      FROM (SELECT array_agg(DISTINCT d.refobjid) AS ids FROM pg_rewrite r JOIN pg_depend d ON d.objid = r.oid
          AND d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> c.oid
        WHERE r.ev_class = c.oid AND r.rulename = '_RETURN') used
      JOIN pg_class b ON b.oid = used.ids[1] AND b.relkind IN ('r', 'p')
      JOIN pg_namespace bn ON bn.oid = b.relnamespace
      JOIN pg_constraint p ON p.conrelid = b.oid AND p.contype = 'p'
      CROSS JOIN LATERAL (SELECT json_agg(v.attname ORDER BY u.at) AS names, count(v.attname) AS found
        FROM unnest(p.conkey) WITH ORDINALITY u(number, at)
        JOIN pg_attribute a ON a.attrelid = b.oid AND a.attnum = u.number
        LEFT JOIN pg_attribute v ON v.attrelid = c.oid AND v.attname = a.attname AND v.atttypid = a.atttypid
          AND pg_column_is_updatable(c.oid, v.attnum, false)
          AND strpos(pg_get_viewdef(c.oid), ' AS ' || quote_ident(v.attname)) = 0) keys
      WHERE c.relkind = 'v' AND cardinality(used.ids) = 1 AND pg_relation_is_updatable(c.oid, false) & 16 = 16
        AND keys.found = cardinality(p.conkey)) base ON true) END`;

const TABLES = `SELECT n.nspname AS schema, c.relname AS name,
  CASE WHEN c.relispartition THEN 'partition' ELSE CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table'
    WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'foreign table' END END AS kind,
  NOT c.relispartition AND EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid) AS inherits,
  ARRAY(SELECT o.relnamespace::regnamespace || '.' || o.relname FROM pg_inherits h JOIN pg_class o ON o.oid = h.inhrelid
    WHERE h.inhparent = c.oid AND NOT o.relispartition ORDER BY 1) AS "inheritedBy",
  obj_description(c.oid, 'pg_class') AS comment,
  ${COLUMNS} AS columns,
  ${constraints('p')} -> 0 AS "primaryKey",
  ${VIEW} AS view,
  ${FOREIGN_KEYS} AS "foreignKeys",
  ${INDEXES} AS indexes,
  ${constraints('c')} AS checks,
  ${constraints('x')} AS exclusions,
  ${AUTOMATISMS} AS automatisms
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname = $1
  AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = c.oid AND e.deptype = 'e') ORDER BY c.relname`;

/**
 * Reads a schema from the catalogue; tables of extensions are omitted. Needs only the rights to connect and to use the
 * schema, and changes nothing.
 *
 * @throws StartError if there is no such schema, or the login may not use it
 */
export function readDatabaseSchema(options: {
  readonly url: string;
  readonly schema: string;
}): Promise<DatabaseSchema> {
  return withReadingSession(options.url, async (client) => {
    await assertUsable(client, options.schema);
    const { rows } = await client.query<FoundTable>(TABLES, [options.schema]);
    return { tables: rows };
  });
}

async function assertUsable(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ login: string; usable: boolean }>(RIGHTS, [schema]);
  const [found] = rows;
  if (found === undefined) {
    const all = await client.query<{ names: string | null }>(NAMES);
    throw new StartError(`The database has no schema ${schema}. It has ${all.rows[0]?.names ?? 'none'}.`);
  }
  if (!found.usable)
    throw new StartError(
      `The login ${found.login} may not use the schema ${schema}. GRANT USAGE ON SCHEMA ${schema} TO ${found.login}, or name another login.`,
    );
}
