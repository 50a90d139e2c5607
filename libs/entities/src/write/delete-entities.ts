import type { Principal } from '@lintel/contracts';
import { PlatformError, shortened } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import { type ExactJson, hasCompositeKey, isExactObject, parseEntityId, resolveEntity } from '@lintel/query';
import { assertAllowed } from './authorize/assert-allowed.ts';
import { assertRows } from './authorize/assert-rows.ts';
import { callerRights } from './authorize/caller-rights.ts';
import { loadDeleted, loadForChange, type NamedKey } from './authorize/load-for-change.ts';
import { assertMayUseBin } from './bin/assert-may-use-bin.ts';
import { checkRowMatches } from './check-if-match.ts';
import type { IdempotentCall } from './idempotency/idempotent-call.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import { assertDistinct } from './parse/assert-distinct.ts';
import { parseBatchDeleteBody } from './parse/parse-body.ts';
import { keyMemberOf, readKey } from './parse/parse-key.ts';
import type { Reading } from './read-back/read-many.ts';
import { NO_CONTENT, type WriteResponse } from './respond/write-response.ts';
import type { StoredRow } from './rows/rows.ts';
import { deleteRows, toDeletions } from './save/delete-rows.ts';
import type { WriteScope } from './scope/write-scope.ts';
import type { WriteRequest } from './write-call.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/** A deletion as the service received it. */
export interface DeleteRequest extends Pick<WriteRequest, 'unknownMembers'> {
  readonly entityName: string;
  /** Soft-deleted instances are removed for good. */
  readonly isPurge?: boolean;
  /** Everything is rolled back at the end, and the response names what would have changed. */
  readonly isRehearsal?: boolean;
  /** Present if the client sent an idempotency key. */
  readonly idempotentCall: IdempotentCall | undefined;
}

/** `DELETE /entities/{entity}/{id}` (contract/writing.md#delete). */
export async function deleteEntity(
  request: DeleteRequest & { readonly id: string; readonly ifMatch: string | undefined },
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const { model } = deps.environment;
  const entity = resolveEntity(model, request.entityName);
  const access = deps.accessOf(principal);
  assertAllowed(access, entity, 'delete');
  if (request.isPurge === true) assertMayUseBin(model, entity, access, 'purge');
  const named = { key: parseEntityId(model, entity, request.id), text: request.id };
  return withIdempotency(request, principal, deps, signal, async (scope) => {
    const rows = await loadRequested(request, scope, entity, [named], principal, deps);
    for (const row of rows) {
      assertAllowed(access, row.entity, 'delete');
      await checkRowMatches(request.ifMatch, row, entity, scope, { principal, deps });
    }
    await removeLoaded(request, scope, rows, principal, deps);
    return DELETED;
  });
}

/**
 * `DELETE /entities/{entity}` with an array of ids or of objects with `id`: all or nothing (contract/decisions.md#18).
 */
export async function deleteEntities(
  request: DeleteRequest & { readonly body: string },
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const { model } = deps.environment;
  const entity = resolveEntity(model, request.entityName);
  const access = deps.accessOf(principal);
  assertAllowed(access, entity, 'delete');
  if (request.isPurge === true) assertMayUseBin(model, entity, access, 'purge');
  const keys = (await parseBatchDeleteBody(request.body)).map((json) => keyOfElement(deps, entity, json));
  assertDistinct(keys.map(({ key }) => key));
  return withIdempotency(request, principal, deps, signal, async (scope) => {
    const rows = await loadRequested(request, scope, entity, keys, principal, deps);
    await removeLoaded(request, scope, rows, principal, deps);
    return DELETED;
  });
}

export const DELETED: Reading<WriteResponse> = { isPlain: true, result: Promise.resolve(NO_CONTENT) };

/** Deletes rows that were found for the caller, who needs the right to delete each of them. */
export async function removeLoaded(
  { isPurge = false }: DeleteRequest,
  scope: WriteScope,
  rows: readonly StoredRow[],
  principal: Principal,
  deps: WriteDependencies,
): Promise<void> {
  const access = deps.accessOf(principal);
  for (const row of rows) assertAllowed(access, row.entity, 'delete');
  const rights = callerRights(deps, scope, principal, isPurge ? 'with' : undefined);
  await assertRows(rights, 'stored', rows, toDeletions);
  const maxRows = isPurge ? deps.read.limitsOf(principal).graphNodes : undefined;
  await deleteRows(scope, rows, { ...rights, isPurge, maxRows });
}

const loadRequested = (
  { isPurge }: DeleteRequest,
  ...given: Parameters<typeof loadDeleted>
): Promise<readonly StoredRow[]> => (isPurge === true ? loadDeleted(...given) : loadForChange(...given, 'delete'));

/**
 * An id, or an object that names it, as `id` or by the name of the attribute (contract/decisions.md#18). A composite key
 * is itself an object, so an object without a name may be the key; a text of it has the form of a path.
 */
function keyOfElement({ environment: { model } }: WriteDependencies, entity: Entity, json: ExactJson): NamedKey {
  const named = isExactObject(json) ? keyMemberOf(entity, json) : json;
  const sent = named ?? json;
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  if (typeof sent === 'string' && hasCompositeKey(entity)) return { key: parseEntityId(model, entity, sent), text };
  const key = sent === null ? undefined : readKey(model, entity, sent);
  if (key !== undefined) return { key, text };
  if (named === undefined || named === null)
    throw new PlatformError('REQ_ID_REQUIRED', 'Required attribute id is not presented');
  throw new PlatformError('REQ_INVALID_ENTITY_ID', `Cannot convert ${shortened(text)} into valid entity ID`);
}
