import type { FoundForeignKey, FoundTable } from '@lintel/schema';
import { columnTypeOf } from './column-type.ts';
import { type Finding, tableName } from './model-plan.ts';

/** A table of pairs of keys. */
export interface LinkTable {
  readonly table: FoundTable;
  readonly owner: FoundForeignKey;
  readonly target: FoundForeignKey;
}

/** A table of the platform's own shape: the values of a collection, in order. */
export interface ElementTable {
  readonly table: FoundTable;
  readonly owner: FoundForeignKey;
  /** Argument of `elements`: `50`, `integer()`; empty for texts of any length. */
  readonly element: string;
}

export interface SelectedTables {
  readonly entities: readonly FoundTable[];
  readonly links: readonly LinkTable[];
  readonly elements: readonly ElementTable[];
  readonly findings: readonly Finding[];
}

/** The columns of the key that the model can have; none for a table or view that is only a list of rows. */
export const keyOf = (table: FoundTable): readonly string[] =>
  keylessReason(table) === undefined ? candidateOf(table) : [];

export const sameColumns = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name) => right.includes(name));

/** What of the tables becomes entities, and what else; with a finding for each that becomes nothing. Pure. */
export function selectTables(tables: readonly FoundTable[]): SelectedTables {
  const findings: Finding[] = [];
  const usable = tables.filter((table) => {
    const reason = reasonToSkip(table);
    if (reason !== undefined) findings.push({ table: tableName(table), object: 'table', reason });
    return reason === undefined;
  });
  for (const table of usable) {
    const object = table.view === null ? 'table' : 'view';
    for (const reason of reasonsToLookAt(table)) findings.push({ table: tableName(table), object, reason });
  }
  const named = new Map(usable.map((table) => [tableName(table), table]));
  const referred = new Set(usable.flatMap(({ foreignKeys }) => foreignKeys.map(({ target }) => tableName(target))));
  const pointsToKey = ({ target, targetColumns }: FoundForeignKey): boolean => {
    const other = named.get(tableName(target));
    return other !== undefined && sameColumns(keyOf(other), targetColumns);
  };
  const links: LinkTable[] = [];
  const elements: ElementTable[] = [];
  const entities = usable.filter((table) => {
    if (referred.has(tableName(table)) || !table.foreignKeys.every(pointsToKey)) return true;
    const link = linkOf(table);
    const element = elementsOf(table);
    if (link !== undefined) links.push(link);
    if (element !== undefined) elements.push(element);
    return link === undefined && element === undefined;
  });
  return { entities, links, elements, findings };
}

const reasonToSkip = (table: FoundTable): string | undefined =>
  table.kind === 'partition' ? 'is a partition: its rows are those of the partitioned table' : undefined;

/** What is to be known of a table or view that becomes an entity, a sentence each. */
function reasonsToLookAt(table: FoundTable): readonly string[] {
  const keyless = keylessReason(table);
  return [
    ...(keyless === undefined ? [] : [`${keyless}: its rows are a read-only list without ids`]),
    ...(keyless === undefined && table.view !== null ? [keyOfView(table)] : []),
    ...(table.view?.writable === true && keyless === undefined
      ? ['can be written in PostgreSQL; the entity is read-only until you add writable: true to its view']
      : []),
    ...(table.view?.populated === false ? ['holds no rows and cannot be read before REFRESH MATERIALIZED VIEW'] : []),
    ...(table.kind === 'partitioned table'
      ? ['is partitioned: the model is of the whole, its partitions are left out']
      : []),
    ...(keyless === undefined ? discriminatorsOf(table) : []),
    ...(table.inheritedBy.length > 0
      ? [
          `has the rows of ${table.inheritedBy.join(', ')}, too, of which one may have the same id, so it is read-only; without such rows, remove readOnly`,
        ]
      : []),
    ...(table.inherits ? ['inherits from another table: the model has it on its own'] : []),
  ];
}

/** Names that programs give the column with the kind of a row; "type" and "kind" are usual for anything else, too. */
const DISCRIMINATORS = /^(dtype|discriminator|disc_type|sti_type|entity_type|class_name)$/i;

const discriminatorsOf = ({ columns }: FoundTable): readonly string[] =>
  columns
    .filter(({ name, nullable }) => DISCRIMINATORS.test(name) && !nullable)
    .map(({ name }) => `has rows of several kinds if ${name} distinguishes them: inheritance makes an entity of each`);

function keyOfView(table: FoundTable): string {
  const key = keyOf(table).join(', ');
  return table.kind === 'view'
    ? `is a view: its key is ${key}, the primary key of its only table ${table.view?.base ?? ''}`
    : `is a materialized view: its key is ${key}, of the unique index ${uniqueIndexOf(table)?.name ?? ''}`;
}

/** The columns that identify a row: of the primary key, for views of what the catalogue knows. */
function candidateOf(table: FoundTable): readonly string[] {
  if (table.view === null) return table.primaryKey?.columns ?? [];
  return table.view.key ?? uniqueIndexOf(table)?.columns ?? [];
}

/** The unique index of all rows of a materialized view with the fewest columns. */
const uniqueIndexOf = ({ indexes }: FoundTable): FoundTable['indexes'][number] | undefined =>
  indexes
    .filter(({ unique, columns, where }) => unique && columns !== null && where === null)
    .sort((one, other) => (one.columns?.length ?? 0) - (other.columns?.length ?? 0))[0];

/** Why a table or view can only be a list of rows; undefined if it can have a key. */
function keylessReason(table: FoundTable): string | undefined {
  const candidate = candidateOf(table);
  if (candidate.length === 0) return REASONS[table.kind];
  const columns = table.columns.filter(({ name }) => candidate.includes(name));
  const bad = columns.find((column) => column.computed || columnTypeOf(column)?.isKey !== true);
  if (bad === undefined) return undefined;
  return bad.computed
    ? `has the key column ${bad.name}, which the database computes`
    : `has the key column ${bad.name} of type ${bad.type}, which no key can have`;
}

const REASONS: Readonly<Record<FoundTable['kind'], string>> = {
  table: 'has no primary key',
  'partitioned table': 'has no primary key',
  partition: 'has no primary key',
  view: 'is a view, and no primary key of a single table identifies its rows',
  'materialized view': 'is a materialized view without a unique index',
  'foreign table': 'is a foreign table, which has no key',
};

/** Nothing but two foreign keys, which are the key together. */
function linkOf(table: FoundTable): LinkTable | undefined {
  const [first, second, more] = table.foreignKeys;
  if (first === undefined || second === undefined || more !== undefined) return undefined;
  const columns = table.columns.map(({ name }) => name);
  const both = [...first.columns, ...second.columns];
  if (!sameColumns(columns, both) || !sameColumns(keyOf(table), both) || new Set(both).size < both.length)
    return undefined;
  // The end after which the table is called has the collection.
  const isSecond = startsWith(table, second) && !startsWith(table, first);
  return isSecond ? { table, owner: second, target: first } : { table, owner: first, target: second };
}

const startsWith = (table: FoundTable, { target }: FoundForeignKey): boolean =>
  table.name.startsWith(`${target.name}_`);

function elementsOf(table: FoundTable): ElementTable | undefined {
  const [owner, more] = table.foreignKeys;
  const value = table.columns.find(({ name }) => name === 'value');
  if (owner === undefined || more !== undefined || value === undefined) return undefined;
  const expected = [...owner.columns, 'position', 'value'];
  const type = columnTypeOf(value);
  // Other columns make an entity of the table.
  const element = type === undefined || type.stored.length > 0 ? undefined : elementArgument(type.builder);
  const fits =
    startsWith(table, owner) &&
    sameColumns(
      table.columns.map(({ name }) => name),
      expected,
    ) &&
    sameColumns(keyOf(table), [...owner.columns, 'position']) &&
    owner.columns.every((name, at) => name === `${owner.target.name}_${owner.targetColumns[at]}`) &&
    table.columns.find(({ name }) => name === 'position')?.type === 'integer' &&
    element !== undefined &&
    !value.nullable;
  return fits ? { table, owner, element } : undefined;
}

/** Texts are named by their length alone. */
function elementArgument(builder: string): string | undefined {
  const [, length] = /^string\((\d+)\)$/.exec(builder) ?? [];
  if (length !== undefined) return length;
  if (builder === 'text()') return '';
  return /^(textForm|arrayOf|json)\(/.test(builder) ? undefined : builder;
}
