import { type Model, tableOf } from '@lintel/metadata';
import type { DatabaseErrorDetails, StatementRunner } from '@lintel/persistence';
import { describeTables } from './describe-tables.ts';
import { storedAttributesOf } from './stored-attributes.ts';
import type { ConstraintOrigin } from './table-description.ts';

/** A violated constraint in the terms of the model. */
export interface FoundConstraint extends ConstraintOrigin {
  readonly isKey?: true;
  /** The model does not have it: it may cover columns that are of no attribute. */
  readonly isByHand?: true;
}

/**
 * Returns the entity and attributes of a violated constraint; undefined where no entity has its columns.
 *
 * @param isShown whether the caller knows an entity and one of the attributes: several can have the columns
 */
export type ConstraintLookup = (
  details: DatabaseErrorDetails,
  isShown?: (found: ConstraintOrigin) => boolean,
) => Promise<FoundConstraint | undefined>;

const keyOf = (...parts: readonly (string | undefined)[]): string => parts.join('\n');

const columnsKey = (kind: string, schema: string, table: string, columns: readonly string[]): string =>
  keyOf(kind, schema, table, ...columns.toSorted());

/**
 * The columns of a constraint, of a unique index, or of an error that names one column, and the columns of views that
 * show them: `pg_rewrite` has the origin of each column of a view at depth 2, and of each column of its subqueries, with
 * which a `UNION` shares the names, deeper. A constraint of a partition is one of the partitioned
 * table. `$1` to `$4`: schema, table, constraint, column.
 */
const COVERED = String.raw`WITH RECURSIVE covered AS (
  SELECT r.oid AS relation, b.attnum AS number FROM pg_class c JOIN pg_namespace m ON m.oid = c.relnamespace
    JOIN pg_class r ON r.oid = coalesce(pg_partition_root(c.oid), c.oid)
    LEFT JOIN (pg_index x JOIN pg_class i ON i.oid = x.indexrelid AND i.relname = $3) ON x.indrelid = c.oid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND (a.attname = $4 OR a.attnum IN (
      SELECT unnest(k.conkey) FROM pg_constraint k WHERE k.conrelid = c.oid AND k.conname = $3
      UNION ALL SELECT unnest((x.indkey::int2[])[0:x.indnkeyatts - 1])
      UNION ALL SELECT d.refobjsubid FROM pg_depend d WHERE 0 = ANY (x.indkey::int2[])
        AND d.classid = 'pg_class'::regclass AND d.objid = x.indexrelid AND d.refobjid = c.oid))
    JOIN pg_attribute b ON b.attrelid = r.oid AND b.attname = a.attname
    WHERE m.nspname = $1 AND c.relname = $2
  UNION SELECT v.attrelid, v.attnum FROM covered s
    JOIN pg_depend d ON (d.refclassid, d.refobjid, d.refobjsubid) = ('pg_class'::regclass, s.relation, s.number)
    JOIN pg_rewrite w ON w.oid = d.objid AND d.classid = 'pg_rewrite'::regclass AND w.ev_type = '1'
    CROSS JOIN LATERAL (SELECT t, sum((t[1] = '{')::int - (t[1] = '}')::int) OVER (ORDER BY i) AS depth FROM regexp_matches(
      w.ev_action::text, '(\\.|[{}])|:resno (\d+) :resname ((?:\\.|[^ \\])+) :ressortgroupref \d+ :resorigtbl '
      || s.relation || ' :resorigcol ' || s.number || ' ', 'g') WITH ORDINALITY AS token (t, i)) AS target
    JOIN pg_attribute v ON v.attrelid = w.ev_class AND v.attnum = t[2]::int AND (depth = 2 OR v.attname = replace(t[3], '\', '')))
  SELECT n.nspname AS schema, r.relname AS "table", array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM covered JOIN pg_class r ON r.oid = relation JOIN pg_namespace n ON n.oid = r.relnamespace
    JOIN pg_attribute a ON a.attrelid = relation AND a.attnum = number
    GROUP BY r.oid, n.nspname, r.relname ORDER BY r.relkind = 'v', r.oid`;

/** Kinds of constraints whose columns say which one of the model they are, by SQLSTATE. */
const KINDS: ReadonlyMap<string | undefined, string> = new Map([
  ['23503', 'reference'],
  ['23505', 'unique'],
]);

interface Covered {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * The lookup for one model: create it once per model. Constraints that the model does not have by this name, as in
 * tables of other owners, are found by their columns, with one query of the catalogue.
 */
export function constraintLookup(model: Model, database: StatementRunner): ConstraintLookup {
  const origins = originsOf(model);
  const originOf = (sqlState: string | undefined, { schema, table, columns }: Covered): FoundConstraint | undefined => {
    const parts = columns.flatMap((name) => origins.get(columnsKey('column', schema, table, [name])) ?? []);
    return (
      origins.get(columnsKey(KINDS.get(sqlState) ?? '', schema, table, columns)) ??
      (parts[0] && {
        entity: parts[0].entity,
        attributes: [...new Set(parts.flatMap(({ attributes }) => attributes))],
        isByHand: true,
      })
    );
  };
  return async ({ schema, table, constraint, column, sqlState, parameter }, isShown = () => true) => {
    const known =
      (parameter === undefined
        ? undefined
        : origins.get(columnsKey('column', `${schema}`, `${table}`, [`${column}`]))) ??
      origins.get(keyOf(schema, table, constraint));
    if ((known !== undefined && isShown(known)) || (constraint ?? column) === undefined) return known;
    const values = [schema, table, constraint, column];
    const covered = await database.query<Covered>({ text: COVERED, values });
    const found = covered.flatMap((each) => originOf(sqlState, each) ?? []);
    return found.find(isShown) ?? known ?? found[0];
  };
}

/** Constraints of the model by their names and by their columns, and the attributes of each column. */
function originsOf(model: Model): ReadonlyMap<string, FoundConstraint> {
  const origins = new Map<string, FoundConstraint>();
  const add = (key: string, origin: FoundConstraint): void => void (origins.has(key) || origins.set(key, origin));
  for (const entity of model.entities.values()) {
    if (entity.kind !== 'entity') continue;
    const { schema, name } = tableOf(entity);
    for (const { path, columns } of storedAttributesOf(model, entity))
      for (const column of columns)
        origins.set(columnsKey('column', schema, name, [column.name]), { entity: entity.name, attributes: [path] });
  }
  for (const { schema, name, columns, primaryKey, foreignKeys, indexes, constraints = [] } of describeTables(model)) {
    const keys =
      primaryKey === undefined ? [] : [{ ...primaryKey, origin: { ...primaryKey.origin, isKey: true as const } }];
    for (const each of [...keys, ...foreignKeys, ...indexes, ...constraints])
      add(keyOf(schema, name, each.name), each.origin);
    for (const each of foreignKeys) add(columnsKey('reference', schema, name, each.columns), each.origin);
    for (const each of [...keys, ...indexes.filter(({ unique }) => unique)])
      add(columnsKey('unique', schema, name, each.columns), each.origin);
    // The columns of collections and of links.
    for (const column of columns)
      if (primaryKey !== undefined) add(columnsKey('column', schema, name, [column.name]), primaryKey.origin);
  }
  return origins;
}
