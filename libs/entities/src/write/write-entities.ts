import type { Principal } from '@lintel/contracts';
import { isPlatformError, PlatformError } from '@lintel/errors';
import { type Entity, lineageOf, type Model } from '@lintel/metadata';
import { type ExactJson, isExactObject, resolveEntity } from '@lintel/query';
import type { Access } from '@lintel/security';
import { mapInSlices, pauseAt } from '../slices/map-in-slices.ts';
import { assertAllowed } from './authorize/assert-allowed.ts';
import { callerRights } from './authorize/caller-rights.ts';
import { dropDenied } from './authorize/drop-denied.ts';
import { findForChange, loadForChange, type NamedKey } from './authorize/load-for-change.ts';
import { checkIfMatch } from './check-if-match.ts';
import { assertVersion } from './graph/assert-version.ts';
import { answerOnce } from './idempotency/answer-once.ts';
import type { Once } from './idempotency/once.ts';
import type { SaveItem } from './merge/build-graph.ts';
import { assertConcrete, assertUnchangedEntity } from './parse/assert-entity.ts';
import { cannotDeserialize } from './parse/deserialization-error.ts';
import { parseBatchUpdateBody, parseCreateBody, parseUpdateBody } from './parse/parse-body.ts';
import { parseInSlices } from './parse/parse-in-slices.ts';
import { namedEntity, parseInstance } from './parse/parse-instance.ts';
import { keyMemberOf, readKey } from './parse/parse-key.ts';
import type { Reading } from './read-back/read-many.ts';
import { readLocal, readSaved, resolveResponsePlan } from './read-back/read-saved.ts';
import { shownVersion } from './read-back/shown-version.ts';
import { type HttpAnswer, tellCreated, tellUpdated } from './respond/tell-saved.ts';
import type { StoredRow } from './rows/rows.ts';
import type { WriteDependencies } from './run/write-dependencies.ts';
import { saveInstances } from './save/save-instances.ts';
import type { WriteScope } from './scope/write-scope.ts';
import { keyOfPath } from './values/key-in-sql.ts';
import { keyText } from './values/value.ts';

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

/** Characters; fewer are read in a few milliseconds. */
const LARGE_BODY = 16 * 1024;

/**
 * `POST /entities/{entity}` with one object or an array (contract/writing.md#create), in the order of checks of
 * contract/writing.md#check-order: parse → resolve → authorize → secure → save → read back → tell.
 */
export async function createEntities(
  request: WriteRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { model } = deps.environment;
  const access = deps.accessOf(principal);
  const authorize = (): Entity => {
    const named = resolveEntity(model, request.entityName);
    assertAllowed(access, named, 'create');
    return named;
  };
  const isLarge = request.body.length > LARGE_BODY;
  // A large body is read only for callers who may send it.
  if (isLarge) authorize();
  const body = await parseCreateBody(request.body);
  const entity = authorize();
  const plan = resolveResponsePlan(request.responsePlan, entity, principal, deps);
  const isBatch = Array.isArray(body);
  const list = (isBatch ? body : [body]) as readonly ExactJson[];
  const context = {
    model,
    mode: isBatch ? 'other' : 'single-create',
    readsVersion: false,
    tokens: deps.read.tokens,
  } as const;
  const parsed = await parseInSlices(context, isLarge, (within) =>
    list.map((json, index) => {
      const input = parseInstance(within, entity, json, isBatch ? `entities[${index}]` : '');
      assertConcrete(input.entity, input.path);
      assertAllowed(access, input.entity, 'create');
      return input;
    }),
  );
  const inputs = await mapInSlices(parsed, (input) => dropDenied(model, input, access));
  assertDistinct(inputs.flatMap(({ key }) => (key === undefined ? [] : [keyText(key)])));
  const write = async (scope: WriteScope): Promise<Reading<HttpAnswer>> => {
    const items = inputs.map((input) => ({ input, stored: undefined }));
    const saved = await saveInstances(scope, callerRights(deps, scope, principal), 'create', items);
    return tell(readSaved(saved, plan, principal, scope, deps), (all) => tellCreated(isBatch, all, request.url));
  };
  return answerOnce(request.once, principal, deps, signal, write);
}

/** `PUT /entities/{entity}/{id}` (contract/writing.md#update): a partial update of one instance. */
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
  const plan = resolveResponsePlan(request.responsePlan, entity, principal, deps);
  const named = { key: keyOfPath(model, entity, request.id), text: request.id };
  // Read before the transaction; what is wrong with it is reported once the instance is found
  // (contract/writing.md#check-order).
  const [body] = await Promise.allSettled([parseUpdateBody(request.body)]);
  const write = async (scope: WriteScope): Promise<Reading<HttpAnswer>> => {
    const stored = await loadForChange(scope, entity, [named], principal, deps, 'update');
    const items: SaveItem[] = [];
    for (const row of stored) {
      await checkIfMatch(
        request.ifMatch,
        () => shownVersion(row, entity, model, deps.read.loadAccess(principal)),
        () => readLocal(row, principal, scope, deps),
      );
      if (body.status === 'rejected') throw body.reason;
      items.push(await updateItem(deps, access, row, body.value, '', request.body.length > LARGE_BODY));
    }
    const saved = await saveInstances(scope, callerRights(deps, scope, principal), 'update', items);
    return tell(readSaved(saved, plan, principal, scope, deps), (all) => tellUpdated(false, all));
  };
  return answerOnce(request.once, principal, deps, signal, write);
}

/** `PUT /entities/{entity}` with an array: all or nothing (contract/decisions.md#18). */
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
  const plan = resolveResponsePlan(request.responsePlan, entity, principal, deps);
  const list = await parseBatchUpdateBody(request.body);
  const isLarge = request.body.length > LARGE_BODY;
  const { keys, wrong } = keysUntilWrong(deps, entity, list);
  assertDistinct(keys.map(({ key }) => keyText(key)));
  const write = async (scope: WriteScope): Promise<Reading<HttpAnswer>> => {
    const found = await findForChange(scope, entity, keys, principal, deps, 'update');
    const items: SaveItem[] = [];
    for (const [at, row] of found.entries()) {
      await pauseAt(at);
      if (isPlatformError(row)) throw row;
      items.push(await updateItem(deps, access, row, list[at] ?? null, `entities[${at}]`, isLarge));
    }
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
async function updateItem(
  deps: WriteDependencies,
  access: Access,
  stored: StoredRow,
  json: ExactJson,
  path: string,
  isLarge: boolean,
): Promise<SaveItem> {
  const { model } = deps.environment;
  assertAllowed(access, stored.entity, 'update');
  const context = {
    model,
    mode: 'other',
    readsVersion: deps.optimisticLockingEnabled,
    tokens: deps.read.tokens,
  } as const;
  // The id of the URL wins over one in the body (contract/writing.md#update).
  const own = isExactObject(json) ? { ...json, _entityName: stored.entity.name } : json;
  const named = isExactObject(json) ? namedEntity(model, familyRoot(model, stored.entity), json, path) : stored.entity;
  if (isExactObject(json) && (json['_entityName'] ?? null) !== null)
    assertUnchangedEntity(model, named, stored.entity, path);
  const input = await parseInSlices(context, isLarge, (within) =>
    parseInstance(within, stored.entity, withoutKey(stored.entity, own), path, stored.key),
  );
  assertVersion(input, stored);
  return { input: { ...dropDenied(model, input, access), key: stored.key }, stored };
}

const familyRoot = (model: Model, entity: Entity): Entity => lineageOf(model, entity).at(-1) ?? entity;

function withoutKey(entity: Entity, json: ExactJson): ExactJson {
  if (!isExactObject(json)) return json;
  const { id: _id, [entity.key?.attribute ?? 'id']: _key, ...rest } = json;
  return rest;
}

/**
 * Elements are checked one after the other (contract/writing.md#check-order): the ids up to the first wrong one, and
 * its error.
 */
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

/** Two items of a batch with one id (contract/decisions.md#18). */
function assertDistinct(keys: readonly string[]): void {
  if (new Set(keys).size < keys.length) throw cannotDeserialize('Two items of the batch have the same id');
}
