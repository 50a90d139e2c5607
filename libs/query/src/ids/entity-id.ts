import { PlatformError, shortened } from '@lintel/errors';
import { type Attribute, type Entity, entityOf, type Model } from '@lintel/metadata';
import { type ExactJson, type ExactObject, isExactObject, readExactJson } from '../json/exact-json.ts';
import { canonicalScalar, type Scalar } from '../literals/canonical-scalar.ts';
import { toParameter } from '../literals/column-value.ts';
import { keyTypeOf, type LiteralType } from '../literals/literal-type.ts';
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
  return attributes.map((attribute) => {
    const type = keyTypeOf(model, attribute);
    if (type === undefined) throw new Error(`${entity.name}.${attribute.name} cannot be part of a key`);
    return { name: attribute.name, type };
  });
}

function keyAttributeOf(entity: Entity): Attribute {
  const key = entity.key === undefined ? undefined : entity.attributes.get(entity.key.attribute);
  if (key === undefined) throw new Error(`${entity.name} has no key`);
  return key;
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

declare const CANONICAL: unique symbol;

/**
 * The key of an instance: its parts in canonical form, in the order of the key columns. Only `parseKeyValue` makes one of
 * what a client sent, and `canonicalKey` of values that are canonical already.
 */
export type Key = readonly Scalar[] & { readonly [CANONICAL]: true };

/** The key of parts in canonical form: read by `fromColumn`, parsed by `canonicalScalar`, or generated. */
export const canonicalKey = (parts: readonly Scalar[]): Key => parts as Key;

/** The id in its JSON form: the single value, or an object of the parts. 64-bit integers stay texts. */
export function idOf(model: Model, entity: Entity, key: Key): unknown {
  if (!hasCompositeKey(entity)) return key[0];
  return Object.fromEntries(keyPartsOf(model, entity).map((part, at) => [part.name, key[at]]));
}

/** The key as statement parameters. */
export const keyInSql = (model: Model, entity: Entity, key: Key): readonly SqlValue[] =>
  keyPartsOf(model, entity).map(({ type }, at) => toParameter(type, key[at] ?? null));

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
 * Reads the key from any form that PostgreSQL compares equal (contract/decisions.md#85): a scalar, or an object of the
 * parts of a composite key, or its Base64 text.
 *
 * @param parse reads a part; in bodies strictly
 * @returns nothing when the value is no key of the entity
 */
export function parseKeyValue(
  model: Model,
  entity: Entity,
  value: ExactJson,
  parse: typeof parseScalar = parseScalar,
): Key | undefined {
  const isComposite = hasCompositeKey(entity);
  const members = isComposite && typeof value === 'string' ? decodeComposite(value) : value;
  const parts = keyPartsOf(model, entity).map(({ name, type }) => {
    const part = isComposite ? memberOf(members, name) : members;
    return part === undefined ? null : (canonicalScalar(type, part, undefined, undefined, parse)?.value ?? null);
  });
  return parts.includes(null) ? undefined : canonicalKey(parts);
}

const memberOf = (json: ExactJson | undefined, name: string): ExactJson | undefined =>
  isExactObject(json) && Object.hasOwn(json, name) ? json[name] : undefined;

/**
 * Reads the id of a path (contract/instances.md#ids, contract/decisions.md#60): text by the key's type; Base64 of JSON
 * for a composite key, in the plain or the URL-safe alphabet, with or without padding.
 *
 * @throws PlatformError REQ_INVALID_ENTITY_ID; DATA_INSTANCE_NOT_FOUND for an entity without a key
 */
export function parseEntityId(model: Model, entity: Entity, text: string): Key {
  assertKey(entity);
  const key = parseKeyValue(model, entity, text);
  if (key === undefined)
    throw new PlatformError('REQ_INVALID_ENTITY_ID', `Cannot convert ${shortened(text)} into valid entity ID`);
  return key;
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
