import {
  type ArrayAttribute,
  type Attribute,
  type DatatypeAttribute,
  isArray,
  type ReferenceAttribute,
  type StoredBooleans,
} from '../entities/attribute.ts';
import { type Entity, isSoftDeleted } from '../entities/entity.ts';
import type { DiscriminatorValue } from '../entities/inheritance.ts';
import { entityOf, enumOf, familyTreeOf, lineageOf, type Model } from '../model.ts';
import { snakeCase } from './snake-case.ts';

/**
 * Where the model is stored: tables and columns are defined only here. Used by the compiler's
 * `plan` and `compile` stages and by `persistence`, so that both agree.
 */

/** A type that a column is cast to wherever it is read, or what it contains for true and false. */
export type ReadAs = 'text' | 'jsonb' | 'numeric' | 'bigint' | StoredBooleans;

/** A column and its PostgreSQL type. */
export interface Column {
  readonly name: string;
  /** PostgreSQL type with its parameters, e.g. `numeric(19,2)`. */
  readonly type: string;
  readonly nullable: boolean;
  /**
   * How its values are read, if not as they are: of an enum of the database, of `json`, of money, of text forms without
   * an order, of booleans that are texts or numbers.
   */
  readonly readAs?: ReadAs;
  /** The database alone knows which values are valid: one of a text form or a domain. */
  readonly isCheckedByDatabase?: true;
  /** The database alone gives the value. */
  readonly generated?: true;
  /** Its values are arrays; the type ends with `[]`. */
  readonly isArray?: true;
}

export interface Table {
  readonly schema: string;
  readonly name: string;
}

/** A foreign key column and the key column of the target it refers to. */
export interface ForeignColumn extends Column {
  /** Column of the target's key. */
  readonly targetColumn: string;
}

/** The link table of a M:N association, from the perspective of one end. */
export interface LinkTable extends Table {
  /** Columns that refer to the key of this end's entity. */
  readonly ownColumns: readonly ForeignColumn[];
  /** Columns that refer to the target's key. */
  readonly targetColumns: readonly ForeignColumn[];
}

/** The table of an element collection. */
export interface ElementsTable extends Table {
  readonly ownerColumns: readonly ForeignColumn[];
  /** Zero-based position in the collection. */
  readonly positionColumn: Column;
  readonly valueColumn: Column;
}

/** The column that names the concrete entity of a row. */
export interface Discriminator extends Column {
  /** Value and entity of each concrete entity; absent if the values are the names of the entities. */
  readonly values?: readonly (readonly [value: DiscriminatorValue, entity: string])[];
}

/** Where one entity's own attributes are stored. Inherited ones are in the ancestor's table. */
export interface EntityStorage {
  readonly table: Table;
  readonly keyColumns: readonly Column[];
  /** Column that names the concrete entity; only if there is inheritance, in the root's table. */
  readonly discriminator: Discriminator | undefined;
}

/** Name of the column with the concrete entity in joined inheritance. */
export const DISCRIMINATOR_COLUMN = 'entity_name';

/** Schema and table of an entity: its own, or by its name `sales_OrderLine` → `sales`.`order_line`. */
export function tableOf({ name, table }: Pick<Entity, 'name' | 'table'>): Table {
  if (table !== undefined) return table;
  const at = name.indexOf('_');
  if (at <= 0) return { schema: 'app', name: snakeCase(name) };
  return { schema: name.slice(0, at).toLowerCase(), name: snakeCase(name.slice(at + 1)) };
}

/**
 * PostgreSQL type of a datatype. Instants and local date-times keep milliseconds (contract/decisions.md#3), or
 * microseconds if the attribute has them.
 */
export function columnTypeOf(
  attribute: Pick<DatatypeAttribute, 'datatype' | 'length' | 'precision' | 'scale' | 'microseconds'>,
): string {
  switch (attribute.datatype) {
    case 'string':
    case 'fileRef':
    case 'uri':
      return attribute.length === undefined ? 'text' : `varchar(${attribute.length})`;
    case 'char':
      return 'varchar(1)';
    case 'boolean':
      return 'boolean';
    case 'short':
      return 'smallint';
    case 'int':
      return 'integer';
    case 'long':
      return 'bigint';
    case 'float':
      return 'real';
    case 'double':
      return 'double precision';
    case 'decimal':
      return attribute.precision === undefined ? 'numeric' : `numeric(${attribute.precision},${attribute.scale ?? 0})`;
    case 'bigInteger':
      return 'numeric(38,0)';
    case 'uuid':
      return 'uuid';
    case 'date':
    case 'localDate':
      return 'date';
    case 'dateTime':
    case 'localDateTime':
      return `timestamp(${attribute.microseconds === true ? 6 : 3})`;
    case 'offsetDateTime':
      return `timestamptz(${attribute.microseconds === true ? 6 : 3})`;
    case 'time':
    case 'localTime':
      return 'time(0)';
    case 'offsetTime':
      return 'timetz(0)';
    case 'byteArray':
      return 'bytea';
    case 'json':
      return 'jsonb';
    default:
      return attribute.datatype satisfies never;
  }
}

/** The columns of a local or embedded attribute; `prefix` is the path above it inside the row. */
export function columnsOf(model: Model, attribute: Attribute, prefix = ''): readonly Column[] {
  const name = `${prefix}${attribute.columns?.[0] ?? snakeCase(attribute.name)}`;
  const nullable = !attribute.mandatory || prefix !== '';
  const generation = attribute.generated === true ? { generated: true as const } : {};
  switch (attribute.kind) {
    case 'datatype':
      return attribute.persistent ? [{ ...datatypeColumn(name, attribute, nullable), ...generation }] : [];
    case 'enum': {
      if (!attribute.persistent) return [];
      if (attribute.columnType !== undefined)
        return [{ ...enumColumn(name, attribute.columnType, nullable), ...generation }];
      const type = enumOf(model, attribute.enumName).idType === 'int' ? 'integer' : 'varchar(50)';
      return [{ name, type, nullable, ...generation }];
    }
    case 'embedded':
      return embeddedColumns(model, attribute.target, embeddedPrefix(attribute, prefix));
    case 'reference':
      return attribute.persistent ? foreignColumnsOf(model, attribute, prefix) : [];
    case 'elements':
      return isArray(attribute) && attribute.persistent ? [arrayColumn(name, attribute, nullable)] : [];
    default:
      return attribute satisfies never;
  }
}

const USER_TYPE = '.';

const arrayColumn = (name: string, { columnType, comparedAs }: ArrayAttribute, nullable: boolean): Column => ({
  name,
  type: columnType,
  nullable,
  isArray: true,
  ...(comparedAs !== undefined || columnType.includes(USER_TYPE) ? { isCheckedByDatabase: true } : {}),
});

/** The type of elements of a datatype. Dates and times have no limit of digits: the catalogue has none of an array. */
export const elementTypeOf = (element: Parameters<typeof columnTypeOf>[0]): string =>
  columnTypeOf(element).replace(/^(time\w*)\(\d\)/, '$1');

/** The elements of an array column as a column of a table. An element of an enum of the database is a text. */
export function elementColumnOf({ columnType, comparedAs }: ArrayAttribute, name: string): Column {
  const isText = comparedAs === undefined ? columnType.includes(USER_TYPE) : comparedAs === 'text';
  return { name, type: columnType.slice(0, -2), nullable: true, ...(isText ? { readAs: 'text' } : {}) };
}

/** `json` and `oid` lack operators, and `money` is written as the settings of the server say. */
const READ_AS: Readonly<Record<string, ReadAs>> = { json: 'jsonb', money: 'numeric', oid: 'bigint' };

const typeOfStored = ({ true: yes, false: no }: StoredBooleans): string =>
  typeof yes === 'number' ? 'smallint' : `varchar(${Math.max(yes.length, String(no).length)})`;

const readAsOf = ({ storedValues, comparedAs, columnType }: DatatypeAttribute): ReadAs | undefined =>
  storedValues ?? (comparedAs === undefined ? READ_AS[columnType ?? ''] : comparedAs === 'text' ? 'text' : undefined);

const readingOf = (readAs: ReadAs | undefined): Pick<Column, 'readAs'> => (readAs === undefined ? {} : { readAs });

const datatypeColumn = (name: string, attribute: DatatypeAttribute, nullable: boolean): Column => ({
  name,
  type:
    attribute.columnType ?? (attribute.storedValues ? typeOfStored(attribute.storedValues) : columnTypeOf(attribute)),
  nullable,
  ...readingOf(readAsOf(attribute)),
  ...(attribute.comparedAs !== undefined || attribute.columnType?.includes(USER_TYPE)
    ? { isCheckedByDatabase: true }
    : {}),
  ...(attribute.columnType?.endsWith('[]') ? { isArray: true } : {}),
});

const enumColumn = (name: string, type: string, nullable: boolean): Column => ({
  name,
  type,
  nullable,
  ...(type.includes('.') ? { readAs: 'text' } : {}),
});

const embeddedColumns = (model: Model, target: string, prefix: string): readonly Column[] =>
  [...entityOf(model, target).attributes.values()].flatMap((inner) => columnsOf(model, inner, prefix));

/** The column of a local attribute. */
export function columnOf(model: Model, attribute: Attribute, prefix = ''): Column {
  const column = columnsOf(model, attribute, prefix)[0];
  if (column === undefined) throw new Error(`${attribute.declaredBy}.${attribute.name} has no column`);
  return column;
}

/** Prefix of the columns of an embedded attribute: `address` → `address_`. */
export const embeddedPrefix = (attribute: Attribute, prefix = ''): string =>
  `${prefix}${(attribute.kind === 'embedded' ? attribute.columnPrefix : undefined) ?? `${snakeCase(attribute.name)}_`}`;

/** The columns of the entity's key. */
export function keyColumnsOf(model: Model, entity: Entity): readonly Column[] {
  if (entity.key === undefined) throw new Error(`${entity.name} has no key`);
  const attribute = entity.attributes.get(entity.key.attribute);
  if (attribute === undefined) throw new Error(`${entity.name} has no attribute ${entity.key.attribute}`);
  return columnsOf(model, attribute).map(({ name, ...column }, at) => ({
    ...column,
    name: entity.keyColumns?.[at] ?? name,
    nullable: false,
  }));
}

/** The foreign key columns of an owning to-one reference; none for any other reference. */
export function foreignColumnsOf(model: Model, attribute: ReferenceAttribute, prefix = ''): readonly ForeignColumn[] {
  if (!attribute.owning || attribute.cardinality === 'MANY_TO_MANY') return [];
  const base = `${prefix}${snakeCase(attribute.name)}`;
  return keyColumnsOf(model, entityOf(model, attribute.target)).map((column, at) => ({
    name: attribute.columns?.[at] ?? `${base}_${column.name}`,
    type: column.type,
    nullable: !attribute.mandatory,
    targetColumn: column.name,
  }));
}

function linkColumns(
  model: Model,
  entity: Entity,
  base: string,
  names: readonly string[] = [],
): readonly ForeignColumn[] {
  return keyColumnsOf(model, entity).map((column, at) => ({
    name: names[at] ?? `${base}_${column.name}`,
    type: column.type,
    nullable: false,
    targetColumn: column.name,
  }));
}

/** The link table of a M:N association, from the perspective of the given end. */
export function linkTableOf(model: Model, entity: Entity, attribute: ReferenceAttribute): LinkTable {
  const target = entityOf(model, attribute.target);
  if (!attribute.owning) {
    const other = attribute.inverse === undefined ? undefined : target.attributes.get(attribute.inverse);
    if (other?.kind !== 'reference') throw new Error(`${entity.name}.${attribute.name} has no other end`);
    const owner = linkTableOf(model, target, other);
    return { ...owner, ownColumns: owner.targetColumns, targetColumns: owner.ownColumns };
  }
  const declarer = entityOf(model, attribute.declaredBy);
  const own = tableOf(declarer);
  const { link } = attribute;
  const targetBase = tableOf(target).name === own.name ? snakeCase(attribute.name) : tableOf(target).name;
  return {
    schema: link?.schema ?? own.schema,
    name: link?.name ?? `${own.name}_${snakeCase(attribute.name)}_link`,
    ownColumns: linkColumns(model, declarer, own.name, link?.columns),
    targetColumns: linkColumns(model, target, targetBase, link?.targetColumns),
  };
}

/** The table of an element collection. */
export function elementsTableOf(model: Model, attribute: Extract<Attribute, { kind: 'elements' }>): ElementsTable {
  const owner = entityOf(model, attribute.declaredBy);
  const own = tableOf(owner);
  return {
    schema: own.schema,
    name: `${own.name}_${snakeCase(attribute.name)}`,
    ownerColumns: linkColumns(model, owner, own.name),
    positionColumn: { name: 'position', type: 'integer', nullable: false },
    valueColumn: {
      name: 'value',
      type: columnTypeOf({ precision: undefined, scale: undefined, ...attribute }),
      nullable: false,
    },
  };
}

/** The root of the inheritance tree of an entity; the entity itself if it extends none. */
export const rootOf = (model: Model, entity: Entity): Entity => lineageOf(model, entity).at(-1) ?? entity;

/** The entity in whose table an entity's own attributes are: the root in a tree of a single table, else itself. */
export function storingEntity(model: Model, entity: Entity): Entity {
  if (entity.ancestor === undefined) return entity;
  const root = rootOf(model, entity);
  return root.inheritance?.strategy === 'single-table' ? root : entity;
}

/** Table, key columns and discriminator of a stored entity. */
export function storageOf(model: Model, entity: Entity): EntityStorage {
  const inherits = entity.ancestor !== undefined || entity.descendants.length > 0;
  return {
    table: tableOf(entity),
    keyColumns: keyColumnsOf(model, entity),
    discriminator: inherits && rootOf(model, entity) === entity ? discriminatorOf(model, entity) : undefined,
  };
}

function discriminatorOf(model: Model, root: Entity): Discriminator {
  const { discriminator: name = DISCRIMINATOR_COLUMN, storedAs } = root.inheritance ?? {};
  const values = familyTreeOf(model, root).flatMap((entity) =>
    entity.discriminatorValue === undefined ? [] : [[entity.discriminatorValue, entity.name] as const],
  );
  const type = storedAs ?? (typeof values[0]?.[0] === 'number' ? 'integer' : 'varchar(100)');
  return { name, type, nullable: false, ...(values.length === 0 ? {} : { values }) };
}

/** The soft-deletion column of the entity, in the table of the entity that declares it. */
export function deletedColumnOf(model: Model, entity: Entity): Column | undefined {
  if (!isSoftDeleted(entity)) return undefined;
  const attribute = entity.attributes.get(entity.system.deletedDate ?? '');
  return attribute === undefined ? undefined : columnOf(model, attribute);
}
