import {
  type Attribute,
  type ElementsAttribute,
  type EmbeddedAttribute,
  type Entity,
  entityOf,
  familyTreeOf,
  isToOne,
  type Model,
  type ReferenceAttribute,
} from '@lintel/metadata';
import {
  canonicalScalar,
  datatypeOf,
  type ExactJson,
  type ExactObject,
  isExactObject,
  type LiteralType,
  literalTypeOf,
  type TimeReading,
} from '@lintel/query';
import type { TokenCodec } from '@lintel/reading';
import type { Access } from '@lintel/security';
import { assertJsonLength } from '../values/merged-json.ts';
import { type Key, keyText, type Reference, type Scalar } from '../values/value.ts';
import { cannotDeserialize, notAnArray, notAnObject, type ParseMode, wrongScalar } from './deserialization-error.ts';
import type { InstanceInput, SentChildren, SentValue } from './instance-input.ts';
import { keepUnlisted } from './keep-unlisted.ts';
import { parseDynamicValues } from './parse-dynamic-values.ts';
import { noteOtherKeys, parseKey, parseSentKey, readKey } from './parse-key.ts';
import { parseToken } from './parse-token.ts';
import type { UnknownNames } from './unknown-names.ts';

/** What parsing needs to know about a body that stands for a JSON Patch. */
export interface PatchHints {
  /** Ids of the members that leave, by the array of the body that has the new and changed ones. */
  readonly removed: WeakMap<object, readonly ExactJson[]>;
  /** Names of members in paths, instead of their positions. */
  readonly labels: WeakMap<object, string>;
}

/** What the parsing of a patch needs. */
export interface PatchContext {
  /** Characters of a JSON attribute after the patch. */
  readonly maxJsonLength: number;
  /** Of a JSON Patch: its values of JSON attributes replace, and its arrays have only some members of a collection. */
  readonly hints?: PatchHints | undefined;
}

export interface ParseContext {
  readonly model: Model;
  readonly mode: ParseMode;
  /** Whether a sent `version` is to be compared (`svc.rest.optimistic-locking-enabled`). */
  readonly readsVersion: boolean;
  /** Opens security tokens; without it they are ignored. */
  readonly tokens?: TokenCodec | undefined;
  /** The values are those of application code, which may write read-only attributes: they bind clients alone. */
  readonly byApplication?: boolean;
  /** The body is a merge patch (RFC 7396), or made of a JSON Patch: children are merged by what they name. */
  readonly patch?: PatchContext | undefined;
  /** A member that names an attribute which the caller may not view is as an unknown one; without it all are read. */
  readonly access?: Pick<Access, 'mayView'> | undefined;
  /** How times are read; offsets are ignored without it. */
  readonly times?: TimeReading | undefined;
  /** Takes the members that the model does not have, and what else has no effect; without it they are ignored. */
  readonly unknown?: UnknownNames | undefined;
  /** Defers the parsing of composition children to `parseInSlices`; without it they are parsed at once. */
  readonly later?: ((work: () => void) => void) | undefined;
}

/** Without a type guard, so that the compiler does not conclude that nothing is left. */
const isSingle = (attribute: ReferenceAttribute): boolean => isToOne(attribute);

/** An inverse end is read-only because the other end has the value. */
const hasOwnValue = (attribute: Attribute): boolean => attribute.kind !== 'reference' || attribute.owning;

const isJson = (type: LiteralType | undefined): boolean => type?.kind === 'datatype' && type.datatype === 'json';

interface Collected {
  readonly values: Map<string, SentValue>;
  readonly children: Map<string, SentChildren>;
  readonly unstored: Map<string, ExactJson>;
}

/**
 * Parses one instance from a body and checks every value's type. Unknown members, read-only and not stored attributes
 * are ignored (contract/decisions.md#30); application code writes read-only attributes.
 *
 * @param entity the entity expected at this position; `_entityName` may name a descendant
 * @param path path from the sent root
 * @param storedKey key of the stored instance, if the body need not contain it
 * @throws PlatformError REQ_CANNOT_DESERIALIZE naming the attribute
 */
export function parseInstance(
  context: ParseContext,
  entity: Entity,
  json: ExactJson,
  path: string,
  storedKey?: Key,
): InstanceInput {
  if (!isExactObject(json))
    throw cannotDeserialize(path === '' ? 'The body must be a JSON object' : `'${path}' must be a JSON object`);
  const concrete = namedEntity(context.model, entity, json, path);
  context.unknown?.check(concrete, json, path);
  const collected: Collected = { values: new Map(), children: new Map(), unstored: new Map() };
  for (const attribute of concrete.attributes.values()) {
    if (attribute.name === concrete.key?.attribute || attribute.name === concrete.system.version) continue;
    const value = sentMember(context, concrete, json, attribute.name);
    if (value !== undefined) parseAttribute(context, attribute, value, '', path, collected);
  }
  keepUnlisted(concrete, json, path, collected);
  const sentKey = parseSentKey(context.model, concrete, json, path, context.mode);
  noteOtherKeys(context.model, context.unknown, concrete, { json, path, key: sentKey.key });
  return {
    entity: concrete,
    path,
    ...sentKey,
    hiddenAtRead: parseToken(context, concrete, json, storedKey ?? sentKey.key, path),
    version: context.readsVersion ? versionOf(context, concrete, json, path) : undefined,
    ...collected,
    dynamic: parseDynamicValues(context, concrete, json, path),
  };
}

/**
 * The entity that `_entityName` names: the expected one, or one that extends it.
 *
 * @throws PlatformError REQ_CANNOT_DESERIALIZE
 */
export function namedEntity(model: Model, entity: Entity, json: ExactObject, path: string): Entity {
  const name = Object.hasOwn(json, '_entityName') ? json['_entityName'] : undefined;
  const concrete =
    name === undefined || name === null ? entity : familyTreeOf(model, entity).find((each) => each.name === name);
  const where = path === '' ? '_entityName' : `${path}._entityName`;
  if (concrete === undefined)
    throw cannotDeserialize(`'${where}' must name ${entity.name} or an entity that extends it`);
  return concrete;
}

/** The value of a member; undefined also for an attribute that the caller may not view. */
function sentMember({ access }: ParseContext, entity: Entity, json: ExactObject, name: string): ExactJson | undefined {
  if (!Object.hasOwn(json, name) || access?.mayView(entity.name, name) === false) return undefined;
  return json[name];
}

function versionOf(context: ParseContext, entity: Entity, json: ExactObject, path: string): string | undefined {
  const name = entity.system.version;
  const sent = name === undefined ? undefined : sentMember(context, entity, json, name);
  if (sent === undefined || sent === null) return undefined;
  const type = { kind: 'datatype', datatype: 'int' } as const;
  const parsed = canonicalScalar(type, sent);
  if (parsed === undefined) throw wrongScalar(path === '' ? 'version' : `${path}.version`, type, sent, context.mode);
  return String(parsed.value);
}

/** `inside` is the path of the embedded attributes above; `root` the path of the instance. */
function parseAttribute(
  context: ParseContext,
  attribute: Attribute,
  json: ExactJson,
  inside: string,
  root: string,
  collected: Collected,
): void {
  if (attribute.generated === true) return;
  const key = inside === '' ? attribute.name : `${inside}.${attribute.name}`;
  const shownPath = root === '' ? key : `${root}.${key}`;
  if (attribute.readOnly && !(context.byApplication === true && hasOwnValue(attribute))) {
    if (isNamedAsReadOnly(context.model, attribute)) context.unknown?.noteWithoutEffect(shownPath);
    return;
  }
  const put = (value: SentValue['value']): void => {
    collected.values.set(key, { value, sent: json });
  };
  switch (attribute.kind) {
    case 'datatype':
    case 'enum': {
      if (attribute.kind === 'datatype' && attribute.compute !== undefined) return;
      const type = literalTypeOf(context.model, attribute);
      const parsed = type === undefined ? undefined : canonicalScalar(type, json, context.times, shownPath);
      if (type !== undefined && parsed === undefined)
        throw wrongScalar(shownPath, type, json, context.mode, attribute.secret);
      if (attribute.persistent && context.patch !== undefined && isJson(type))
        collected.values.set(key, patchedJson(context.patch, json, parsed?.value ?? null, shownPath));
      else if (attribute.persistent) put(parsed?.value ?? null);
      else collected.unstored.set(key, json);
      return;
    }
    case 'elements':
      if (!attribute.persistent) return;
      put(parseElements(context, attribute, json, shownPath));
      return;
    case 'embedded':
      if (!attribute.persistent) return;
      parseEmbedded(context, attribute, json, key, root, collected);
      return;
    case 'reference':
      if (!attribute.persistent) return;
      if (attribute.composition) collected.children.set(key, parseChildren(context, attribute, json, shownPath));
      else if (isSingle(attribute)) put(parseReference(context, attribute, json, shownPath));
      else {
        const removed = removedKeys(context, attribute, json);
        const value = parseReferences(context, attribute, json, shownPath);
        collected.values.set(key, { value, sent: json, ...(removed === undefined ? {} : { removed }) });
      }
      return;
    default:
      attribute satisfies never;
  }
}

/**
 * Whether a read-only attribute is named as one without an effect: not what the server sets or computes, and not the
 * parent of a child, which clients send as they have read it.
 */
function isNamedAsReadOnly(model: Model, attribute: Attribute): boolean {
  if (attribute.kind === 'datatype' && attribute.compute !== undefined) return false;
  if (Object.values(entityOf(model, attribute.declaredBy).system).includes(attribute.name)) return false;
  if (attribute.kind !== 'reference') return true;
  const parts = [...entityOf(model, attribute.target).attributes.values()];
  return !parts.some((part) => part.kind === 'reference' && part.composition && part.inverse === attribute.name);
}

/** A merge patch is merged when the stored value is known; the value of a JSON Patch has been read and changed. */
function patchedJson({ maxJsonLength, hints }: PatchContext, json: ExactJson, value: Scalar, path: string): SentValue {
  if (hints !== undefined && typeof value === 'string') assertJsonLength(path, value, maxJsonLength);
  if (hints !== undefined || !isExactObject(json)) return { value, sent: json };
  return { value, sent: json, jsonPatch: { members: json, maxLength: maxJsonLength } };
}

function parseElements(context: ParseContext, attribute: ElementsAttribute, json: ExactJson, path: string) {
  if (json === null) return [];
  if (!Array.isArray(json)) throw notAnArray(path, attribute.name, context.mode);
  const type = datatypeOf(attribute);
  return json.map((item: ExactJson, index) => {
    const parsed = item === null ? undefined : canonicalScalar(type, item, context.times, path);
    if (parsed === undefined) throw wrongScalar(`${path}[${index}]`, type, item, context.mode);
    return parsed.value;
  });
}

function parseEmbedded(
  context: ParseContext,
  attribute: EmbeddedAttribute,
  json: ExactJson,
  key: string,
  root: string,
  collected: Collected,
): void {
  const shownPath = root === '' ? key : `${root}.${key}`;
  const target = entityOf(context.model, attribute.target);
  // Null clears every attribute (contract/decisions.md#71).
  if (json === null) {
    for (const inner of target.attributes.values()) parseAttribute(context, inner, null, key, root, collected);
    return;
  }
  if (!isExactObject(json)) throw notAnObject(shownPath, attribute.name, context.mode);
  context.unknown?.check(target, json, shownPath);
  parseToken(context, target, json, undefined, shownPath);
  for (const inner of target.attributes.values()) {
    const value = sentMember(context, target, json, inner.name);
    if (value !== undefined) parseAttribute(context, inner, value, key, root, collected);
  }
}

/** Members of the object besides its id are ignored (contract/writing.md#update). */
function parseReference(
  context: ParseContext,
  attribute: ReferenceAttribute,
  json: ExactJson,
  path: string,
): Reference | null | 'missing' {
  if (json === null) return null;
  if (!isExactObject(json)) throw notAnObject(path, attribute.name, context.mode);
  const target = entityOf(context.model, attribute.target);
  const key = parseKey(context.model, target, json, path, context.mode);
  parseToken(context, target, json, key, path);
  return key === undefined ? 'missing' : { key };
}

function parseReferences(
  context: ParseContext,
  attribute: ReferenceAttribute,
  json: ExactJson,
  path: string,
): readonly Reference[] | 'missing' {
  if (json === null) return [];
  if (!Array.isArray(json)) throw notAnArray(path, attribute.name, context.mode);
  const members = new Map<string, Reference>();
  for (const [index, item] of (json as readonly ExactJson[]).entries()) {
    const member = item === null ? undefined : parseReference(context, attribute, item, `${path}[${index}]`);
    if (member === undefined || member === null) throw notAnObject(`${path}[${index}]`, attribute.name, context.mode);
    if (member === 'missing') return 'missing';
    members.set(JSON.stringify(member.key), member);
  }
  return [...members.values()];
}

/** The members that leave a collection of which the array has only the new and changed ones; else undefined. */
function removedKeys(
  { model, patch }: ParseContext,
  attribute: ReferenceAttribute,
  json: ExactJson,
): ReadonlyMap<string, Key> | undefined {
  const ids = Array.isArray(json) ? patch?.hints?.removed.get(json) : undefined;
  if (ids === undefined) return undefined;
  const target = entityOf(model, attribute.target);
  return new Map(
    ids.flatMap((id): (readonly [string, Key])[] => {
      const key = readKey(model, target, id);
      return key === undefined ? [] : [[keyText(key), key]];
    }),
  );
}

function parseChildren(
  context: ParseContext,
  attribute: ReferenceAttribute,
  json: ExactJson,
  path: string,
): SentChildren {
  const target = entityOf(context.model, attribute.target);
  if (isSingle(attribute)) {
    if (json === null) return { kind: 'one', child: null };
    if (!isExactObject(json)) throw notAnObject(path, attribute.name, context.mode);
    return { kind: 'one', child: parseInstance(context, target, json, path) };
  }
  if (!Array.isArray(json)) throw notAnArray(path, attribute.name, context.mode);
  const children: InstanceInput[] = [];
  const keys = new Set<string>();
  const add = (item: ExactJson, index: number): void => {
    const label = isExactObject(item) ? context.patch?.hints?.labels.get(item) : undefined;
    const child = parseInstance(context, target, item, `${path}[${label ?? index}]`);
    const key = child.key === undefined ? undefined : JSON.stringify(child.key);
    if (key !== undefined && keys.has(key))
      throw cannotDeserialize(`Attribute '${path}' has two members with the same id`, context.mode);
    if (key !== undefined) keys.add(key);
    children.push(child);
  };
  for (const [index, item] of (json as readonly ExactJson[]).entries()) {
    if (context.later === undefined) add(item, index);
    else context.later(() => add(item, index));
  }
  if (context.patch === undefined) return { kind: 'many', children };
  const removed = removedKeys(context, attribute, json);
  return { kind: 'many', children, isPatch: true, ...(removed === undefined ? {} : { removed }) };
}
