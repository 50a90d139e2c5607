import {
  type Attribute,
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  familyOf,
  type Model,
} from '@lintel/metadata';
import { type ExactJson, ExactNumber, isExactObject, plainJson } from '@lintel/query';

type Plain = Record<string, unknown>;

/**
 * A result of the read pipeline as application code sees it: decimals and 64-bit integers are exact texts, other
 * numbers are numbers (`DataManager`).
 */
export function applicationForm(model: Model, entity: Entity, json: ExactJson): Plain {
  if (!isExactObject(json)) return {};
  const name = json['_entityName'];
  const concrete = typeof name === 'string' ? entityOf(model, name) : entity;
  const result: Plain = {};
  for (const [member, value] of Object.entries(json)) {
    const attribute = concrete.attributes.get(member === 'id' ? (concrete.key?.attribute ?? 'id') : member);
    result[member] = member.startsWith('+')
      ? dynamicForm(model, dynamicAttributeOf(model, concrete, member), value)
      : formOf(model, attribute, value);
  }
  return result;
}

function formOf(model: Model, attribute: Attribute | undefined, value: ExactJson): unknown {
  if (attribute?.kind === 'datatype' && attribute.datatype === 'json') return plainJson(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof ExactNumber) return isExactType(attribute) ? value.text : Number(value.text);
  if (Array.isArray(value)) return value.map((item: ExactJson) => formOf(model, attribute, item));
  if (attribute?.kind === 'reference' || attribute?.kind === 'embedded')
    return applicationForm(model, entityOf(model, attribute.target), value);
  return value;
}

/** Values of dynamic attributes follow the same rules. */
function dynamicForm(model: Model, attribute: DynamicAttribute | undefined, value: ExactJson): unknown {
  if (Array.isArray(value)) return value.map((item: ExactJson) => dynamicForm(model, attribute, item));
  if (value instanceof ExactNumber) return attribute?.type === 'DECIMAL' ? value.text : Number(value.text);
  return attribute?.target !== undefined && isExactObject(value)
    ? applicationForm(model, entityOf(model, attribute.target), value)
    : value;
}

const isExactType = (attribute: Attribute | undefined): boolean =>
  (attribute?.kind === 'datatype' || attribute?.kind === 'elements') &&
  (attribute.datatype === 'long' || familyOf(attribute.datatype) === 'decimal');

/** The dynamic attribute of a member `+code` of an instance; undefined if the entity has no such attribute. */
const dynamicAttributeOf = (model: Model, entity: Entity, member: string): DynamicAttribute | undefined =>
  dynamicAttributesOf(model, entity).find((attribute) => dynamicMemberOf(attribute) === member);
