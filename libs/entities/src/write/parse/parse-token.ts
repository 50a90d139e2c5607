import { type Entity, entityOf, familyTreeOf } from '@lintel/metadata';
import { type ExactObject, SECURITY_TOKEN, type TokenContent } from '@lintel/query';
import { type Key, keyText } from '../values/value.ts';
import { cannotDeserialize } from './deserialization-error.ts';
import type { ParseContext } from './parse-instance.ts';
import { readKey } from './parse-key.ts';

/** Members of an instance's references that were hidden from the caller when it was read. */
export type HiddenAtRead = ReadonlyMap<string, readonly Key[]>;

/**
 * Reads the `__securityToken` of an object (contract/row-policies.md#security-token).
 *
 * @param entity of the object, or an entity that its own extends
 * @param key of the object; undefined for embedded objects and if none was sent
 * @param path path from the sent root
 * @returns undefined if there is no token, or tokens are not enabled
 * @throws PlatformError REQ_CANNOT_DESERIALIZE for an invalid token, or the token of another object
 */
export function parseToken(
  context: Pick<ParseContext, 'model' | 'mode' | 'tokens'>,
  entity: Entity,
  json: ExactObject,
  key: Key | undefined,
  path: string,
): HiddenAtRead | undefined {
  const sent = Object.hasOwn(json, SECURITY_TOKEN) ? json[SECURITY_TOKEN] : undefined;
  if (context.tokens === undefined || sent === undefined || sent === null) return undefined;
  const name = path === '' ? SECURITY_TOKEN : `${path}.${SECURITY_TOKEN}`;
  const content = typeof sent === 'string' ? context.tokens.decrypt(sent) : undefined;
  if (content === undefined) throw cannotDeserialize(`'${name}' is no security token`, context.mode);
  const owner = familyTreeOf(context.model, entity).find((member) => member.name === content.entity);
  if (owner === undefined) throw cannotDeserialize(`'${name}' is the security token of another entity`, context.mode);
  if (!isOfKey(context, owner, content, key))
    throw cannotDeserialize(`'${name}' is the security token of another instance`, context.mode);
  return hiddenOf(context, owner, content);
}

function isOfKey(
  { model }: Pick<ParseContext, 'model'>,
  entity: Entity,
  { id }: TokenContent,
  key: Key | undefined,
): boolean {
  if (id === undefined) return key === undefined;
  const bound = readKey(model, entity, id);
  return bound !== undefined && key !== undefined && keyText(bound) === keyText(key);
}

function hiddenOf({ model }: Pick<ParseContext, 'model'>, entity: Entity, { hidden }: TokenContent): HiddenAtRead {
  const found = new Map<string, readonly Key[]>();
  for (const [name, ids] of Object.entries(hidden)) {
    const attribute = entity.attributes.get(name);
    // The attribute may have been removed since the token was created.
    if (attribute?.kind !== 'reference') continue;
    const target = entityOf(model, attribute.target);
    const keys = ids.map((id) => readKey(model, target, id)).filter((key) => key !== undefined);
    found.set(name, keys);
  }
  return found;
}
