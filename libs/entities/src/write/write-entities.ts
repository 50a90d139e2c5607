import type { Principal } from '@lintel/contracts';
import { parseEntityId } from '@lintel/query';
import { elementsOf, parseCreates, receiveCreate } from './create-items.ts';
import { splitJsonPatch } from './json-patch/split-json-patch.ts';
import { assertDistinct } from './parse/assert-distinct.ts';
import { parseBatchUpdateBody, parseUpdateBody } from './parse/parse-body.ts';
import { resolveResponsePlan } from './read-back/read-saved.ts';
import { createdResponse, updatedResponse, type WriteResponse } from './respond/write-response.ts';
import {
  authorizeUpdate,
  keysUntilWrong,
  loadPatched,
  loadUpdate,
  loadUpdates,
  parseOperations,
} from './update-items.ts';
import { beginCall, saveAndRespond, type WriteRequest } from './write-call.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/**
 * `POST /entities/{entity}` with one object or an array (contract/writing.md#create), in the order of checks of
 * contract/writing.md#check-order. The stages of the save itself are in `save/save-instances.ts`.
 */
export async function createEntities(
  request: WriteRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(request, principal, deps, signal);
  const body = await receiveCreate(call);
  const plan = resolveResponsePlan(request, body.entity, principal, deps);
  const mode = body.isBatch ? 'other' : 'single-create';
  const items = await parseCreates(call, body.entity, elementsOf(body), mode);
  return saveAndRespond(
    call,
    plan,
    'create',
    async () => items,
    (saved) => createdResponse(body.isBatch, saved, request.url, request.returns),
  );
}

/** `PUT /entities/{entity}/{id}` (contract/writing.md#update): a partial update of one instance. */
export async function updateEntity(
  request: WriteRequest & { readonly id: string },
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(request, principal, deps, signal);
  const entity = authorizeUpdate(call);
  const plan = resolveResponsePlan(request, entity, principal, deps);
  const named = { key: parseEntityId(call.model, entity, request.id), text: request.id };
  const [body] = await Promise.allSettled([parseUpdateBody(request.body)]);
  return saveAndRespond(
    call,
    plan,
    'update',
    (scope) => loadUpdate(call, scope, entity, named, body),
    (saved) => updatedResponse(false, saved, request.returns),
  );
}

/** `PUT /entities/{entity}` with an array: all or nothing (contract/decisions.md#18). */
export async function updateEntities(
  request: WriteRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(request, principal, deps, signal);
  const entity = authorizeUpdate(call);
  const plan = resolveResponsePlan(request, entity, principal, deps);
  const list = await parseBatchUpdateBody(request.body);
  const keys = keysUntilWrong(call, entity, list);
  assertDistinct(keys.keys.map(({ key }) => key));
  return saveAndRespond(
    call,
    plan,
    'update',
    (scope) => loadUpdates(call, scope, entity, list, keys),
    (saved) => updatedResponse(true, saved, request.returns),
  );
}

/** `PATCH /entities/{entity}` with a JSON Patch, whose paths begin with ids (contract/writing.md#json-patch-of-several). */
export async function patchEntities(
  request: WriteRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(request, principal, deps, signal);
  const entity = authorizeUpdate(call);
  const plan = resolveResponsePlan(request, entity, principal, deps);
  const patches = splitJsonPatch(call.model, entity, parseOperations(call, await parseUpdateBody(request.body)));
  return saveAndRespond(
    call,
    plan,
    'update',
    (scope) => loadPatched(call, scope, entity, patches),
    (saved) => updatedResponse(true, saved, request.returns),
  );
}
