import {
  type ArrayAttribute,
  type Attribute,
  type DatatypeAttribute,
  hasTable,
  isArray,
  isLocal,
} from '../../entities/attribute.ts';
import type { Entity } from '../../entities/entity.ts';
import { isExternalTable } from '../../entities/table-location.ts';
import { isCaseless } from '../../storage/compared-type.ts';
import { elementTypeOf } from '../../storage/storage-map.ts';

/** Column types that can store a datatype's values in addition to its own; user-defined types are always allowed. */
const TYPES: Readonly<Record<string, RegExp>> = {
  string: /^(text|character varying(\(\d+\))?|character\(\d+\))$/,
  decimal: /^(numeric(\(\d+,\d+\))?|money)$/,
  long: /^oid$/,
  'stored boolean': /^(text|character varying(\(\d+\))?|character\(\d+\)|smallint|integer|bigint)$/,
  dateTime: /^timestamp(\(\d\))? with(out)? time zone$/,
  localDateTime: /^timestamp(\(\d\))? without time zone$/,
  offsetDateTime: /^timestamp(\(\d\))? with time zone$/,
  localTime: /^time(\(\d\))? without time zone$/,
  offsetTime: /^time(\(\d\))? with time zone$/,
  json: /^jsonb?$/,
  enum: /^(text|character varying(\(\d+\))?|character\(\d+\)|smallint|integer)$/,
};

/** A type of the user with its schema: an enum or a domain. */
const USER_TYPE = /^(\w+|"[^"]+")\.(\w+|"[^"]+")$/;

/** The name of a type in SQL, with its limits: `interval`, `bit varying(5)`, `public.citext`. */
const TYPE_NAME = /^(?:(?:\w+|"[^"]+")\.)?(?:"[^"]+"|\w+(?: \w+)*)(?:\(\d+(?:,\d+)?\))?$/;

/** The end of the type of an array that is a text form; an array of one dimension is an attribute of its own kind. */
const DIMENSIONS = /(?:\[\]){2,}$/;

/** What contradicts itself in names and types of columns that differ from the attributes' own: one sentence each. */
export function checkStorage(entities: ReadonlyMap<string, Entity>): readonly string[] {
  return [...entities.values()].flatMap((entity) => [
    ...checkFormerName(entity, entities),
    ...[...entity.attributes.values()]
      .filter(({ declaredBy }) => declaredBy === entity.name)
      .flatMap((attribute) => {
        const where = `${entity.name}.${attribute.name}`;
        const isKey = entity.key?.attribute === attribute.name;
        return [
          ...checkColumns(where, attribute, entities),
          ...checkGenerated(where, entity, attribute),
          ...checkOwnColumn(where, entity, attribute),
          ...checkMicroseconds(where, attribute),
          ...checkUnbounded(where, attribute),
          ...(isArray(attribute)
            ? checkArray(where, entity, attribute)
            : isTextForm(attribute)
              ? checkTextForm(where, attribute, isKey)
              : checkType(where, attribute)),
        ];
      }),
  ]);
}

const checkFormerName = (entity: Entity, entities: ReadonlyMap<string, Entity>): readonly string[] =>
  entity.renamedFrom === undefined || (entity.kind === 'entity' && !isExternal(entity, entities))
    ? []
    : [`${entity.name} cannot be renamed from ${entity.renamedFrom}: migrations make no table of it`];

/** Whether the table of an entity, or of an ancestor, belongs to another owner. */
function isExternal({ table, ancestor }: Entity, entities: ReadonlyMap<string, Entity>): boolean {
  const parent = ancestor === undefined ? undefined : entities.get(ancestor);
  return isExternalTable(table) || (parent !== undefined && isExternal(parent, entities));
}

function checkColumns(where: string, attribute: Attribute, entities: ReadonlyMap<string, Entity>): readonly string[] {
  if (attribute.kind === 'reference' && attribute.link !== undefined) {
    const isOwner = attribute.owning && attribute.cardinality === 'MANY_TO_MANY';
    return isOwner ? [] : [`${where} has a link table, and is not the owning end of a M:N association`];
  }
  const count = columnCount(attribute, entities);
  if (attribute.renamedFrom !== undefined && count === 0 && !hasTable(attribute))
    return [`${where} cannot be renamed from ${attribute.renamedFrom}: it has no column and no table of its own`];
  if (attribute.columns === undefined) return [];
  return attribute.columns.length === count
    ? []
    : [`${where} names ${attribute.columns.length} columns, and has ${count} of its own`];
}

function columnCount(attribute: Attribute, entities: ReadonlyMap<string, Entity>): number {
  if (attribute.kind === 'datatype' || attribute.kind === 'enum') return attribute.persistent ? 1 : 0;
  if (isArray(attribute)) return attribute.persistent ? 1 : 0;
  if (attribute.kind !== 'reference' || !attribute.owning || attribute.cardinality === 'MANY_TO_MANY') return 0;
  return Math.max(1, entities.get(attribute.target)?.key?.parts.length ?? 1);
}

const DATE_TIMES: readonly string[] = ['dateTime', 'localDateTime', 'offsetDateTime'];

function checkMicroseconds(where: string, attribute: Attribute): readonly string[] {
  if (!('microseconds' in attribute)) return [];
  return attribute.persistent && 'datatype' in attribute && DATE_TIMES.includes(attribute.datatype)
    ? []
    : [`${where} has microseconds, which only stored date-times have`];
}

const checkUnbounded = (where: string, attribute: Attribute): readonly string[] =>
  'formatless' in attribute && !('unbounded' in attribute)
    ? [`${where} is unbounded, which only dates and date-times of tables that were there before are`]
    : [];

function checkType(where: string, attribute: Attribute): readonly string[] {
  const { columnType } = attribute;
  if (columnType === undefined) return [];
  const isStored = attribute.kind === 'datatype' && attribute.storedValues !== undefined;
  const datatype = isStored ? 'stored boolean' : attribute.kind === 'datatype' ? attribute.datatype : attribute.kind;
  const fits = USER_TYPE.test(columnType) || TYPES[datatype]?.test(columnType) === true;
  return fits ? [] : [`${where} cannot be stored as ${columnType}`];
}

const isTextForm = (attribute: Attribute): attribute is DatatypeAttribute & { readonly comparedAs: string } =>
  attribute.kind === 'datatype' && attribute.comparedAs !== undefined;

function checkTextForm(
  where: string,
  { columnType = '', comparedAs }: DatatypeAttribute & { readonly comparedAs: string },
  isKey: boolean,
): readonly string[] {
  const wrong = [columnType.replace(DIMENSIONS, ''), comparedAs].filter((type) => !TYPE_NAME.test(type));
  return [
    ...wrong.map((type) => `${where} is the text form of ${JSON.stringify(type)}, which is no name of a type`),
    ...(isKey && !isCaseless(columnType) ? [`${where} is the text form of ${columnType}, which no key can have`] : []),
  ];
}

function checkGenerated(where: string, { kind, key, table }: Entity, attribute: Attribute): readonly string[] {
  if (attribute.generated !== true && attribute.databaseDefault !== true) return [];
  if (!isLocal(attribute) || !attribute.persistent)
    return [`${where} is no stored single value, which the database could give`];
  if (key?.attribute === attribute.name) return [`${where} is the key: its generation is an option of the entity`];
  return attribute.generated === true && kind === 'entity' && table === undefined
    ? [`${where} is given by the database: only tables that were there before (table: …) have such columns`]
    : [];
}

/** Names of PostgreSQL's own types, with their limits: what migrations create columns of. */
const BUILT_IN = /^[a-z][a-z0-9 ]*(\(\d+(,\d+)?\))?( with(out)? time zone)?(\[\])*$/;

function checkOwnColumn(where: string, { kind, table }: Entity, attribute: Attribute): readonly string[] {
  const { columnType, columns = [] } = attribute;
  if (kind !== 'entity' || isExternalTable(table)) return [];
  if (columns.some((name) => name.includes('"')))
    return [`${where} has a column with a quote in its name: only tables of another owner have them`];
  if (table !== undefined || columnType === undefined || BUILT_IN.test(columnType)) return [];
  return [
    `${where} is stored as ${columnType}, of which migrations create no columns: only tables that were there before (table: …) have them`,
  ];
}

function checkArray(where: string, { kind }: Entity, attribute: ArrayAttribute): readonly string[] {
  const { columnType, datatype, length, precision, scale, comparedAs } = attribute;
  const type = columnType.slice(0, -2);
  if (type === '') return [`${where} is a collection of what is no single value of a datatype, or any JSON`];
  if (kind === 'embeddable') return [`${where} is an array, which an embedded object cannot have`];
  const own = elementTypeOf({ datatype, length, precision, scale });
  const fits =
    comparedAs === undefined
      ? type === own || USER_TYPE.test(type) || TYPES[datatype]?.test(type) === true
      : TYPE_NAME.test(type) && TYPE_NAME.test(comparedAs);
  return columnType.endsWith('[]') && fits ? [] : [`${where} cannot be stored as ${columnType}`];
}
