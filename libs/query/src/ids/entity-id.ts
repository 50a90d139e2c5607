import { PlatformError, shortened } from '@lintel/errors';
import { type Attribute, type Entity, entityOf, type Model } from '@lintel/metadata';
import { type ExactJson, type ExactObject, isExactObject, readExactJson } from '../json/exact-json.ts';
import { type LiteralType, literalTypeOf } from '../literals/literal-type.ts';
import { parseScalar } from '../literals/parse-literal.ts';
import type { SqlValue } from '../literals/parse-text.ts';

/** One part of an entity's key, in the order of its key columns. */
export interface KeyPart {
  /** Name of the attribute: the key attribute, or an attribute of the key's embeddable. */
  readonly name: string;
  readonly type: LiteralType;
}

/** The parts of the entity's key; a single key has one. Throws for an entity without a key. */
export function keyPartsOf(model: Model, entity: Entity): readonly KeyPart[] {
  const key = keyAttributeOf(entity);
  const attributes: readonly Attribute[] =
    key.kind === 'embedded' ? [...entityOf(model, key.target).attributes.values()] : [key];
  return attributes.map((attribute) => ({ name: attribute.name, type: keyTypeOf(model, entity, attribute) }));
}

function keyAttributeOf(entity: Entity): Attribute {
  const key = entity.key === undefined ? undefined : entity.attributes.get(entity.key.attribute);
  if (key === undefined) throw new Error(`${entity.name} has no key`);
  return key;
}

function keyTypeOf(model: Model, entity: Entity, attribute: Attribute): LiteralType {
  const type = literalTypeOf(model, attribute);
  if (type === undefined) throw new Error(`${entity.name}.${attribute.name} cannot be part of a key`);
  return type;
}

/**
 * Refuses to find an instance of an entity that is only a list of rows (contract/reading.md#without-key).
 *
 * @throws PlatformError DATA_INSTANCE_NOT_FOUND
 */
function assertKey({ name, key }: Entity): void {
  if (key === undefined)
    throw new PlatformError('DATA_INSTANCE_NOT_FOUND', `${name} has no key: its rows are only in lists`);
}

/** Whether the key is an embeddable. */
export const hasCompositeKey = (entity: Entity): boolean => (entity.key?.parts.length ?? 0) > 0;

/** Both alphabets; padding is optional (contract/decisions.md#60). */
const BASE64 = /^[A-Za-z0-9_+/-]+={0,2}$/;

/** Whether a text is Base64 of a JSON object, as composite ids are. */
export const isCompositeId = (text: string): boolean => decodeComposite(text) !== undefined;

function decodeComposite(text: string): ExactObject | undefined {
  if (!BASE64.test(text)) return undefined;
  try {
    const value = readExactJson(
      // Node reads both alphabets by either name.
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text.replace(/=+$/, ''), 'base64url')),
    );
    return isExactObject(value) ? value : undefined;
  } catch {
    // Not UTF-8 or not JSON: not an id; the caller needs no further reason.
    return undefined;
  }
}

/**
 * Reads the key from the form it has in JSON: a scalar, or an object of the parts of a composite key (or
 * its Base64 text).
 *
 * @returns the parts as statement parameters, or nothing when the value is no key of the entity
 */
export function parseKeyValue(model: Model, entity: Entity, value: ExactJson): readonly SqlValue[] | undefined {
  if (!hasCompositeKey(entity)) {
    const single = parseScalar(keyTypeOf(model, entity, keyAttributeOf(entity)), value);
    return single === undefined ? undefined : [single.value];
  }
  const parts = keyPartsOf(model, entity);
  const members = typeof value === 'string' ? decodeComposite(value) : value;
  if (!isExactObject(members)) return undefined;
  const values = parts.map((part) => {
    const member = Object.hasOwn(members, part.name) ? members[part.name] : undefined;
    return member === undefined ? undefined : parseScalar(part.type, member);
  });
  return values.every((parsed) => parsed !== undefined) ? values.map((parsed) => parsed.value) : undefined;
}

/**
 * Reads the id of a path (contract/instances.md#ids, contract/decisions.md#60): text by the key's type; Base64 of JSON
 * for a composite key, in the plain or the URL-safe alphabet, with or without padding.
 *
 * @returns the key's parts as statement parameters, in the order of the key columns
 * @throws PlatformError REQ_INVALID_ENTITY_ID; DATA_INSTANCE_NOT_FOUND for an entity without a key
 */
export function parseEntityId(model: Model, entity: Entity, text: string): readonly SqlValue[] {
  assertKey(entity);
  const values = parseKeyValue(model, entity, text);
  if (values === undefined)
    throw new PlatformError('REQ_INVALID_ENTITY_ID', `Cannot convert ${shortened(text)} into valid entity ID`);
  return values;
}

/**
 * The id in the form for a path: the reverse of `parseEntityId`; composite ones in the URL-safe alphabet without
 * padding.
 *
 * @param id the `id` member of a response: a scalar, or an object of the parts of a composite key
 */
export function formatEntityId(model: Model, entity: Entity, id: unknown): string {
  if (!hasCompositeKey(entity)) return String(id);
  const members = id as Readonly<Record<string, unknown>>;
  const ordered = Object.fromEntries(keyPartsOf(model, entity).map((part) => [part.name, members[part.name]]));
  return Buffer.from(JSON.stringify(ordered)).toString('base64url');
}
