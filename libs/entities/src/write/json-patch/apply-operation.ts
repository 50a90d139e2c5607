import { PlatformError } from '@lintel/errors';
import { type Entity, entityOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import { type ExactJson, type ExactObject, idOf, isExactObject, readExactJson, type TimeReading } from '@lintel/query';
import { keyMemberOf, readKey } from '../parse/parse-key.ts';
import { type Key, keyText } from '../values/value.ts';
import type { BoundOperation } from './check-operation.ts';
import { type CopyBudget, putAt, removeAt, valueAt } from './json-pointer.ts';
import { invalidOperation, shownPointer } from './parse-json-patch.ts';
import { type CollectionDraft, newCollection, newObject, type ObjectDraft } from './patch-document.ts';
import { isCollection, type Target, type TargetContext } from './patch-target.ts';
import { isEqualTarget } from './test-value.ts';

/** What the operations of one patch share. */
export interface PatchState {
  readonly context: TargetContext;
  readonly root: ObjectDraft;
  readonly rootKey: Key;
  readonly budget: CopyBudget;
  /** How times in the values are read. */
  readonly times: TimeReading;
}

/**
 * Executes one operation on the document.
 *
 * @throws PlatformError DATA_PATCH_TEST_FAILED; DATA_PATCH_CONFLICT if what the path addresses is not there
 */
export function applyOperation(state: PatchState, operation: BoundOperation): void {
  const { name, at, target, source, path, from, value } = operation;
  switch (name) {
    case 'test':
      if (!isEqualTarget(state, operation, currentValue(state, target)))
        throw new PlatformError('DATA_PATCH_TEST_FAILED', `operations[${at}]: ${shownPointer(path)} has another value`);
      return;
    case 'add':
    case 'replace':
      put(state, operation, target, state.budget.copy(value, path.length));
      return;
    case 'remove':
      remove(state, operation, target, path);
      return;
    case 'move':
    case 'copy': {
      const current = currentValue(state, source as Target);
      if (current === undefined) throw conflict(at, from);
      const moved = state.budget.copy(current, path.length);
      if (name === 'move') remove(state, operation, source as Target, from);
      put(state, operation, target, moved);
      return;
    }
    default:
      name satisfies never;
  }
}

const conflict = (at: number, path: readonly string[]): PlatformError =>
  new PlatformError('DATA_PATCH_CONFLICT', `operations[${at}]: there is nothing at ${shownPointer(path)}`);

/** The object that has the attribute; undefined if one on the way is not there. */
function ownerOf({ root }: PatchState, { steps }: Target): ObjectDraft | undefined {
  let owner: ObjectDraft | undefined = root;
  for (const step of steps) {
    if (step.kind === 'member') owner = owner.collections.get(step.name)?.members.get(keyText(step.key));
    else owner = owner.objects.get(step.name) ?? embeddedIn(owner, step.name, step.entity);
    if (owner === undefined) return undefined;
  }
  return owner;
}

/** An embedded object exists always. */
function embeddedIn(owner: ObjectDraft, name: string, entity: Entity): ObjectDraft | undefined {
  if (entity.kind === 'entity') return undefined;
  const inner = newObject(entity);
  owner.objects.set(name, inner);
  return inner;
}

/** The value that a path addresses; undefined if there is none. An attribute without a value is null. */
function currentValue(state: PatchState, target: Target): ExactJson | undefined {
  const owner = ownerOf(state, target);
  if (owner === undefined) return undefined;
  const { attribute, name, rest, steps } = target;
  if (attribute.kind === 'fixed') return fixedValue(state, owner, steps.length === 0, attribute.member);
  switch (rest.kind) {
    case 'member':
      return owner.collections.get(name)?.members.get(keyText(rest.key))?.identity;
    case 'inside':
      return valueAt(owner.values.get(name) ?? null, rest.tokens);
    case 'id': {
      const value = owner.values.get(name) ?? null;
      return isExactObject(value) ? value['id'] : undefined;
    }
    case 'newMember':
      return undefined;
    default:
      return wholeValue(owner, target);
  }
}

function wholeValue(owner: ObjectDraft, { attribute, name }: Target): ExactJson {
  const value = owner.values.get(name) ?? null;
  const inner = owner.objects.get(name);
  if (inner === undefined) return value;
  if (attribute.kind === 'reference') return inner.identity;
  const changed = Object.fromEntries([...inner.changed].map((one) => [one, inner.values.get(one) ?? null]));
  return { ...(isExactObject(value) ? value : {}), ...changed };
}

function fixedValue({ context: { model }, rootKey }: PatchState, owner: ObjectDraft, isRoot: boolean, member: string) {
  if (!isRoot) return owner.identity[member] ?? null;
  return member === 'id' ? exactId(model, owner.entity, rootKey) : owner.entity.name;
}

const exactId = (model: Model, entity: Entity, key: Key): ExactJson =>
  readExactJson(JSON.stringify(idOf(model, entity, key)));

function put(state: PatchState, operation: BoundOperation, target: Target, value: ExactJson): void {
  const owner = ownerOf(state, target);
  const { at, path } = operation;
  const isReplacement = operation.name === 'replace';
  if (owner === undefined) throw conflict(at, path);
  const { attribute, name, rest } = target;
  switch (rest.kind) {
    case 'inside': {
      const whole = owner.values.get(name) ?? (attribute.kind === 'elements' ? [] : null);
      if (!putAt(whole, rest.tokens, value, isReplacement)) throw conflict(at, path);
      set(owner, name, whole);
      return;
    }
    case 'id':
      set(owner, name, { id: value });
      return;
    case 'member':
    case 'newMember':
      putMember(state, operation, target, owner, value);
      return;
    default:
  }
  const { model } = state.context;
  const isObject = attribute.kind === 'embedded' || (attribute.kind === 'reference' && attribute.composition);
  if (isObject && isExactObject(value) && !isCollection(attribute)) {
    const entity = entityOf(model, attribute.target);
    const isThere = attribute.kind === 'embedded' || owner.objects.has(name);
    owner.objects.set(name, objectOf(state, entity, owner.objects.get(name), value, isThere));
    owner.values.delete(name);
    owner.changed.delete(name);
    return;
  }
  owner.objects.delete(name);
  owner.collections.delete(name);
  set(owner, name, value);
}

function set(owner: ObjectDraft, name: string, value: ExactJson): void {
  owner.values.set(name, value);
  owner.changed.add(name);
}

/** The object that replaces another one: attributes that it does not name are cleared. */
function objectOf(
  state: PatchState,
  entity: Entity,
  before: ObjectDraft | undefined,
  value: ExactObject,
  isThere: boolean,
): ObjectDraft {
  const draft = newObject(entity, before?.identity);
  for (const [name, member] of Object.entries(value)) set(draft, name, member);
  if (isThere) for (const [name, cleared] of clearedBy(state, entity, value)) set(draft, name, cleared);
  return draft;
}

/** Attributes that the caller sees and may change, with the value of none. */
function clearedBy(
  { context }: PatchState,
  entity: Entity,
  value: ExactObject,
): readonly (readonly [string, ExactJson])[] {
  return [...entity.attributes.values()].flatMap((attribute): (readonly [string, ExactJson])[] => {
    const { name } = attribute;
    const isFixed = name === entity.key?.attribute || Object.values(entity.system).includes(name);
    if (Object.hasOwn(value, name) || isFixed || attribute.readOnly || attribute.secret || !attribute.persistent)
      return [];
    if (!context.access.mayModify(entity.name, name)) return [];
    const isMany = attribute.kind === 'elements' || isCollection(attribute);
    return [[name, isMany ? [] : null]];
  });
}

function putMember(
  state: PatchState,
  { at, path, name: operation }: BoundOperation,
  { attribute, name, rest }: Target,
  owner: ObjectDraft,
  value: ExactJson,
): void {
  if (attribute.kind !== 'reference' || !isExactObject(value)) throw invalidOperation(at, 'a member is a JSON object');
  const { model } = state.context;
  const entity = entityOf(model, attribute.target);
  const collection = collectionIn(owner, name, at, path);
  const sent = keyMemberOf(entity, value);
  const key = sent === undefined ? undefined : readKey(model, entity, sent);
  if (rest.kind !== 'member') {
    add(collection, at, path, value, key);
    return;
  }
  const isSame = key === undefined || keyText(key) === keyText(rest.key);
  const member = collection.members.get(keyText(rest.key));
  const id = exactId(model, entity, rest.key);
  if (operation === 'add') {
    if (!isSame) throw invalidOperation(at, "'value' has another id than the path");
    if (member !== undefined)
      throw new PlatformError('DATA_PATCH_CONFLICT', `operations[${at}]: ${shownPointer(path)} exists`);
    add(collection, at, path, { ...value, id }, rest.key);
    return;
  }
  if (member === undefined) throw conflict(at, path);
  if (attribute.composition) replaceMember(state, collection, attribute, member, rest.key, value, isSame, at);
  else {
    leave(collection, rest.key, id);
    add(collection, at, path, value, key);
  }
}

function replaceMember(
  state: PatchState,
  collection: CollectionDraft,
  { inverse }: ReferenceAttribute,
  member: ObjectDraft,
  key: Key,
  value: ExactObject,
  isSame: boolean,
  at: number,
): void {
  if (!isSame) throw invalidOperation(at, "'value' has another id than the path");
  const replaced = objectOf(state, member.entity, member, value, true);
  // The parent stays.
  if (inverse !== undefined) replaced.changed.delete(inverse);
  collection.members.set(keyText(key), replaced);
}

/** The collection, unless an earlier operation has set it as a whole. */
function collectionIn(owner: ObjectDraft, name: string, at: number, path: readonly string[]): CollectionDraft {
  if (owner.changed.has(name))
    throw invalidOperation(at, `${shownPointer(path)}: an earlier operation sets the whole collection`);
  const found = owner.collections.get(name) ?? newCollection();
  owner.collections.set(name, found);
  return found;
}

function add(
  { added, removed }: CollectionDraft,
  at: number,
  path: readonly string[],
  json: ExactObject,
  key: Key | undefined,
): void {
  const text = key === undefined ? undefined : keyText(key);
  if (text !== undefined && added.some((one) => one.key === text))
    throw new PlatformError('DATA_PATCH_CONFLICT', `operations[${at}]: ${shownPointer(path)} is added twice`);
  // A member that was removed before stays after all.
  if (text !== undefined) removed.delete(text);
  added.push({ json, at, key: text });
}

function leave({ members, removed }: CollectionDraft, key: Key, id: ExactJson): void {
  members.delete(keyText(key));
  removed.set(keyText(key), id);
}

function remove(state: PatchState, { at }: BoundOperation, target: Target, path: readonly string[]): void {
  const owner = ownerOf(state, target);
  if (owner === undefined) throw conflict(at, path);
  const { attribute, name, rest } = target;
  switch (rest.kind) {
    case 'inside': {
      const whole = owner.values.get(name) ?? null;
      if (!removeAt(whole, rest.tokens)) throw conflict(at, path);
      set(owner, name, whole);
      return;
    }
    case 'member': {
      const collection = collectionIn(owner, name, at, path);
      if (attribute.kind !== 'reference' || !collection.members.has(keyText(rest.key))) throw conflict(at, path);
      const { model } = state.context;
      leave(collection, rest.key, exactId(model, entityOf(model, attribute.target), rest.key));
      return;
    }
    default: {
      const isMany = attribute.kind === 'elements' || isCollection(attribute);
      owner.objects.delete(name);
      owner.collections.delete(name);
      set(owner, name, isMany ? [] : null);
    }
  }
}
