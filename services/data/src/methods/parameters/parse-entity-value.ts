import type { EntityValue } from '@lintel/application';
import { keyMemberOf, readKey } from '@lintel/entities';
import {
  type Attribute,
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicDatatypeOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  familyTreeOf,
  isToOne,
  type Model,
} from '@lintel/metadata';
import {
  canonicalScalar,
  datatypeOf,
  type ExactJson,
  idOf,
  isExactObject,
  jsonText,
  literalTypeOf,
  plainJson,
} from '@lintel/query';
import type { MemberCheck } from './member-check.ts';

/** Undefined if the value does not have the type. */
type Parsed = { readonly value: unknown } | undefined;

/**
 * Parses an entity parameter: it is not loaded from the database, but checked against the model. The method receives
 * an instance with only the attributes that were sent; `_entityName` is optional and may name a descendant
 * (contract/services.md#parameters). Unknown members are ignored.
 *
 * @param check takes them; without it nothing does
 * @returns undefined if the value is not an instance of the entity
 */
export function parseEntityValue(
  model: Model,
  entity: Entity,
  json: ExactJson | undefined,
  check?: MemberCheck,
): EntityValue | undefined {
  if (!isExactObject(json)) return undefined;
  const name = Object.hasOwn(json, '_entityName') ? json['_entityName'] : undefined;
  const concrete =
    name === undefined || name === null ? entity : familyTreeOf(model, entity).find((each) => each.name === name);
  if (concrete === undefined) return undefined;
  check?.instance(model, concrete, json);
  const members: Record<string, unknown> = concrete.kind === 'embeddable' ? {} : { _entityName: concrete.name };
  if (concrete.key !== undefined) {
    const sent = keyMemberOf(concrete, json);
    const isGiven = sent !== undefined && !(sent === '' && concrete.key.generation === 'uuid');
    const key = isGiven ? readKey(model, concrete, sent) : undefined;
    if (isGiven && key === undefined) return undefined;
    if (key !== undefined) {
      const id = idOf(model, concrete, key);
      members['id'] = id;
      if (Object.hasOwn(json, concrete.key.attribute)) members[concrete.key.attribute] = id;
    }
  }
  for (const attribute of concrete.attributes.values()) {
    if (attribute.name === concrete.key?.attribute) continue;
    const sent = Object.hasOwn(json, attribute.name) ? json[attribute.name] : undefined;
    if (sent === undefined) continue;
    const inside = check?.ofAttribute(concrete, attribute.name);
    const parsed = sent === null ? { value: null } : parseAttribute(model, attribute, sent, inside);
    if (parsed === undefined) return undefined;
    members[attribute.name] = parsed.value;
  }
  for (const attribute of dynamicAttributesOf(model, concrete)) {
    const member = dynamicMemberOf(attribute);
    const sent = Object.hasOwn(json, member) ? json[member] : undefined;
    if (sent === undefined) continue;
    const parsed = sent === null ? { value: null } : parseDynamic(model, attribute, sent, check?.of(member));
    if (parsed === undefined) return undefined;
    members[member] = parsed.value;
  }
  return members;
}

function parseAttribute(model: Model, attribute: Attribute, json: ExactJson, check: MemberCheck | undefined): Parsed {
  switch (attribute.kind) {
    case 'datatype':
    case 'enum': {
      if (attribute.kind === 'datatype' && attribute.datatype === 'json')
        return jsonText(json) === undefined ? undefined : { value: plainJson(json) };
      const type = literalTypeOf(model, attribute);
      return type === undefined ? undefined : canonicalScalar(type, json, check);
    }
    case 'elements':
      return parseAll(json, (item) =>
        item === null ? undefined : canonicalScalar(datatypeOf(attribute), item, check),
      );
    case 'embedded':
      return parseInstanceOf(model, attribute.target, json, check);
    case 'reference': {
      const { target } = attribute;
      if (isToOne(attribute)) return parseInstanceOf(model, target, json, check);
      return parseAll(json, (item, index) => parseInstanceOf(model, target, item, check?.at(index)));
    }
    default:
      return attribute satisfies never;
  }
}

function parseDynamic(
  model: Model,
  attribute: DynamicAttribute,
  json: ExactJson,
  check: MemberCheck | undefined,
): Parsed {
  const datatype = dynamicDatatypeOf(attribute.type);
  const parse = (item: ExactJson, here: MemberCheck | undefined): Parsed =>
    datatype === undefined
      ? parseInstanceOf(model, attribute.target ?? '', item, here)
      : canonicalScalar({ kind: 'datatype', datatype }, item, here);
  return attribute.collection ? parseAll(json, (item, index) => parse(item, check?.at(index))) : parse(json, check);
}

function parseInstanceOf(model: Model, target: string, json: ExactJson, check: MemberCheck | undefined): Parsed {
  const value = parseEntityValue(model, entityOf(model, target), json, check);
  return value === undefined ? undefined : { value };
}

function parseAll(json: ExactJson, parse: (item: ExactJson, index: number) => Parsed): Parsed {
  if (!Array.isArray(json)) return undefined;
  const parsed = (json as readonly ExactJson[]).map(parse);
  return parsed.every((item) => item !== undefined) ? { value: parsed.map(({ value }) => value) } : undefined;
}
