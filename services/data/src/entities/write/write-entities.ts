import type { Principal } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { type Entity, lineageOf, type Model } from '@lintel/metadata';
import { type ExactJson, isExactObject, resolveEntity } from '@lintel/query';
import type { Access } from '@lintel/security';
import { assertVersion, versionOf } from './assert-version.ts';
import { checkIfMatch } from './check-if-match.ts';
import type { StoredRow } from './execute/rows.ts';
import { saveInstances } from './execute/save-instances.ts';
import type { WriteScope } from './execute/write-scope.ts';
import { findForChange, loadForChange, type NamedKey } from './load-for-change.ts';
import type { SaveItem } from './merge/build-graph.ts';
import { answerOnce } from './once/answer-once.ts';
import type { Once } from './once/once.ts';
import { assertConcrete, assertUnchangedEntity } from './parse/assert-entity.ts';
import { cannotDeserialize } from './parse/deserialization-error.ts';
import { parseBatchUpdateBody, parseCreateBody, parseUpdateBody } from './parse/parse-body.ts';
import { namedEntity, parseInstance } from './parse/parse-instance.ts';
import { keyMemberOf, readKey } from './parse/parse-key.ts';
import type { Reading } from './read-many.ts';
import { readLocal, readSaved, resolveResponsePlan } from './read-saved.ts';
import { assertAllowed } from './secure/assert-allowed.ts';
import { callerRights } from './secure/caller-rights.ts';
import { dropDenied } from './secure/drop-denied.ts';
import { type HttpAnswer, tellCreated, tellUpdated } from './tell-saved.ts';
import { keyOfPath } from './values/key-in-sql.ts';
import { keyText } from './values/value.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** What the edge received of a create or update. */
export interface WriteRequest {
  readonly entityName: string;
  /** Decoded body. */
  readonly body: string;
  /** `responseFetchPlan`, or its alias `responseView`. */
  readonly responsePlan: string | undefined;
  readonly ifMatch: string | undefined;
  /** The URL as the client knows it, without its query. */
  readonly url: string;
  /** Present where the client sent an idempotency key. */
  readonly once: Once | undefined;
}

/**
 * `POST /entities/{entity}` with one object or an array (contract-entities-queries-services.md §3.5), in
 * the order of checks of §3.3: parse → resolve → authorize → secure → save → read back → tell.
 */
export async function createEntities(
  request: WriteRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { model } = deps.environment;
  const body = parseCreateBody(request.body);
  const entity = resolveEntity(model, request.entityName);
  const access = deps.accessOf(principal);
  assertAllowed(access, entity, 'create');
  const plan = resolveResponsePlan(request.responsePlan, entity, deps);
  const isBatch = Array.isArray(body);
  const list = (isBatch ? body : [body]) as readonly ExactJson[];
  const context = {
    model,
    mode: isBatch ? 'other' : 'single-create',
    readsVersion: false,
    tokens: deps.read.tokens,
  } as const;
  const inputs = list.map((json, index) => {
    const input = parseInstance(context, entity, json, isBatch ? `entities[${index}]` : '');
    assertConcrete(input.entity, input.path);
    assertAllowed(access, input.entity, 'create');
    return dropDenied(model, input, access);
  });
  assertDistinct(inputs.flatMap(({ key }) => (key === undefined ? [] : [keyText(key)])));
  const write = async (scope: WriteScope): Promise<Reading<HttpAnswer>> => {
    const items = inputs.map((input) => ({ input, stored: undefined }));
    const saved = await saveInstances(scope, callerRights(deps, scope, principal), 'create', items);
    return tell(readSaved(saved, plan, principal, scope, deps), (all) => tellCreated(isBatch, all, request.url));
  };
  return answerOnce(request.once, principal, deps, signal, write);
}

/** `PUT /entities/{entity}/{id}` (contract §3.6): a partial update of one instance. */
export async function updateEntity(
  request: WriteRequest & { readonly id: string },
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { model } = deps.environment;
  const entity = resolveEntity(model, request.entityName);
  const access = deps.accessOf(principal);
  assertAllowed(access, entity, 'update');
  const plan = resolveResponsePlan(request.responsePlan, entity, deps);
  const named = { key: keyOfPath(model, entity, request.id), text: request.id };
  const write = async (scope: WriteScope): Promise<Reading<HttpAnswer>> => {
    const stored = await loadForChange(scope, entity, [named], principal, deps, 'update');
    const items: SaveItem[] = [];
    for (const row of stored) {
      await checkIfMatch(request.ifMatch, versionOf(row), () => readLocal(row, principal, scope, deps));
      items.push(updateItem(deps, access, row, parseUpdateBody(request.body), ''));
    }
    const saved = await saveInstances(scope, callerRights(deps, scope, principal), 'update', items);
    return tell(readSaved(saved, plan, principal, scope, deps), (all) => tellUpdated(false, all));
  };
  return answerOnce(request.once, principal, deps, signal, write);
}

/** `PUT /entities/{entity}` with an array: all or nothing (decisions.md 18). */
export async function updateEntities(
  request: WriteRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { model } = deps.environment;
  const entity = resolveEntity(model, request.entityName);
  const access = deps.accessOf(principal);
  assertAllowed(access, entity, 'update');
  const plan = resolveResponsePlan(request.responsePlan, entity, deps);
  const list = parseBatchUpdateBody(request.body);
  const { keys, wrong } = keysUntilWrong(deps, entity, list);
  assertDistinct(keys.map(({ key }) => keyText(key)));
  const write = async (scope: WriteScope): Promise<Reading<HttpAnswer>> => {
    const found = await findForChange(scope, entity, keys, principal, deps, 'update');
    const items = found.map((row, at) => {
      if (isPlatformError(row)) throw row;
      return updateItem(deps, access, row, list[at] ?? null, `entities[${at}]`);
    });
    if (wrong !== undefined) throw wrong;
    const saved = await saveInstances(scope, callerRights(deps, scope, principal), 'update', items);
    return tell(readSaved(saved, plan, principal, scope, deps), (all) => tellUpdated(true, all));
  };
  return answerOnce(request.once, principal, deps, signal, write);
}

const tell = <T, A>({ isPlain, result }: Reading<T>, toAnswer: (value: T) => A): Reading<A> => ({
  isPlain,
  result: result.then(toAnswer),
});

/** The body of an update is read as the stored instance's own entity, whatever entity the URL names. */
function updateItem(
  deps: WriteDependencies,
  access: Access,
  stored: StoredRow,
  json: ExactJson,
  path: string,
): SaveItem {
  const { model } = deps.environment;
  assertAllowed(access, stored.entity, 'update');
  const context = {
    model,
    mode: 'other',
    readsVersion: deps.optimisticLockingEnabled,
    tokens: deps.read.tokens,
  } as const;
  // The id of the URL wins over one in the body (contract §3.6).
  const own = isExactObject(json) ? { ...json, _entityName: stored.entity.name } : json;
  const named = isExactObject(json) ? namedEntity(model, familyRoot(model, stored.entity), json, path) : stored.entity;
  if (isExactObject(json) && (json['_entityName'] ?? null) !== null)
    assertUnchangedEntity(model, named, stored.entity, path);
  const input = parseInstance(context, stored.entity, withoutKey(stored.entity, own), path, stored.key);
  assertVersion(input, stored);
  return { input: { ...dropDenied(model, input, access), key: stored.key }, stored };
}

const familyRoot = (model: Model, entity: Entity): Entity => lineageOf(model, entity).at(-1) ?? entity;

function withoutKey(entity: Entity, json: ExactJson): ExactJson {
  if (!isExactObject(json)) return json;
  const { id: _id, [entity.key?.attribute ?? 'id']: _key, ...rest } = json;
  return rest;
}

/** Elements are checked one after the other (contract §3.3): the ids up to the first wrong one, and its error. */
function keysUntilWrong(deps: WriteDependencies, entity: Entity, list: readonly ExactJson[]) {
  const keys: NamedKey[] = [];
  for (const [index, json] of list.entries()) {
    const key = keyOfElement(deps, entity, json, index);
    if (isPlatformError(key)) return { keys, wrong: key };
    keys.push(key);
  }
  return { keys, wrong: undefined };
}

function keyOfElement(
  { environment }: WriteDependencies,
  entity: Entity,
  json: ExactJson,
  index: number,
): NamedKey | PlatformError {
  if (!isExactObject(json)) return cannotDeserialize(`'entities[${index}]' must be a JSON object`);
  const sent = keyMemberOf(entity, json);
  if (sent === undefined) return new PlatformError('REQ_ID_REQUIRED', `entities[${index}] has no id`);
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const key = readKey(environment.model, entity, sent);
  if (key === undefined)
    return new PlatformError('REQ_INVALID_ENTITY_ID', `Cannot convert ${text} into valid entity ID`);
  return { key, text };
}

/** Two items of a batch with one id (decisions.md 18). */
function assertDistinct(keys: readonly string[]): void {
  if (new Set(keys).size < keys.length) throw cannotDeserialize('Two items of the batch have the same id');
}
