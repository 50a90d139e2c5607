import { isPlatformError, PlatformError, shortened } from '@lintel/errors';
import { type Entity, lineageOf, type Model } from '@lintel/metadata';
import { type ExactJson, isExactObject, resolveEntity } from '@lintel/query';
import { pauseAt } from '../slices/map-in-slices.ts';
import { assertAllowed } from './authorize/assert-allowed.ts';
import { dropDenied } from './authorize/drop-denied.ts';
import { findForChange, loadForChange, type NamedKey } from './authorize/load-for-change.ts';
import { checkRowMatches } from './check-if-match.ts';
import { assertVersion } from './graph/assert-version.ts';
import { type BoundPatch, bindJsonPatch, bodyOfJsonPatch } from './json-patch/body-of-json-patch.ts';
import { CopyBudget } from './json-patch/json-pointer.ts';
import { type Operation, parseJsonPatch } from './json-patch/parse-json-patch.ts';
import type { InstancePatch } from './json-patch/split-json-patch.ts';
import type { SaveItem } from './merge/build-graph.ts';
import { assertUnchangedEntity } from './parse/assert-entity.ts';
import { cannotDeserialize } from './parse/deserialization-error.ts';
import { parseInSlices } from './parse/parse-in-slices.ts';
import { namedEntity, type ParseContext, type PatchHints, parseInstance } from './parse/parse-instance.ts';
import { keyMemberOf, noteOtherKeys, readKey } from './parse/parse-key.ts';
import { shortCopy } from './parse/unknown-names.ts';
import type { StoredRow } from './rows/rows.ts';
import type { WriteScope } from './scope/write-scope.ts';
import { isLarge, type WriteCall } from './write-call.ts';

/** Finds the entity of the path, which the caller must be allowed to update. */
export function authorizeUpdate({ model, access, request }: WriteCall): Entity {
  const entity = resolveEntity(model, request.entityName);
  assertAllowed(access, entity, 'update');
  return entity;
}

/**
 * Loads and locks the instance, compares `If-Match`, and parses the body.
 *
 * @param body its mistakes are reported only if the instance exists (contract/writing.md#check-order)
 */
export async function loadUpdate(
  call: WriteCall,
  scope: WriteScope,
  entity: Entity,
  named: NamedKey,
  body: PromiseSettledResult<ExactJson>,
): Promise<readonly SaveItem[]> {
  const { request, principal, deps } = call;
  const stored = await loadForChange(scope, entity, [named], principal, deps, 'update');
  const items: SaveItem[] = [];
  for (const row of stored) {
    await checkRowMatches(request.ifMatch, row, entity, scope, call);
    if (body.status === 'rejected') throw body.reason;
    items.push(await parseOne(call, scope, row, body.value));
  }
  return items;
}

async function parseOne(call: WriteCall, scope: WriteScope, row: StoredRow, json: ExactJson): Promise<SaveItem> {
  const { request, principal, deps, times } = call;
  if (request.patch !== 'operations') return parseUpdate(call, row, json, '');
  const instance = { row, scope, principal, deps, budget: new CopyBudget(deps.maxBodyBytes), times };
  const { body, hints } = await bodyOfJsonPatch(await bindJsonPatch(instance, parseOperations(call, json)));
  return parseUpdate(call, row, body, '', hints);
}

/** The operations of a JSON Patch; members that they do not define are reported. */
export const parseOperations = ({ unknown }: WriteCall, json: ExactJson): readonly Operation[] =>
  parseJsonPatch(json, unknown?.checkMembers.bind(unknown));

/**
 * Loads and locks the instances of a JSON Patch of a collection, and applies the operations to them. Mistakes that do
 * not depend on what is stored are reported before those that do.
 */
export async function loadPatched(
  call: WriteCall,
  scope: WriteScope,
  entity: Entity,
  patches: readonly InstancePatch[],
): Promise<readonly SaveItem[]> {
  const { principal, deps, times } = call;
  const keys = patches.map(({ named }) => named);
  const rows = await loadForChange(scope, entity, keys, principal, deps, 'update');
  const budget = new CopyBudget(deps.maxBodyBytes);
  const bound: BoundPatch[] = [];
  for (const [at, row] of rows.entries())
    bound.push(await bindJsonPatch({ row, scope, principal, deps, budget, times }, patches[at]?.operations ?? []));
  const items: SaveItem[] = [];
  for (const [at, patch] of bound.entries()) {
    await pauseAt(at);
    const { body, hints } = await bodyOfJsonPatch(patch);
    items.push(await parseUpdate(call, patch.row, body, `entities[${patches[at]?.named.text}]`, hints));
  }
  return items;
}

/** The keys of a batch up to the first element without a valid one, and the error of that element. */
export interface BatchKeys {
  readonly keys: readonly NamedKey[];
  readonly wrong: PlatformError | undefined;
}

/** Loads and locks the instances of a batch and parses its elements, one after the other. */
export async function loadUpdates(
  call: WriteCall,
  scope: WriteScope,
  entity: Entity,
  list: readonly ExactJson[],
  { keys, wrong }: BatchKeys,
): Promise<readonly SaveItem[]> {
  const found = await findForChange(scope, entity, keys, call.principal, call.deps, 'update');
  const items: SaveItem[] = [];
  for (const [at, row] of found.entries()) {
    await pauseAt(at);
    if (isPlatformError(row)) throw row;
    items.push(await parseUpdate(call, row, list[at] ?? null, `entities[${at}]`));
  }
  if (wrong !== undefined) throw wrong;
  return items;
}

/** How the body of an update is parsed. */
export const updateContext = (
  { model, access, unknown, times, request, deps }: WriteCall,
  hints?: PatchHints,
): ParseContext => ({
  ...{ model, mode: 'other', access, unknown, times },
  readsVersion: deps.optimisticLockingEnabled,
  tokens: deps.read.tokens,
  patch: request.patch === undefined ? undefined : { maxJsonLength: deps.maxBodyBytes, hints },
});

/** The body of an update is parsed as the entity of the stored instance, whichever entity the URL names. */
export async function parseUpdate(
  call: WriteCall,
  stored: StoredRow,
  json: ExactJson,
  path: string,
  hints?: PatchHints,
): Promise<SaveItem> {
  const { model, writeModel, access } = call;
  assertAllowed(access, stored.entity, 'update');
  const context = updateContext(call, hints);
  // The id of the URL wins over one in the body (contract/writing.md#update).
  const { entity } = stored;
  const own = isExactObject(json)
    ? { ...shortCopy(model, entity, json, ['id', entity.key?.attribute ?? 'id']), _entityName: entity.name }
    : json;
  const named = isExactObject(json) ? namedEntity(model, familyRoot(model, stored.entity), json, path) : stored.entity;
  if (isExactObject(json) && (json['_entityName'] ?? null) !== null)
    assertUnchangedEntity(model, named, stored.entity, path);
  const input = await parseInSlices(context, isLarge(call), (within) =>
    parseInstance(within, entity, own, path, stored.key),
  );
  noteOtherKeys(model, call.unknown, entity, { json, path, key: stored.key });
  assertVersion(input, stored);
  return { input: { ...dropDenied(writeModel, input, access, call.unknown), key: stored.key }, stored };
}

const familyRoot = (model: Model, entity: Entity): Entity => lineageOf(model, entity).at(-1) ?? entity;

/**
 * Elements are checked one after the other (contract/writing.md#check-order): the ids up to the first wrong one, and
 * its error.
 */
export function keysUntilWrong({ model }: WriteCall, entity: Entity, list: readonly ExactJson[]): BatchKeys {
  const keys: NamedKey[] = [];
  for (const [index, json] of list.entries()) {
    const key = keyOfElement(model, entity, json, index);
    if (isPlatformError(key)) return { keys, wrong: key };
    keys.push(key);
  }
  return { keys, wrong: undefined };
}

function keyOfElement(model: Model, entity: Entity, json: ExactJson, index: number): NamedKey | PlatformError {
  if (!isExactObject(json)) return cannotDeserialize(`'entities[${index}]' must be a JSON object`);
  const sent = keyMemberOf(entity, json);
  if (sent === undefined) return new PlatformError('REQ_ID_REQUIRED', `entities[${index}] has no id`);
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const key = readKey(model, entity, sent);
  if (key === undefined)
    return new PlatformError('REQ_INVALID_ENTITY_ID', `Cannot convert ${shortened(text)} into valid entity ID`);
  return { key, text };
}
