import type { PlatformError } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import {
  canonicalKey,
  canonicalScalar,
  type ExactJson,
  type ExactObject,
  hasCompositeKey,
  isExactObject,
  keyPartsOf,
  parseKeyValue,
  parseLiteral,
} from '@lintel/query';
import { writeModelOf } from '../model/write-model.ts';
import { type Key, keyText, type Scalar } from '../values/value.ts';
import { cannotDeserialize, type ParseMode } from './deserialization-error.ts';
import type { UnknownNames } from './unknown-names.ts';

/**
 * The member that contains the key: `id` takes precedence over the key attribute's own name
 * (contract/writing.md#create).
 */
export function keyMemberOf(entity: Entity, members: ExactObject): ExactJson | undefined {
  const name = keyMemberNameOf(entity, members);
  return name === undefined ? undefined : members[name];
}

/** The name of that member; undefined if the key was not sent. */
const keyMemberNameOf = (entity: Entity, members: ExactObject): string | undefined =>
  keyNamesOf(entity).find((name) => (memberOf(members, name) ?? null) !== null);

const keyNamesOf = (entity: Entity): readonly string[] => ['id', entity.key?.attribute ?? 'id'];

/**
 * Notes the members of an object that would contain its key, and contain another one: they have no effect
 * (contract/conventions.md#unknown).
 *
 * @param key of the instance; undefined if it has none yet
 * @throws PlatformError REQ_WITHOUT_EFFECT if these members are refused
 */
export function noteOtherKeys(
  model: Model,
  unknown: UnknownNames | undefined,
  entity: Entity,
  { json, path, key }: { readonly json: ExactJson; readonly path: string; readonly key: Key | undefined },
): void {
  if (unknown === undefined || key === undefined) return;
  for (const name of keyNamesOf(entity)) {
    const sent = memberOf(json, name) ?? null;
    if (sent === null) continue;
    const other = readKey(model, entity, sent);
    if (other === undefined || keyText(other) !== keyText(key))
      unknown.noteWithoutEffect(path === '' ? name : `${path}.${name}`);
  }
}

/**
 * The key in its canonical form.
 *
 * @returns nothing if the value is not a key of the entity
 */
export const readKey = (model: Model, entity: Entity, json: ExactJson): Key | undefined =>
  parseKeyValue(model, entity, json, parseLiteral);

const memberOf = (json: ExactJson, name: string): ExactJson | undefined =>
  isExactObject(json) && Object.hasOwn(json, name) ? json[name] : undefined;

/** The key of an instance, or its parts if references over its columns may complete it. */
export interface SentKey {
  readonly key: Key | undefined;
  /** Null for each part that was not sent. */
  readonly keyParts?: readonly Scalar[];
}

/**
 * The key of an instance that is written. If the entity has references over columns of the key, parts may be missing,
 * and those of a composite key may be members of the instance itself.
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE if the value is not a key
 */
export function parseSentKey(
  model: Model,
  entity: Entity,
  members: ExactObject,
  path: string,
  mode: ParseMode,
): SentKey {
  const isCompletable = entity.key !== undefined && writeModelOf(model).of(entity).keyReferences.length > 0;
  if (!isCompletable || !hasCompositeKey(entity)) {
    const key = parseKey(model, entity, members, path, mode);
    return isCompletable && key === undefined ? { key, keyParts: [null] } : { key };
  }
  const json = keyMemberOf(entity, members) ?? {};
  if (!isExactObject(json)) throw wrongKey(entity, members, path, mode);
  const keyParts = keyPartsOf(model, entity).map(({ name, type }) => {
    const sent = memberOf(json, name) ?? (entity.attributes.has(name) ? null : memberOf(members, name)) ?? null;
    const parsed = sent === null ? { value: null } : canonicalScalar(type, sent);
    if (parsed === undefined) throw wrongKey(entity, members, path, mode);
    return parsed.value;
  });
  return keyParts.includes(null) ? { key: undefined, keyParts } : { key: canonicalKey(keyParts) };
}

/** Names the member under which the key was sent. */
function wrongKey(entity: Entity, members: ExactObject, path: string, mode: ParseMode): PlatformError {
  const name = keyMemberNameOf(entity, members) ?? 'id';
  const at = path === '' ? name : `${path}.${name}`;
  return cannotDeserialize(`Attribute '${at}' is no valid id of ${entity.name}`, mode);
}

/**
 * The key of an object; undefined if it has none (contract/decisions.md#51).
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE if the value is not a key
 */
export function parseKey(
  model: Model,
  entity: Entity,
  members: ExactObject,
  path: string,
  mode: ParseMode,
): Key | undefined {
  const json = keyMemberOf(entity, members);
  // An empty text means no id if ids are generated (contract/writing.md#create).
  if (json === undefined || (json === '' && entity.key?.generation === 'uuid')) return undefined;
  const key = readKey(model, entity, json);
  if (key === undefined) throw wrongKey(entity, members, path, mode);
  return key;
}
