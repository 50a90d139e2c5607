import { quoteIdentifier, quoteTable } from '@lintel/metadata';
import type { Client } from 'pg';
import { readTableParts } from '../drift/read-table-parts.ts';
import type { TablePart } from '../drift/table-part.ts';
import { createPart } from './statements.ts';

/** A statement that makes a part of the structure of a database, and the one that removes the part. */
export interface StructurePart {
  /** Its table or view, as `schema.table`; null for what tables use: types, functions, sequences. */
  readonly table: string | null;
  readonly up: string;
  readonly down: string | null;
  /** Of what tables use: an expression that is null where it is not there. */
  readonly presence?: string;
  /** Of a foreign key: `schema.table` that it refers to. */
  readonly target?: string;
  /** A view has no rows of its own. */
  readonly isView?: true;
}

const isNoMember = (kind: string, oid: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = '${kind}'::regclass AND e.objid = ${oid} AND e.deptype = 'e')`;

/** The chosen tables and views with their partitions. `$1`: schemas whose types and functions are read, `$2`: names. */
const CHOSEN = `t AS (SELECT c.oid, c.relkind, c.relispartition, c.reloptions, n.nspname || '.' || c.relname AS "table",
    format('%I.%I', n.nspname, c.relname) AS path, n.nspname AS schema
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_class r ON c.relispartition AND r.oid = pg_partition_root(c.oid) LEFT JOIN pg_namespace rn ON rn.oid = r.relnamespace
  WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND coalesce(rn.nspname || '.' || r.relname, n.nspname || '.' || c.relname) = ANY ($2)),
uses AS (SELECT d.refclassid, d.refobjid FROM pg_depend d
  LEFT JOIN pg_attrdef f ON d.classid = 'pg_attrdef'::regclass AND f.oid = d.objid
  LEFT JOIN pg_constraint k ON d.classid = 'pg_constraint'::regclass AND k.oid = d.objid
  LEFT JOIN pg_index x ON d.classid = 'pg_class'::regclass AND x.indexrelid = d.objid
  LEFT JOIN pg_trigger g ON d.classid = 'pg_trigger'::regclass AND g.oid = d.objid
  JOIN t ON t.oid IN (f.adrelid, k.conrelid, x.indrelid, g.tgrelid)),
types AS (SELECT y.*, n.nspname AS schema, format('%I.%I', n.nspname, y.typname) AS path
  FROM pg_type y JOIN pg_namespace n ON n.oid = y.typnamespace
  WHERE y.typtype IN ('e', 'd', 'r', 'c') AND n.nspname <> 'pg_catalog' AND ${isNoMember('pg_type', 'y.oid')}
    AND (y.typtype <> 'c' OR (SELECT relkind FROM pg_class WHERE oid = y.typrelid) = 'c')
    AND (n.nspname = ANY ($1) OR EXISTS (SELECT FROM t JOIN pg_attribute a ON a.attrelid = t.oid JOIN pg_type u ON u.oid = a.atttypid
      WHERE y.oid IN (u.oid, u.typelem, u.typbasetype)))),
sequences AS (SELECT s.*, q.path, q.schema, o.path AS owner, o.column
  FROM (SELECT c.oid, n.nspname AS schema, format('%I.%I', n.nspname, c.relname) AS path FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'S' AND ${isNoMember('pg_class', 'c.oid')}) q
  JOIN pg_sequence s ON s.seqrelid = q.oid
  LEFT JOIN (SELECT d.objid, d.deptype, t.path, a.attname AS column FROM pg_depend d JOIN pg_class x ON x.oid = d.refobjid
      JOIN pg_attribute a ON a.attrelid = x.oid AND a.attnum = d.refobjsubid LEFT JOIN t ON t.oid = x.oid
      WHERE d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')) o ON o.objid = q.oid
  WHERE o.deptype IS DISTINCT FROM 'i' AND (o.path IS NOT NULL OR (o.objid IS NULL AND (q.schema = ANY ($1)
    OR ('pg_class'::regclass, q.oid) IN (SELECT refclassid, refobjid FROM uses))))),
functions AS (SELECT p.*, n.nspname AS schema FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE p.prokind IN ('f', 'p', 'w') AND n.nspname <> 'pg_catalog' AND ${isNoMember('pg_proc', 'p.oid')}
    AND (n.nspname = ANY ($1) OR ('pg_proc'::regclass, p.oid) IN (SELECT refclassid, refobjid FROM uses)))`;

/** What tables use, in an order in which most of it can be made. */
const USED = `WITH ${CHOSEN},
extensions AS (SELECT e.extname, n.nspname AS schema
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname <> 'plpgsql' AND EXISTS (
    SELECT FROM pg_depend m JOIN pg_depend d ON d.refclassid = m.classid AND d.refobjid = m.objid
    WHERE m.refclassid = 'pg_extension'::regclass AND m.refobjid = e.oid AND m.deptype = 'e' AND d.deptype IN ('n', 'a')
      AND NOT EXISTS (SELECT FROM pg_depend o WHERE o.classid = d.classid AND o.objid = d.objid AND o.deptype = 'e'))),
parts AS (
SELECT 0 AS stage, o.schema AS name, format('CREATE SCHEMA IF NOT EXISTS %I', o.schema) AS up,
    format('DROP SCHEMA %I', o.schema) AS down, 'NULL' AS presence
  FROM (SELECT schema FROM extensions UNION SELECT schema FROM types UNION SELECT schema FROM sequences
    UNION SELECT schema FROM functions) o
  WHERE o.schema <> ALL ($1) AND o.schema <> 'public' AND NOT EXISTS (SELECT FROM t WHERE t.schema = o.schema)
UNION ALL SELECT 1, e.extname, format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %I', e.extname, e.schema), NULL, 'NULL'
  FROM extensions e
UNION ALL SELECT 2, y.typname, format('CREATE TYPE %s AS ENUM (%s)', y.path,
    (SELECT string_agg(quote_literal(l.enumlabel), ', ' ORDER BY l.enumsortorder) FROM pg_enum l WHERE l.enumtypid = y.oid)),
    'DROP TYPE ' || y.path, format('to_regtype(%L)', y.path) FROM types y WHERE y.typtype = 'e'
UNION ALL SELECT 2, y.typname, format('CREATE TYPE %s AS RANGE (subtype = %s)', y.path, format_type(r.rngsubtype, NULL)),
    'DROP TYPE ' || y.path, format('to_regtype(%L)', y.path) FROM types y JOIN pg_range r ON r.rngtypid = y.oid
UNION ALL SELECT 3, y.typname, format('CREATE TYPE %s AS (%s)', y.path, (SELECT string_agg(format('%I %s', a.attname,
    format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum) FROM pg_attribute a
    WHERE a.attrelid = y.typrelid AND a.attnum > 0 AND NOT a.attisdropped)),
    'DROP TYPE ' || y.path, format('to_regtype(%L)', y.path) FROM types y WHERE y.typtype = 'c'
UNION ALL SELECT 3, y.typname, concat(format('CREATE DOMAIN %s AS %s', y.path, format_type(y.typbasetype, y.typtypmod)),
    ' DEFAULT ' || coalesce(pg_get_expr(y.typdefaultbin, 0), quote_literal(y.typdefault)), CASE WHEN y.typnotnull THEN ' NOT NULL' END,
    (SELECT string_agg(format(' CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '' ORDER BY k.conname)
      FROM pg_constraint k WHERE k.contypid = y.oid AND k.contype = 'c')),
    'DROP DOMAIN ' || y.path, format('to_regtype(%L)', y.path) FROM types y WHERE y.typtype = 'd'
UNION ALL SELECT 4, s.path, format('CREATE SEQUENCE %s AS %s START WITH %s INCREMENT BY %s MINVALUE %s MAXVALUE %s CACHE %s%s', s.path,
    format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, CASE WHEN s.seqcycle THEN ' CYCLE' END),
    'DROP SEQUENCE IF EXISTS ' || s.path, format('to_regclass(%L)', s.path) FROM sequences s
UNION ALL SELECT 5, p.proname, pg_get_functiondef(p.oid),
    format('DROP %s %s', CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END, p.oid::regprocedure),
    format('to_regprocedure(%L)', p.oid::regprocedure) FROM functions p)
SELECT up, down, presence FROM parts ORDER BY stage, name, up`;

/** The tables and views, each with its schema. */
const RELATIONS = `WITH ${CHOSEN}
SELECT t.table, t.schema, t.path, t.relkind AS kind, pg_get_partkeydef(t.oid) AS partitioning,
  pg_get_expr(c.relpartbound, c.oid) AS bound, CASE WHEN t.relkind IN ('v', 'm') THEN rtrim(pg_get_viewdef(t.oid), ';') END AS query,
  array_to_string(t.reloptions, ', ') AS options, ARRAY(SELECT a.attname::text FROM pg_attribute a
    WHERE a.attrelid = t.oid AND a.attnum > 0 ORDER BY a.attnum) AS columns,
  ARRAY(SELECT format('%I.%I', n.nspname, p.relname) FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhparent
    JOIN pg_namespace n ON n.oid = p.relnamespace WHERE h.inhrelid = t.oid ORDER BY h.inhseqno) AS parents,
  ARRAY(SELECT pg_get_indexdef(x.indexrelid) FROM pg_index x WHERE x.indrelid = t.oid AND t.relkind = 'm')
    || ARRAY(SELECT pg_get_triggerdef(g.oid) FROM pg_trigger g WHERE g.tgrelid = t.oid AND t.relkind = 'v' AND NOT g.tgisinternal) AS more,
  ARRAY(SELECT format('ALTER SEQUENCE %s OWNED BY %s.%I', s.path, s.owner, s.column) FROM sequences s WHERE s.owner = t.path
    ORDER BY 1) AS owned,
  (SELECT json_object_agg(k.conname, n.nspname || '.' || o.relname) FROM pg_constraint k JOIN pg_class o ON o.oid = k.confrelid
    JOIN pg_namespace n ON n.oid = o.relnamespace WHERE k.conrelid = t.oid AND k.contype = 'f') AS targets
FROM t JOIN pg_class c ON c.oid = t.oid ORDER BY t.relispartition, t.oid`;

interface Relation {
  readonly table: string;
  readonly schema: string;
  readonly path: string;
  readonly kind: string;
  readonly partitioning: string | null;
  readonly bound: string | null;
  readonly query: string | null;
  readonly options: string | null;
  /** In their order, also those that are no longer there. */
  readonly columns: readonly string[];
  readonly parents: readonly string[];
  readonly more: readonly string[];
  readonly owned: readonly string[];
  readonly targets: Readonly<Record<string, string>> | null;
}

/** Kinds of parts that the statement of the table contains. */
const INLINE: ReadonlySet<string> = new Set(['column', 'primary key', 'unique constraint', 'check']);

/**
 * The structure of tables and views as the catalogue describes it: with their partitions, and with the types, functions
 * and sequences of their schemas, and those of others that they use. Rights and policies for other logins are left out.
 * Most parts can be made in this order.
 *
 * @param client with the search path `pg_catalog`
 * @param names of tables and views, as `schema.table`; absent ones are left out
 * @param schemas whose types, functions and sequences are read
 */
export async function readStructure(
  client: Client,
  names: readonly string[],
  schemas: readonly string[],
): Promise<readonly StructurePart[]> {
  const values = [schemas, names];
  const { rows: relations } = await client.query<Relation>(RELATIONS, values);
  const { rows: used } = await client.query<Omit<StructurePart, 'table'> & { presence: string }>(USED, values);
  const all = [...new Set([...relations.map(({ schema }) => schema), ...schemas])].filter((name) => name !== 'public');
  const parts = await readTableParts(client, [...all, 'public']);
  const ofTables = relations.map((relation) => partsOf(relation, parts));
  return [
    ...all.map((name) => ({ table: null, presence: 'NULL', ...schemaOf(name) })),
    ...used.map((part) => ({ table: null, ...part })),
    ...ofTables.flatMap(([first]) => first ?? []),
    ...ofTables.flatMap(([, ...rest]) => rest.filter(({ target }) => target === undefined)),
    ...ofTables.flatMap((each) => each.filter(({ target }) => target !== undefined)),
  ];
}

const schemaOf = (name: string): Pick<StructurePart, 'up' | 'down'> => ({
  up: `CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(name)}`,
  down: `DROP SCHEMA ${quoteIdentifier(name)}`,
});

/** The statement of a relation, and those of its further parts. */
function partsOf(relation: Relation, all: readonly TablePart[]): readonly StructurePart[] {
  const { table, schema, path, kind, query, options, more, owned, targets } = relation;
  const plain = (up: string): StructurePart => ({ table, up, down: null });
  if (query !== null) {
    const object = kind === 'm' ? 'MATERIALIZED VIEW' : 'VIEW';
    const up = `CREATE ${object} ${path}${options === '' || options === null ? '' : ` WITH (${options})`} AS\n${query}`;
    const down = `DROP ${object} IF EXISTS ${path}`;
    return [
      { table, up, down, isView: true },
      ...more.map((each): StructurePart => ({ ...plain(each), isView: true })),
    ];
  }
  const own = all.filter((part) => part.table === table);
  const location = { schema, name: table.slice(schema.length + 1) };
  return [
    { table, up: tableText(relation, own), down: `DROP TABLE IF EXISTS ${path}` },
    ...owned.map(plain),
    ...own
      .filter((part) => !INLINE.has(part.kind) && isOfEveryServer(part))
      .map((part): StructurePart => {
        const target = part.kind === 'foreign key' ? targets?.[part.name] : undefined;
        if (target === undefined) return plain(createPart(location, part));
        const down = `ALTER TABLE ${quoteTable(location)} DROP CONSTRAINT ${quoteIdentifier(part.name)}`;
        return { ...plain(createPart(location, part)), down, target };
      }),
  ];
}

/** Logins differ between servers. */
const isOfEveryServer = ({ kind, definition }: TablePart): boolean =>
  kind !== 'privileges' && (kind !== 'policy' || / TO PUBLIC( |$)/.test(definition));

function tableText(relation: Relation, parts: readonly TablePart[]): string {
  const { path, partitioning, bound, parents, columns } = relation;
  const position = ({ kind, name }: TablePart): number => (kind === 'column' ? columns.indexOf(name) : columns.length);
  const by = partitioning === null ? '' : ` PARTITION BY ${partitioning}`;
  if (bound !== null) return `CREATE TABLE ${path} PARTITION OF ${parents[0]} ${bound}${by}`;
  const lines = parts
    .filter(({ kind }) => INLINE.has(kind))
    .toSorted((one, other) => position(one) - position(other))
    .map(({ kind, name, definition }) =>
      kind === 'column'
        ? `  ${quoteIdentifier(name)} ${definition}`
        : `  CONSTRAINT ${quoteIdentifier(name)} ${definition}`,
    );
  return `CREATE TABLE ${path} (\n${lines.join(',\n')}\n)${parents.length === 0 ? '' : ` INHERITS (${parents.join(', ')})`}${by}`;
}
