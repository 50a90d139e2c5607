import { createHash } from 'node:crypto';
import {
  attributesIn,
  type Column,
  constraintMessage,
  deletedColumnOf,
  type Entity,
  type EntityIndex,
  isExternalTable,
  keyColumnsOf,
  lineageOf,
  type Model,
  quoteIdentifier,
  snakeCase,
  storingEntity,
  tableOf,
  withAttributes,
} from '@lintel/metadata';
import { type ConstraintKind, constraintName } from './constraint-name.ts';
import type { StoredAttribute } from './stored-attributes.ts';
import type { ConstraintDescription, IndexDescription } from './table-description.ts';

const HASH_LENGTH = 8;

/** A name with a hash of the definition: another definition is another constraint, so names alone are compared. */
function hashedName(kind: ConstraintKind, table: string, parts: readonly string[], definition: string): string {
  const hash = createHash('sha256').update(definition).digest('hex').slice(0, HASH_LENGTH);
  return constraintName(kind, table, parts.map(snakeCase), hash);
}

/**
 * Soft-deleted rows do not count for uniqueness (contract/decisions.md#47). The mark is in the root's table, so
 * the unique attributes in a descendant's own table are unique among all rows.
 */
export function liveRowsOnly(model: Model, entity: Entity): string | undefined {
  const marker = storingEntity(model, entity).ancestor === undefined ? deletedColumnOf(model, entity) : undefined;
  return marker === undefined ? undefined : `${quoteIdentifier(marker.name)} IS NULL`;
}

/** The columns of the attributes of an entity in its table. */
interface ColumnLookup {
  /** @throws Error if the table of the entity does not have the attribute */
  of(path: string): readonly Column[];
  /** Names without repetitions. */
  names(paths: readonly string[]): readonly string[];
  /** SQL with columns instead of attributes. */
  compile(text: string): string;
}

function columnLookup(model: Model, entity: Entity, attributes: readonly StoredAttribute[]): ColumnLookup {
  const lineage = lineageOf(model, entity).map(({ name }) => name);
  const fail = (path: string, reason: string): never => {
    throw new Error(`A constraint or an index of ${entity.name} names ${path}, which ${reason}`);
  };
  const of = (path: string): readonly Column[] => {
    const members = attributes.filter(
      (each) => lineage.includes(each.entity) && (each.path === path || each.path.startsWith(`${path}.`)),
    );
    if (members.length > 0) return members.flatMap(({ columns }) => columns);
    // The attribute is the ancestor's, and the table of a descendant has its column.
    return path === entity.key?.attribute ? keyColumnsOf(model, entity) : fail(path, 'its table has not');
  };
  return {
    of,
    names: (paths) => [...new Set(paths.flatMap((path) => of(path).map(({ name }) => name)))],
    compile: (text) =>
      withAttributes(text, (path) => {
        const [column, ...more] = of(path);
        return column === undefined || more.length > 0 ? fail(path, 'is not one column') : quoteIdentifier(column.name);
      }),
  };
}

const both = (conditions: readonly (string | undefined)[]): string | undefined => {
  const given = conditions.filter((each) => each !== undefined);
  return given.length < 2 ? given[0] : given.map((each) => `(${each})`).join(' AND ');
};

const where = (condition: string | undefined): string => (condition === undefined ? '' : ` WHERE (${condition})`);

/** The checks and exclusions of an entity. */
export function declaredConstraints(
  model: Model,
  entity: Entity,
  attributes: readonly StoredAttribute[],
): readonly ConstraintDescription[] {
  const columns = columnLookup(model, entity, attributes);
  const table = tableOf(entity).name;
  const described = (
    kind: 'check' | 'exclusion',
    name: string,
    definition: string,
    names: readonly string[],
    message = constraintMessage(entity.name, name),
  ): ConstraintDescription => ({
    // A table of another owner has the constraint already, under this name.
    name: isExternalTable(entity.table) ? name : hashedName(kind === 'check' ? 'ck' : 'ex', table, [name], definition),
    kind,
    definition,
    origin: { entity: entity.name, attributes: names, message },
  });
  const checks = Object.entries(entity.checks ?? {}).map(([name, { condition, message }]) =>
    described('check', name, `CHECK (${columns.compile(condition)})`, attributesIn(condition), message),
  );
  const exclusions = Object.entries(entity.exclusions ?? {}).map(([name, exclusion]) => {
    const { equal = [], period, endIncluded = false, message } = exclusion;
    const [start, end] = period.map((path) => columns.of(path)[0]);
    const keys = columns.names(equal).map((column) => `${quoteIdentifier(column)} WITH =`);
    const range = `${rangeOf(start, entity)}(${quoteIdentifier(start?.name ?? '')}, ${quoteIdentifier(end?.name ?? '')}${endIncluded ? ", '[]'" : ''}) WITH &&`;
    const rows = both([
      liveRowsOnly(model, entity),
      exclusion.where === undefined ? undefined : columns.compile(exclusion.where),
    ]);
    const definition = `EXCLUDE USING gist (${[...keys, range].join(', ')})${where(rows)}`;
    return described('exclusion', name, definition, [...equal, ...period], message);
  });
  return [...checks, ...exclusions];
}

const RANGES: readonly (readonly [RegExp, string])[] = [
  [/^timestamptz|with time zone/, 'tstzrange'],
  [/^timestamp/, 'tsrange'],
  [/^date$/, 'daterange'],
  [/^(smallint|integer)$/, 'int4range'],
  [/^bigint$/, 'int8range'],
  [/^numeric/, 'numrange'],
];

function rangeOf(column: Column | undefined, entity: Entity): string {
  const found = RANGES.find(([pattern]) => pattern.test(column?.type ?? ''));
  if (found === undefined)
    throw new Error(
      `A period of ${entity.name} is of ${column?.type}: only numbers, dates and date-times have periods`,
    );
  return found[1];
}

/** The declared indexes of an entity. */
export function declaredIndexes(
  model: Model,
  entity: Entity,
  attributes: readonly StoredAttribute[],
): readonly IndexDescription[] {
  const columns = columnLookup(model, entity, attributes);
  return entity.indexes.map((index) => {
    if (index.search === true) return searchIndex(entity, columns, index.attributes);
    const live = index.unique ? liveRowsOnly(model, entity) : undefined;
    return [index.expression, index.where, index.method, index.operatorClass].every((each) => each === undefined)
      ? indexOf(entity, columns.names(index.attributes), index, live)
      : specialIndex(entity, columns, index, live);
  });
}

/** An index of columns. */
export function indexOf(
  entity: Entity,
  columns: readonly string[],
  { attributes, unique, message }: Pick<EntityIndex, 'attributes' | 'unique' | 'message'>,
  live: string | undefined,
): IndexDescription {
  const condition = unique ? live : undefined;
  const qualifier = condition === undefined ? undefined : 'live';
  return {
    name: constraintName(unique ? 'uq' : 'ix', tableOf(entity).name, columns, qualifier),
    columns,
    unique,
    search: false,
    where: condition,
    origin: { entity: entity.name, attributes, ...(message === undefined ? {} : { message }) },
  };
}

/** An index with an expression, a condition, a method or an operator class. */
function specialIndex(
  entity: Entity,
  columns: ColumnLookup,
  index: EntityIndex,
  live: string | undefined,
): IndexDescription {
  const { attributes, unique, expression, method = 'btree', operatorClass } = index;
  const names = columns.names(attributes);
  const suffix = operatorClass === undefined ? '' : ` ${operatorClass}`;
  const keys =
    expression === undefined
      ? names.map((name) => `${quoteIdentifier(name)}${suffix}`)
      : [`(${columns.compile(expression)})${suffix}`];
  const rows = both([live, index.where === undefined ? undefined : columns.compile(index.where)]);
  const definition = `USING ${method} (${keys.join(', ')})${where(rows)}`;
  return {
    ...indexOf(entity, names, index, undefined),
    name: hashedName(unique ? 'uq' : 'ix', tableOf(entity).name, names, definition),
    where: rows,
    definition,
  };
}

/** It includes soft-deleted rows: references to them are still visible and can be searched through. */
function searchIndex(entity: Entity, lookup: ColumnLookup, paths: readonly string[]): IndexDescription {
  const columns = lookup.names(paths);
  const [column] = paths.flatMap((path) => lookup.of(path));
  if (columns.length !== 1 || column === undefined || !/^(text|varchar)/.test(column.type))
    throw new Error(`A search index of ${entity.name} names ${paths}, which is no text`);
  return {
    ...indexOf(entity, columns, { attributes: paths, unique: false }, undefined),
    name: constraintName('ix', tableOf(entity).name, columns, 'search'),
    search: true,
  };
}
