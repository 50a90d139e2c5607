import {
  type Attribute,
  columnsOf,
  type Entity,
  entityOf,
  type HistoryChild,
  type HistoryNode,
  type HistoryTable,
  isToOne,
  keyColumnsOf,
  lineageOf,
  linkTableOf,
  type Model,
  quoteIdentifier,
  quoteTable,
  storingEntity,
  type Table,
  tableOf,
} from '@lintel/metadata';
import { quoteConstant } from '@lintel/query';

/** A table whose rows a statement may replace by former ones. */
type KeyedTable = Table & Pick<HistoryTable, 'key'>;

const nameOf = ({ schema, name }: Table): string => `${schema}.${name}`;

/** The name of a table in the entries. */
export const sourceOf = (table: Table & Partial<Pick<HistoryTable, 'values'>>): string =>
  table.values?.source ?? nameOf(table);

export const source = (table: Table): string => quoteConstant(sourceOf(table));

export const namesInSql = (names: readonly string[]): string =>
  `ARRAY[${names.map((name) => quoteConstant(name)).join(', ')}]::text[]`;

/** The values of a key under the names of columns, as JSON. */
const keyAsJson = (columns: readonly string[]): string =>
  `jsonb_build_object(${columns.map((name, at) => `${quoteConstant(name)}, k.key::jsonb -> ${at}`).join(', ')})`;

/** Makes a row of a table of it, in the types of its columns: `p`. */
export const keyAsRow = (table: Table, columns: readonly string[]): string =>
  `jsonb_populate_record(NULL::${quoteTable(table)}, ${keyAsJson(columns)}) p`;

export const sameColumns = (columns: readonly string[]): string =>
  columns.map((name) => `t.${quoteIdentifier(name)} = p.${quoteIdentifier(name)}`).join(' AND ');

/** The row with the key as it is stored, as JSON. */
export const present = (table: KeyedTable): string =>
  `(SELECT to_jsonb(t) FROM ${keyAsRow(table, table.key)} JOIN ${quoteTable(table)} t ON ${sameColumns(table.key)})`;

/** The common table expressions of a statement, each with its name. */
export class Parts {
  readonly texts: string[] = [];

  add(query: string): string {
    const name = `h${this.texts.length}`;
    this.texts.push(`${name} AS (${query})`);
    return name;
  }

  with(query: string): string {
    return `WITH ${this.texts.join(', ')} ${query}`;
  }
}

/** Selects the keys of children, elements or links of the owners in `keys`, from entries and from the table. */
const keysOwnedBy = (table: HistoryTable, keys: string): string =>
  `SELECT e.key FROM history.entry e JOIN ${keys} k ON e.owner_key = k.key WHERE e.source = ${source(table)} ` +
  `UNION SELECT history.key_of(to_jsonb(t), ${namesInSql(table.key)}) FROM ${keys} k CROSS JOIN LATERAL ${keyAsRow(table, table.owner)} ` +
  `JOIN ${quoteTable(table)} t ON ${sameColumns(table.owner)}${ofAttributes(table)}`;

const ofAttributes = ({ values }: HistoryTable): string =>
  values === undefined ? '' : ` AND t.attribute_id = ANY (${namesInSql(values.attributes)}::uuid[])`;

/** Rows of a table that a statement reads instead of the stored ones, and the keys that they replace. */
interface Replaced {
  readonly table: KeyedTable;
  readonly rows: string[];
  readonly keys: string[];
}

/** Writes the query of one instance and everything that belongs to it. */
class FamilyWriter {
  readonly parts = new Parts();
  readonly replaced = new Map<string, Replaced>();
  readonly #model: Model;
  readonly #upto: string;
  readonly #change: string | undefined;
  /** Keys of instances to which the family refers, by the entity. */
  readonly #referred = new Map<string, string[]>();

  constructor(model: Model, upto: string, change: string | undefined) {
    this.#model = model;
    this.#upto = upto;
    this.#change = change;
  }

  #replace(table: KeyedTable, keys: string, rows: string): void {
    const known = this.replaced.get(nameOf(table)) ?? { table, rows: [], keys: [] };
    known.rows.push(rows);
    known.keys.push(keys);
    this.replaced.set(nameOf(table), known);
  }

  /**
   * The rows with these keys as they were after the entry; of children, only the rows of the owners.
   *
   * @param replaced the keys of all stored rows that are left out
   */
  #addStates(table: HistoryTable, keys: string, owners?: string, replaced = keys): string {
    const states = `SELECT k.key, history.state_at(${source(table)}, k.key, ${this.#upto}, ${present(table)}) AS state FROM ${keys} k`;
    const isOwned =
      owners === undefined
        ? ''
        : ` AND history.key_of(s.state, ${namesInSql(table.owner)}) IN (SELECT key FROM ${owners})`;
    const rows = this.parts.add(`SELECT s.key, s.state FROM (${states}) s WHERE s.state IS NOT NULL${isOwned}`);
    this.#replace(table, replaced, rows);
    return rows;
  }

  addNode(
    { entity, tables, sides, children }: HistoryNode,
    keys: string,
    known?: readonly [table: HistoryTable, rows: string],
  ): void {
    const named = new Map(
      tables.map((table) => [sourceOf(table), table === known?.[0] ? known[1] : this.#addStates(table, keys)]),
    );
    this.#addReferences(entity, named);
    for (const side of sides) {
      // Values of dynamic attributes keep their owner.
      const owners = side.values === undefined ? keys : undefined;
      const rows = this.#addStates(side, this.parts.add(keysOwnedBy(side, keys)), owners);
      const target = linkTargetOf(this.#model, entity, side);
      if (target !== undefined) this.#refer(target, rows, side.key.slice(side.owner.length));
    }
    for (const child of children) this.#addChild(child, keys, named);
  }

  #addChild({ node, table, from }: HistoryChild, keys: string, named: ReadonlyMap<string, string>): void {
    if (table !== undefined) {
      const all = this.parts.add(keysOwnedBy(table, keys));
      const rows = this.#addStates(table, this.#touchedKeys(node) ?? all, keys, all);
      this.addNode(node, rows, [table, rows]);
    } else if (from !== undefined) {
      const owners = named.get(sourceOf(from.table)) ?? keys;
      this.addNode(node, this.parts.add(keysIn(owners, from.columns)));
    }
  }

  /** Keys of the children that the change has written, or something below them; undefined for all children. */
  #touchedKeys({ tables, sides, children }: HistoryNode): string | undefined {
    const change = this.#change;
    if (change === undefined || children.some(({ table }) => table === undefined)) return undefined;
    const written = (some: readonly HistoryTable[], column: string): readonly string[] =>
      some.length === 0
        ? []
        : [
            `SELECT e.${column} AS key FROM history.entry e WHERE e.change_id = ${change} AND e.source IN (${some.map(source).join(', ')})`,
          ];
    const queries = [...written(tables, 'key'), ...written(sides, 'owner_key')];
    for (const { node, table } of children) {
      const below = this.#touchedKeys(node);
      if (below === undefined || table === undefined) return undefined;
      const owners = namesInSql(table.owner);
      queries.push(
        `SELECT e.owner_key FROM history.entry e JOIN ${below} k ON e.key = k.key WHERE e.source = ${source(table)}`,
        `SELECT history.key_of(${present(table)}, ${owners}) FROM ${below} k`,
      );
    }
    return this.parts.add(queries.join(' UNION '));
  }

  #addReferences(entity: Entity, named: ReadonlyMap<string, string>): void {
    for (const { attribute, columns, table } of referencesOf(this.#model, entity)) {
      const rows = named.get(sourceOf(table));
      if (rows !== undefined) this.#refer(attribute.target, rows, columns);
    }
  }

  #refer(target: string, rows: string, columns: readonly string[]): void {
    this.#referred.set(target, [...(this.#referred.get(target) ?? []), keysIn(rows, columns)]);
  }

  /**
   * Referenced instances have the names that they had then, as far as these are recorded; an instance that no longer
   * exists and was not recorded has its key only.
   */
  addReferred(recorded: ReadonlySet<string>): void {
    for (const [name, queries] of this.#referred) {
      const keys = this.parts.add(queries.join(' UNION '));
      const entity = entityOf(this.#model, name);
      if (entity.isView === true || entity.key === undefined) continue;
      for (const table of tablesOfEntity(this.#model, entity)) {
        const then = recorded.has(sourceOf(table))
          ? `history.state_at(${source(table)}, k.key, ${this.#upto}, ${present(table)})`
          : present(table);
        const rows = `SELECT k.key, coalesce(${then}, ${keyAsJson(table.key)}) AS state FROM ${keys} k`;
        // Rows of the family that are there already are equal.
        this.#replace(table, keys, this.parts.add(rows));
      }
    }
  }

  toSql(): string {
    const members = [...this.replaced.values()].map(({ table, rows, keys }) => {
      const all = (queries: readonly string[], column: string): string =>
        queries.map((query) => `SELECT k.${column} FROM ${query} k`).join(' UNION ');
      const states = `(SELECT coalesce(jsonb_agg(u.state), '[]') FROM (${all(rows, 'state')}) u)`;
      const replacedKeys = `(SELECT coalesce(jsonb_agg(${keyAsJson(table.key)}), '[]') FROM (${all(keys, 'key')}) k)`;
      return `${source(table)}, jsonb_build_object('rows', ${states}, 'keys', ${replacedKeys})`;
    });
    return this.parts.with(`SELECT jsonb_build_object(${members.join(', ')})`);
  }
}

const keysIn = (rows: string, columns: readonly string[]): string =>
  `SELECT r.key FROM (SELECT DISTINCT history.key_of(s.state, ${namesInSql(columns)}) AS key FROM ${rows} s) r WHERE r.key IS NOT NULL`;

/** Lists the tables of an entity and of its ancestors. */
const tablesOfEntity = (model: Model, entity: Entity): readonly KeyedTable[] =>
  [...new Set(lineageOf(model, entity).map((one) => storingEntity(model, one)))].map((one) => ({
    ...tableOf(one),
    key: keyColumnsOf(model, one).map(({ name }) => name),
  }));

const isReference = (attribute: Attribute) => attribute.kind === 'reference';

/** The to-one references in the tables of an inheritance tree that lead out of the family. */
const referencesOf = (model: Model, root: Entity) =>
  [...model.entities.values()]
    .filter((one) => lineageOf(model, one).at(-1) === root)
    .flatMap((one) => [...one.attributes.values()].filter(({ declaredBy }) => declaredBy === one.name))
    .filter(isReference)
    .filter((attribute) => attribute.persistent && attribute.owning && isToOne(attribute) && !attribute.composition)
    .map((attribute) => ({
      attribute,
      columns: columnsOf(model, attribute).map(({ name }) => name),
      table: tableOf(storingEntity(model, entityOf(model, attribute.declaredBy))),
    }));

/** The entity at the other end of a link table; undefined for a table of elements. */
function linkTargetOf(model: Model, root: Entity, side: Table): string | undefined {
  for (const one of model.entities.values()) {
    if (lineageOf(model, one).at(-1) !== root) continue;
    for (const attribute of one.attributes.values())
      if (attribute.kind === 'reference' && attribute.owning && attribute.cardinality === 'MANY_TO_MANY')
        if (sourceOf(linkTableOf(model, one, attribute)) === sourceOf(side)) return attribute.target;
  }
  return undefined;
}

/** An instance with everything that belongs to it as it was after an entry. */
export interface FamilyStatement {
  /** The query of one value: an object with the rows of each replaced table, and the keys that they replace. */
  readonly text: string;
  /** The tables whose rows are replaced, by `schema.table`. */
  readonly tables: ReadonlyMap<string, KeyedTable>;
}

/** The instance and the entry of a query, in SQL. */
interface FamilyOptions {
  readonly key: string;
  /** The id of the entry. */
  readonly upto: string;
  /** The id of a change: of children, only those that it has written; without it, all. */
  readonly change: string | undefined;
  /** The recorded tables of the model, as `schema.table`. */
  readonly recorded: ReadonlySet<string>;
}

/** Writes the query of an instance as it was after an entry. */
export function familyStatement(
  model: Model,
  node: HistoryNode,
  { key, upto, change, recorded }: FamilyOptions,
): FamilyStatement {
  const writer = new FamilyWriter(model, upto, change);
  writer.addNode(node, writer.parts.add(`SELECT ${key} AS key`));
  writer.addReferred(recorded);
  const tables = new Map([...writer.replaced].map(([name, { table }]) => [name, table]));
  return { text: writer.toSql(), tables };
}

/** Writes the rows that a statement reads instead of a table: the rows of the family, and all others as they are stored. */
export function tableInFamily(table: KeyedTable, family: string): string {
  const typed = `jsonb_populate_recordset(NULL::${quoteTable(table)}, ${family} -> ${source(table)} ->`;
  return `(SELECT r.* FROM ${typed} 'rows') r UNION ALL SELECT t.* FROM ${quoteTable(table)} t WHERE NOT EXISTS (SELECT FROM ${typed} 'keys') p WHERE ${sameColumns(table.key)}))`;
}

/**
 * The query of all entries of an instance and of everything that has ever belonged to it.
 *
 * @param key SQL of the key of the instance
 * @param select the query of a subquery of the entries
 */
export function entriesStatement(node: HistoryNode, key: string, select: (all: string) => string): string {
  const parts = new Parts();
  const entries: string[] = [];
  const ENTRY = 'SELECT e.id, e.change_id, e.recorded_at, e.source, e.secrets FROM history.entry e';
  const addNode = ({ tables, sides, children }: HistoryNode, keys: string): void => {
    entries.push(`${ENTRY} JOIN ${keys} k ON e.key = k.key WHERE e.source IN (${tables.map(source).join(', ')})`);
    if (sides.length > 0)
      entries.push(
        `${ENTRY} JOIN ${keys} k ON e.owner_key = k.key WHERE e.source IN (${sides.map(source).join(', ')})`,
      );
    for (const { node: below, table, from } of children) {
      if (table !== undefined) addNode(below, parts.add(keysOwnedBy(table, keys)));
      else if (from !== undefined) addNode(below, parts.add(keysFrom(from, keys, tables)));
    }
  };
  addNode(node, parts.add(`SELECT ${key} AS key`));
  return parts.with(select(`(${entries.join(' UNION ALL ')})`));
}

/** Keys of the children to which owners refer, or have referred. */
export function keysFrom(
  { table, columns }: NonNullable<HistoryChild['from']>,
  keys: string,
  tables: readonly HistoryTable[],
): string {
  const own = tables.find((each) => sourceOf(each) === sourceOf(table)) as HistoryTable;
  const recorded = `SELECT v.state FROM history.entry e JOIN ${keys} k ON e.key = k.key CROSS JOIN LATERAL (VALUES (e.before), (e.after)) v(state) WHERE e.source = ${source(table)}`;
  const stored = `SELECT ${present(own)} FROM ${keys} k`;
  return `SELECT DISTINCT history.key_of(s.state, ${namesInSql(columns)}) AS key FROM (${recorded} UNION ALL ${stored}) s`;
}
