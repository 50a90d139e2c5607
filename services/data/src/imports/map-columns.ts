import { PlatformError } from '@lintel/errors';
import {
  type Attribute,
  captionsIn,
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicDatatypeOf,
  dynamicMemberOf,
  type EmbeddedAttribute,
  type Entity,
  entityOf,
  enumerationOf,
  familyOf,
  instanceNameAttributes,
  isToMany,
  type Messages,
  type Model,
  type ReferenceAttribute,
  type TemporalKind,
  temporalKindOf,
} from '@lintel/metadata';
import type { ExactObject, ReadAccess } from '@lintel/query';
import type { Access } from '@lintel/security';
import type { Cells } from './cells.ts';
import { tableError } from './table-error.ts';

/** A column of the file. */
export interface ImportColumn {
  /** Its header. */
  readonly column: string;
  /** The members of the JSON of an instance; null for a column that is skipped. */
  readonly path: readonly string[] | null;
  readonly kind: 'plain' | 'text' | 'json';
  /** The form of dates and times, which a workbook has as numbers. */
  readonly temporal?: TemporalKind | undefined;
  /** Cells may have the number or boolean of a language. */
  readonly isNumber?: boolean;
  readonly isInteger?: boolean;
  readonly isBoolean?: boolean;
  /** Constants of an enum by their captions in any language, in lower case. */
  readonly constants?: ReadonlyMap<string, string>;
  /** Cells are names of instances of the entity, which are the values of an attribute. */
  readonly named?: { readonly entityName: string; readonly attribute: string };
  /** The attribute has a value by the server alone: cells have no effect. */
  readonly isOfServer?: boolean;
}

/** Columns with their attributes. */
export interface MappedColumns {
  readonly columns: readonly ImportColumn[];
  /** Why they cannot be imported: one with a name has no attribute, or several have one. */
  readonly mistake: string | undefined;
}

/** Names and captions that columns may have. */
export interface ColumnNames {
  readonly model: Model;
  readonly entity: Entity;
  readonly access: ReadAccess;
  readonly mayModify: Access['mayModify'];
  /** Instances are only created: dates and users of creations that are sent have no effect. */
  readonly isCreation: boolean;
  /** Versions are compared. */
  readonly readsVersion: boolean;
  readonly messages: Messages;
  /** Attributes by the header of their column, null to skip it: the parameter `columns`. */
  readonly given: ExactObject;
}

/** Members that are no attributes: what an export may have, and no import writes. */
const SKIPPED: ReadonlySet<string> = new Set(['_instanceName']);

/**
 * The attributes of the columns: by the parameter, by their names, or by their captions in any language.
 *
 * @throws PlatformError for a wrong parameter or header
 */
export function mapColumns(header: Cells, names: ColumnNames): MappedColumns {
  const captions = captionsOf(names);
  let mistake: string | undefined;
  const columns = header.map((cell, at): ImportColumn => {
    if (typeof cell === 'object' && cell !== null) throw tableError(`Column ${at + 1} has no text as its name`);
    const column = (cell ?? '').trim().replace(/^'(?=[+'])/, '');
    const given = Object.hasOwn(names.given, column) ? names.given[column] : undefined;
    if (given === null || SKIPPED.has(column)) return { column, path: null, kind: 'plain' };
    if (given !== undefined && typeof given !== 'string')
      throw new PlatformError('REQ_INVALID_PARAMETER', `Parameter 'columns' must name an attribute for '${column}'`);
    const found =
      given === undefined
        ? (columnOf(column, column, names) ?? captions.get(column.toLowerCase()))
        : columnOf(column, given, names);
    if (found !== undefined) return { ...found, column };
    if (column !== '') mistake ??= noAttribute(at, column, names.entity);
    return { column, path: null, kind: 'plain' };
  });
  const unknown = Object.keys(names.given).find((name) => !columns.some(({ column }) => column === name));
  if (unknown !== undefined)
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `Parameter 'columns' names '${unknown}', which no column is called`,
    );
  const paths = columns.flatMap(({ path }) => (path === null ? [] : [path.join('.')]));
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) mistake ??= `Several columns are the attribute '${twice}'`;
  return { columns, mistake };
}

/** Why a column cannot be imported. */
export const noAttribute = (at: number, column: string, { name }: Pick<Entity, 'name'>): string =>
  `Column ${at + 1} '${column}' is no attribute of ${name}; the parameter 'columns' maps it: {"${column}": "<attribute>"}, or null to skip it`;

function columnOf(column: string, path: string, names: ColumnNames): ImportColumn | undefined {
  const { model, entity, access } = names;
  if (path === 'id' || path === '_entityName') return { column, path: [path], kind: 'plain' };
  const dynamic = dynamicAttributesOf(model, entity).find((each) => dynamicMemberOf(each) === path);
  if (dynamic !== undefined) return dynamicColumn(column, path, dynamic);
  const steps = path.split('.');
  if (steps.length === 2 && steps[1] === '_instanceName') return namedColumn(column, steps[0] ?? '', names);
  let within: Entity | undefined = entity;
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1;
    if (step === 'id' && isLast && within !== undefined) return { column, path: steps, kind: 'plain' };
    const name: string = step === 'id' ? (within?.key?.attribute ?? step) : step;
    const attribute: Attribute | undefined = within?.attributes.get(name);
    if (within === undefined || attribute === undefined || !access.entity(within.name).mayView(name)) return undefined;
    if (isLast) return { ...leafOf(column, steps, attribute, names), isOfServer: isOfServer(within, attribute, names) };
    within = isOne(attribute) ? entityOf(model, attribute.target) : undefined;
  }
  return undefined;
}

/** A reference by the names of its targets, if a name is the value of one attribute. */
function namedColumn(column: string, name: string, { model, entity, access }: ColumnNames): ImportColumn | undefined {
  const attribute = entity.attributes.get(name);
  if (attribute === undefined || attribute.kind === 'embedded' || !isOne(attribute)) return undefined;
  if (!access.entity(entity.name).mayView(name)) return undefined;
  const { name: entityName, instanceName } = entityOf(model, attribute.target);
  const [first, ...others] = instanceName === undefined ? [] : instanceNameAttributes(instanceName);
  if (first === undefined || others.length > 0 || !access.entity(entityName).mayView(first)) return undefined;
  return { column, path: [name, 'id'], kind: 'text', named: { entityName, attribute: first } };
}

const isOne = (attribute: Attribute): attribute is EmbeddedAttribute | ReferenceAttribute =>
  attribute.kind === 'embedded' || (attribute.kind === 'reference' && !isToMany(attribute));

function dynamicColumn(column: string, path: string, { collection, type }: DynamicAttribute): ImportColumn {
  if (!collection && type === 'ENTITY') return { column, path: [path, 'id'], kind: 'plain' };
  const datatype = collection ? undefined : dynamicDatatypeOf(type);
  const temporal = datatype && temporalKindOf(datatype);
  return { column, path: [path], kind: collection ? 'json' : 'text', temporal };
}

/** Clients send back what the server sets and computes, so that writes do not name it (contract/conventions.md#unknown). */
function isOfServer({ name, system }: Entity, attribute: Attribute, names: ColumnNames): boolean {
  if (attribute.generated === true || (attribute.kind === 'datatype' && attribute.compute !== undefined)) return true;
  if (attribute.name === system.version) return names.isCreation || !names.readsVersion;
  if (attribute.name === system.createdDate || attribute.name === system.createdBy)
    return names.isCreation || !names.mayModify(name, attribute.name);
  return Object.values(system).includes(attribute.name);
}

function leafOf(column: string, path: readonly string[], attribute: Attribute, names: ColumnNames): ImportColumn {
  if (attribute.kind === 'reference' && !isToMany(attribute)) return { column, path: [...path, 'id'], kind: 'plain' };
  if (attribute.kind === 'enum')
    return { column, path, kind: 'text', constants: constantsOf(attribute.enumName, names) };
  if (attribute.kind !== 'datatype') return { column, path, kind: 'json' };
  const family = familyOf(attribute.datatype);
  if (family === 'json') return { column, path, kind: 'json' };
  const kind = family === 'text' || family === 'reference-text' ? 'text' : 'plain';
  const temporal = temporalKindOf(attribute.datatype);
  const numbers = { isNumber: NUMBERS.has(family), isInteger: family === 'integer' };
  return { column, path, kind, temporal, ...numbers, isBoolean: family === 'boolean' };
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'floating', 'decimal']);

/** The constants by their captions; a caption that several constants have is left out. */
function constantsOf(enumName: string, { model, messages }: ColumnNames): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>();
  const { values } = enumerationOf(model, enumName);
  for (const locale of localesOf(messages)) {
    const captions = captionsIn(messages, locale);
    for (const { name } of values) {
      const caption = captions.constant(enumName, name).toLowerCase();
      found.set(caption, (found.get(caption) ?? name) === name ? name : undefined);
    }
  }
  for (const { name } of values) found.set(name.toLowerCase(), name);
  return new Map([...found].flatMap(([caption, name]) => (name === undefined ? [] : [[caption, name]])));
}

const localesOf = (messages: Messages): ReadonlySet<string> =>
  new Set(['', ...messages.layers.flat().map(({ locale }) => locale)]);

/** The columns by captions in lower case; a caption of several attributes is of none. */
function captionsOf(names: ColumnNames): ReadonlyMap<string, ImportColumn> {
  const { entity, messages } = names;
  const found = new Map<string, ImportColumn | undefined>();
  for (const locale of localesOf(messages)) {
    const captions = captionsIn(messages, locale);
    for (const attribute of entity.attributes.values()) {
      const caption = captions.attribute(attribute).toLowerCase();
      const own = columnOf(caption, attribute.name, names);
      const other = found.get(caption);
      const isSame = other === undefined || other.path?.join('.') === own?.path?.join('.');
      if (own !== undefined) found.set(caption, found.has(caption) && !isSame ? undefined : own);
    }
  }
  return new Map([...found].flatMap(([caption, own]) => (own === undefined ? [] : [[caption, own]])));
}
