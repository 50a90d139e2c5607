import {
  type Attribute,
  type Display,
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicDatatypeOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  enumerationOf,
  enumValueByName,
  isToOne,
  type Model,
} from '@lintel/metadata';
import { SECURITY_TOKEN } from '@lintel/query';
import type { Access } from '@lintel/security';
import { idForm } from './id-form.ts';
import { jsonScalar } from './json-value.ts';
import { nameOf } from './name-of.ts';

/** How instances that application code has are written. */
export interface EntityWriting {
  readonly model: Model;
  /** Undefined: everything but secret attributes is written. */
  readonly access: Pick<Access, 'allows' | 'mayView'> | undefined;
  readonly instanceNames: boolean;
  /** How instance names show values: in the caller's language. */
  readonly display: Display;
}

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An instance as the entity API writes it (contract/instances.md#object): `_entityName`, `_instanceName`, `id`, then
 * the attributes that are present, in the order of the model. Nulls, secret attributes and attributes that the caller
 * may not view are omitted. Rows are not filtered: the application decides which instances it returns.
 *
 * @param entity declared entity of the value; its `_entityName` may name another one
 * @throws TypeError if a value does not fit its attribute: a mistake of the application
 */
export const serializeEntity = (writing: EntityWriting, entity: Entity, value: unknown): Values =>
  writeInstance(writing, entity, value, []);

/** The entity that the value itself names. */
export function namedEntity(model: Model, value: unknown): Entity | undefined {
  const name = isObject(value) ? value['_entityName'] : undefined;
  return typeof name === 'string' ? model.entities.get(name) : undefined;
}

function writeInstance(writing: EntityWriting, declared: Entity, value: unknown, above: readonly unknown[]): Values {
  if (!isObject(value)) throw new TypeError(`A value is no instance of ${declared.name}`);
  const entity = namedEntity(writing.model, value) ?? declared;
  const written: Record<string, unknown> = {};
  if (entity.kind !== 'embeddable') {
    written['_entityName'] = entity.name;
    const name = writing.instanceNames ? nameOf(writing, entity, value) : undefined;
    if (name !== undefined) written['_instanceName'] = name;
    const id = value['id'] ?? value[entity.key?.attribute ?? 'id'];
    if (id !== undefined && id !== null) written['id'] = idForm(writing.model, entity, id);
  }
  // An instance that is its own ancestor has the identity alone.
  if (above.includes(value)) return written;
  for (const attribute of entity.attributes.values()) {
    const given = Object.hasOwn(value, attribute.name) ? value[attribute.name] : undefined;
    if (given === undefined || given === null || attribute.secret) continue;
    if (attribute.name === 'id' && written['id'] !== undefined) continue;
    // A key under its own name needs no right (contract/roles.md#attributes-read).
    const isKey = attribute.name === entity.key?.attribute;
    if (!isKey && writing.access?.mayView(entity.name, attribute.name) === false) continue;
    const json = attributeJson(writing, entity, attribute, given, [...above, value]);
    if (json !== undefined) written[attribute.name] = json;
  }
  // Attribute policies do not cover dynamic attributes; the entity that one refers to must be readable.
  for (const attribute of dynamicAttributesOf(writing.model, entity)) {
    const given = value[dynamicMemberOf(attribute)];
    const json =
      given === undefined || given === null ? undefined : dynamicJson(writing, attribute, given, [...above, value]);
    if (json !== undefined) written[dynamicMemberOf(attribute)] = json;
  }
  // Sealed by the platform when the instance was read.
  if (typeof value[SECURITY_TOKEN] === 'string') written[SECURITY_TOKEN] = value[SECURITY_TOKEN];
  return written;
}

function attributeJson(
  writing: EntityWriting,
  entity: Entity,
  attribute: Attribute,
  value: unknown,
  above: readonly unknown[],
): unknown {
  const { model } = writing;
  const where = `${entity.name}.${attribute.name}`;
  try {
    switch (attribute.kind) {
      case 'datatype':
        return attribute.name === entity.key?.attribute
          ? idForm(model, entity, value)
          : jsonScalar(attribute.datatype, value);
      case 'enum': {
        if (enumValueByName(enumerationOf(model, attribute.enumName), String(value)) === undefined)
          throw new TypeError(`${String(value)} is no constant of ${attribute.enumName}`);
        return value;
      }
      case 'elements':
        return listOf(value).map((item) => jsonScalar(attribute.datatype, item));
      case 'embedded': {
        if (attribute.name === entity.key?.attribute) return idForm(model, entity, value);
        const target = entityOf(model, attribute.target);
        return mayRead(writing, target, value) ? writeInstance(writing, target, value, above) : undefined;
      }
      case 'reference': {
        const target = entityOf(model, attribute.target);
        if (isToOne(attribute))
          return mayRead(writing, target, value) ? writeInstance(writing, target, value, above) : undefined;
        return listOf(value)
          .filter((item) => mayRead(writing, target, item))
          .map((item) => writeInstance(writing, target, item, above));
      }
      default:
        return attribute satisfies never;
    }
  } catch (cause) {
    throw new TypeError(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function dynamicJson(
  writing: EntityWriting,
  attribute: DynamicAttribute,
  value: unknown,
  above: readonly unknown[],
): unknown {
  if (attribute.collection && Array.isArray(value))
    return value.flatMap((item) => dynamicJson(writing, { ...attribute, collection: false }, item, above) ?? []);
  const datatype = dynamicDatatypeOf(attribute.type);
  if (datatype !== undefined) return jsonScalar(datatype, value);
  const target = entityOf(writing.model, attribute.target ?? '');
  return mayRead(writing, target, value) ? writeInstance(writing, target, value, above) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('a list is expected');
  return value;
}

/**
 * References to entities that the caller may not read are omitted, as are embedded objects without that right
 * (contract/roles.md#attributes-read); DTOs have no such right.
 */
function mayRead({ model, access }: EntityWriting, declared: Entity, value: unknown): boolean {
  const entity = namedEntity(model, value) ?? declared;
  return entity.kind === 'dto' || access === undefined || access.allows(entity.name, 'read');
}
