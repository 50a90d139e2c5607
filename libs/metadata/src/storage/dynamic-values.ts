import { familyOf } from '../datatypes/datatypes.ts';
import type { DynamicAttribute } from '../entities/dynamic-attribute.ts';
import type { Entity } from '../entities/entity.ts';
import { entityOf, type Model } from '../model.ts';
import type { Table } from './storage-map.ts';

/** One row for each value; a list has a row for each of its elements. */
export const DYNAMIC_VALUE_TABLE: Table = Object.freeze({ schema: 'dynat', name: 'attribute_value' });

/** Columns of the value table that every row has. */
export const DYNAMIC_VALUE_COLUMNS = Object.freeze({
  attribute: 'attribute_id',
  /** Key of the instance, as text. */
  owner: 'owner_key',
  /** Index in a list, from zero. */
  position: 'position',
});

/** A column for values, with its PostgreSQL type. */
export interface DynamicValueColumn {
  readonly name: string;
  readonly type: string;
}

const column = (name: string, type: string): DynamicValueColumn => Object.freeze({ name, type });

const SCALARS = Object.freeze({
  STRING: column('string_value', 'text'),
  ENUMERATION: column('string_value', 'text'),
  INTEGER: column('integer_value', 'integer'),
  DOUBLE: column('double_value', 'double precision'),
  DECIMAL: column('decimal_value', 'numeric'),
  DATE: column('date_time_value', 'timestamp(3)'),
  DATE_WITHOUT_TIME: column('date_value', 'date'),
  BOOLEAN: column('boolean_value', 'boolean'),
});

const TARGETS = Object.freeze({
  uuid: column('target_uuid', 'uuid'),
  integer: column('target_number', 'bigint'),
  text: column('target_text', 'text'),
});

/** The column of the attribute's values: by its type, for references by the type of the target's key. */
export function dynamicValueColumnOf(model: Model, { type, target }: DynamicAttribute): DynamicValueColumn {
  if (type !== 'ENTITY') return SCALARS[type];
  const family = keyFamilyOf(entityOf(model, target ?? ''));
  if (family === undefined) throw new Error(`${target} cannot be the target of a dynamic attribute`);
  return TARGETS[family];
}

function keyFamilyOf(entity: Entity): keyof typeof TARGETS | undefined {
  const attribute = entity.attributes.get(entity.key?.attribute ?? '');
  if (attribute?.kind !== 'datatype') return undefined;
  if (attribute.datatype === 'uuid') return 'uuid';
  if (attribute.datatype === 'bigInteger') return undefined;
  const family = familyOf(attribute.datatype);
  return family === 'integer' ? 'integer' : family === 'text' ? 'text' : undefined;
}

/** A rule that a definition breaks: `lintel.validation.<rule>.message` is its text, with `parameters`. */
export interface DefinitionProblem {
  readonly rule: 'StoredEntityUnknown' | 'DynamicAttributeKey' | 'DynamicAttributeTarget';
  readonly parameters: Readonly<Record<string, string>>;
}

const keyProblem = (model: Model, name: string): DefinitionProblem | undefined => {
  const entity = model.entities.get(name);
  const parameters = { entity: name };
  if (entity?.kind !== 'entity') return { rule: 'StoredEntityUnknown', parameters };
  return keyFamilyOf(entity) === undefined ? { rule: 'DynamicAttributeKey', parameters } : undefined;
};

/** Why instances of the entity cannot have dynamic attributes; undefined if they can. */
export const dynamicOwnerProblem = (model: Model, entity: string): DefinitionProblem | undefined =>
  keyProblem(model, entity);

/** Why a dynamic attribute cannot refer to the entity; undefined if it can. */
export const dynamicTargetProblem = (model: Model, entity: string | undefined): DefinitionProblem | undefined =>
  entity === undefined ? { rule: 'DynamicAttributeTarget', parameters: {} } : keyProblem(model, entity);
