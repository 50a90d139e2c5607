import {
  type Column,
  type Entity,
  elementsTableOf,
  entityOf,
  type ForeignColumn,
  foreignColumnsOf,
  historyTablesOf,
  isArray,
  isExternalTable,
  keyColumnsOf,
  linkTableOf,
  type Model,
  type ReferenceAttribute,
  storageOf,
  storingEntity,
  type TableLocation,
  tableOf,
} from '@lintel/metadata';
import { constraintName } from './constraint-name.ts';
import { declaredConstraints, declaredIndexes, indexOf, liveRowsOnly } from './describe-constraints.ts';
import { historyTriggers } from './history-triggers.ts';
import { type StoredAttribute, storedAttributesOf, storedFamilyOf } from './stored-attributes.ts';
import type {
  ColumnDescription,
  ConstraintOrigin,
  ForeignKeyDescription,
  IndexDescription,
  TableDescription,
} from './table-description.ts';

/**
 * The tables of a model, by the storage map: one per stored entity (its own attributes; inherited ones
 * are in the ancestor's), one per M:N association and one per element collection. Pure.
 */
export function describeTables(model: Model): readonly TableDescription[] {
  const recorded = new Map(historyTablesOf(model).map((table) => [`${table.schema}.${table.name}`, table]));
  return describeStored(model).map((table) => {
    const history = recorded.get(`${table.schema}.${table.name}`);
    return history === undefined ? table : { ...table, triggers: historyTriggers(history) };
  });
}

function describeStored(model: Model): readonly TableDescription[] {
  return [...model.entities.values()]
    .filter((entity) => entity.kind === 'entity' && storingEntity(model, entity) === entity)
    .flatMap((entity) => {
      const attributes = storedAttributesOf(model, entity);
      if (entity.isView === true || entity.key === undefined)
        return [describeRows(entity, attributes), ...attributes.flatMap((each) => sideTables(model, each))];
      return [describeEntityTable(model, entity, attributes), ...attributes.flatMap((each) => sideTables(model, each))];
    });
}

const plain = (
  { name, type, nullable, generated, isCheckedByDatabase }: Column,
  identity = false,
): ColumnDescription => ({
  name,
  type,
  nullable,
  identity,
  ...(generated === true ? { generated } : {}),
  ...(isCheckedByDatabase === true ? { isCheckedByDatabase } : {}),
});

const ownerOf = (location: TableLocation | undefined): Pick<TableDescription, 'external' | 'takenOver'> => ({
  external: isExternalTable(location),
  ...(location?.owned === true ? { takenOver: true } : {}),
});

const namesOf = (columns: readonly { readonly name: string }[]): readonly string[] => columns.map(({ name }) => name);

/** A view, or a table without a key: nothing but columns. */
const describeRows = (entity: Entity, attributes: readonly StoredAttribute[]): TableDescription => ({
  ...tableOf(entity),
  external: true,
  ...(entity.isView === true ? { isView: true } : {}),
  columns: ownColumns(attributes, []),
  foreignKeys: [],
  indexes: [],
});

function describeEntityTable(model: Model, entity: Entity, attributes: readonly StoredAttribute[]): TableDescription {
  const storage = storageOf(model, entity);
  const { table } = storage;
  const keyNames = namesOf(storage.keyColumns);
  const isRoot = entity.ancestor === undefined;
  const columns = [
    ...storage.keyColumns.map((column) => plain(column, isRoot && entity.key?.generation === 'identity')),
    ...(storage.discriminator === undefined
      ? []
      : [{ ...plain(storage.discriminator), anyNullability: true as const }]),
    ...ownColumns(attributes, keyNames),
  ];
  const origin = { entity: entity.name, attributes: [entity.key?.attribute ?? 'id'] };
  const primaryKey = { name: constraintName('pk', table.name, keyNames), columns: keyNames, origin };
  const foreignKeys = [
    ...(isRoot ? [] : [inheritanceKey(model, entity, origin)]),
    ...attributes.flatMap((each) => referenceKey(model, entity, each)),
  ];
  const indexes = [
    ...attributes.flatMap((each) => uniqueIndex(model, entityOf(model, each.entity), each)),
    ...fileIndexes(entity, attributes),
    ...storedFamilyOf(model, entity).flatMap((one) => declaredIndexes(model, one, attributes)),
  ].filter(({ name }, at, all) => all.findIndex((other) => other.name === name) === at);
  return {
    ...table,
    ...ownerOf(entity.table),
    columns,
    primaryKey,
    foreignKeys,
    indexes: [...indexes, ...indexesOfKeys(table.name, foreignKeys, [primaryKey, ...indexes])],
    constraints: storedFamilyOf(model, entity).flatMap((one) => declaredConstraints(model, one, attributes)),
  };
}

/**
 * The columns besides those of the key. A column of several attributes has the type of the one that is no reference, and
 * is mandatory if one of them is.
 */
function ownColumns(attributes: readonly StoredAttribute[], keyNames: readonly string[]): readonly ColumnDescription[] {
  const ordered = attributes.flatMap(({ attribute, columns }) =>
    columns.map((column) => ({ column, isReference: attribute.kind === 'reference' })),
  );
  const named = Map.groupBy(ordered, ({ column }) => column.name);
  return [...named].flatMap(([name, found]) => {
    const { column } = found.find(({ isReference }) => !isReference) ?? (found[0] as (typeof found)[number]);
    const nullable = found.every((each) => each.column.nullable);
    return keyNames.includes(name) ? [] : [plain({ ...column, nullable })];
  });
}

/** The row of a descendant lives and dies with the row of its ancestor. */
function inheritanceKey(model: Model, entity: Entity, origin: ConstraintOrigin): ForeignKeyDescription {
  const ancestor = entityOf(model, entity.ancestor ?? '');
  const columns = namesOf(keyColumnsOf(model, entity));
  return {
    name: constraintName('fk', tableOf(entity).name, columns),
    columns,
    target: tableOf(ancestor),
    targetColumns: namesOf(keyColumnsOf(model, ancestor)),
    onDelete: 'CASCADE',
    origin,
  };
}

/** Deletion is decided by the write pipeline and its policies; the database only refuses deletions that they missed. */
function referenceKey(model: Model, entity: Entity, stored: StoredAttribute): readonly ForeignKeyDescription[] {
  const { attribute } = stored;
  if (attribute.kind !== 'reference') return [];
  const columns = foreignColumnsOf(model, attribute, stored.prefix);
  // PostgreSQL has no foreign keys to views.
  if (columns.length === 0 || entityOf(model, attribute.target).isView === true) return [];
  const names = namesOf(columns);
  return [
    {
      name: constraintName('fk', tableOf(entity).name, names),
      columns: names,
      target: tableOf(entityOf(model, attribute.target)),
      targetColumns: columns.map((column) => column.targetColumn),
      onDelete: 'NO ACTION',
      origin: { entity: stored.entity, attributes: [stored.path] },
    },
  ];
}

function uniqueIndex(model: Model, entity: Entity, stored: StoredAttribute): readonly IndexDescription[] {
  const { attribute, columns } = stored;
  const isUnique =
    attribute.kind === 'reference'
      ? attribute.cardinality === 'ONE_TO_ONE'
      : (attribute.kind === 'datatype' || attribute.kind === 'enum') && attribute.unique;
  if (!isUnique || columns.length === 0 || entity.key?.attribute === stored.path) return [];
  // A reference over the whole key is as unique as the key.
  if (sameNames(namesOf(columns), namesOf(keyColumnsOf(model, entity)))) return [];
  const { uniqueMessage: message } = attribute;
  const index = { attributes: [stored.path], unique: true, ...(message === undefined ? {} : { message }) };
  return [indexOf(entity, namesOf(columns), index, liveRowsOnly(model, entity))];
}

const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((name) => right.includes(name));

const textIndex = (table: string, column: string, origin: ConstraintOrigin): IndexDescription => ({
  name: constraintName('ix', table, [column], 'search'),
  columns: [column],
  unique: false,
  search: true,
  where: undefined,
  origin,
});

/** What refers to a file is searched by the beginning of the reference (contract/files.md#access). */
const fileIndexes = (entity: Entity, attributes: readonly StoredAttribute[]): readonly IndexDescription[] =>
  attributes
    .filter(({ attribute }) => attribute.kind === 'datatype' && attribute.datatype === 'fileRef')
    .flatMap(({ columns, path, entity: declaredBy }) =>
      columns.map(({ name }) => textIndex(tableOf(entity).name, name, { entity: declaredBy, attributes: [path] })),
    );

type Existing = Pick<IndexDescription, 'columns'> & Partial<Pick<IndexDescription, 'where' | 'search' | 'definition'>>;

/** Every foreign key has an index, unless the key or another complete index begins with its columns. */
function indexesOfKeys(
  table: string,
  foreignKeys: readonly ForeignKeyDescription[],
  existing: readonly Existing[],
): readonly IndexDescription[] {
  const complete = existing.filter(
    (one) => one.where === undefined && one.search !== true && one.definition === undefined,
  );
  return foreignKeys
    .filter(({ columns }) => !complete.some((other) => beginsWith(other.columns, columns)))
    .map(({ columns, origin }) => ({
      name: constraintName('ix', table, columns),
      columns,
      unique: false,
      search: false,
      where: undefined,
      origin,
    }));
}

const beginsWith = (columns: readonly string[], beginning: readonly string[]): boolean =>
  beginning.every((name, at) => columns[at] === name);

/** The link table or element table that an attribute brings along. */
function sideTables(model: Model, stored: StoredAttribute): readonly TableDescription[] {
  const { attribute } = stored;
  if (isArray(attribute)) return [];
  if (attribute.kind === 'elements') return [elementsTable(model, attribute)];
  if (attribute.kind === 'reference' && attribute.owning && attribute.cardinality === 'MANY_TO_MANY') {
    return [linkTable(model, attribute)];
  }
  return [];
}

function linkTable(model: Model, attribute: ReferenceAttribute): TableDescription {
  const owner = entityOf(model, attribute.declaredBy);
  const link = linkTableOf(model, owner, attribute);
  const origin = { entity: owner.name, attributes: [attribute.name] };
  const keyTo = (entity: string, columns: readonly ForeignColumn[], onDelete: 'NO ACTION' | 'CASCADE') => ({
    name: constraintName('fk', link.name, namesOf(columns)),
    columns: namesOf(columns),
    target: tableOf(entityOf(model, entity)),
    targetColumns: columns.map((column) => column.targetColumn),
    onDelete,
    origin,
  });
  // Links are removed with their owner; the other end cannot be removed while it is linked.
  const foreignKeys = [
    ...(owner.isView === true ? [] : [keyTo(owner.name, link.ownColumns, 'CASCADE')]),
    ...(entityOf(model, attribute.target).isView === true
      ? []
      : [keyTo(attribute.target, link.targetColumns, 'NO ACTION')]),
  ];
  const columns = [...link.ownColumns, ...link.targetColumns];
  const primaryKey = { name: constraintName('pk', link.name, namesOf(columns)), columns: namesOf(columns), origin };
  return {
    schema: link.schema,
    name: link.name,
    ...ownerOf(attribute.link),
    columns: columns.map((column) => plain(column)),
    primaryKey,
    foreignKeys,
    indexes: indexesOfKeys(link.name, foreignKeys, [primaryKey]),
  };
}

function elementsTable(model: Model, attribute: StoredAttribute['attribute'] & { kind: 'elements' }): TableDescription {
  const elements = elementsTableOf(model, attribute);
  const origin = { entity: attribute.declaredBy, attributes: [attribute.name] };
  const owner = namesOf(elements.ownerColumns);
  const key = [...owner, elements.positionColumn.name];
  return {
    schema: elements.schema,
    name: elements.name,
    ...ownerOf(entityOf(model, attribute.declaredBy).table),
    columns: [...elements.ownerColumns, elements.positionColumn, elements.valueColumn].map((column) => plain(column)),
    primaryKey: { name: constraintName('pk', elements.name, key), columns: key, origin },
    foreignKeys: [
      {
        name: constraintName('fk', elements.name, owner),
        columns: owner,
        target: tableOf(entityOf(model, attribute.declaredBy)),
        targetColumns: elements.ownerColumns.map((column) => column.targetColumn),
        onDelete: 'CASCADE',
        origin,
      },
    ],
    indexes: attribute.datatype === 'fileRef' ? [textIndex(elements.name, elements.valueColumn.name, origin)] : [],
  };
}
