import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { formatEntityId, idOf, isExactObject, resolveEntity } from '@lintel/query';
import { pauseAt } from '../../slices/map-in-slices.ts';
import { assertAllowed } from '../authorize/assert-allowed.ts';
import { type DeleteRequest, removeLoaded } from '../delete-entities.ts';
import { withIdempotency } from '../idempotency/with-idempotency.ts';
import type { SaveItem } from '../merge/build-graph.ts';
import { parseUpdateBody } from '../parse/parse-body.ts';
import { parseInSlices } from '../parse/parse-in-slices.ts';
import { parseInstance } from '../parse/parse-instance.ts';
import { resolveResponsePlan, type SavedInstance, type SavedRoot } from '../read-back/read-saved.ts';
import { NO_CONTENT, updatedResponse, type WriteResponse } from '../respond/write-response.ts';
import { saveInstances } from '../save/save-instances.ts';
import { authorizeUpdate, parseUpdate, updateContext } from '../update-items.ts';
import { beginCall, inTransaction, isLarge, rightsOf, type WriteRequest } from '../write-call.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { type Affected, lockAffected, prepareAffected } from './affected-rows.ts';

/** Instances that are saved together: their graphs are in memory at once. */
const BATCH = 500;

/**
 * `PATCH /entities/{entity}?filter=` (contract/writing.md#bulk): one merge patch for all instances that match, in one
 * transaction.
 */
export async function patchAffected(
  request: WriteRequest & Affected,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(request, principal, deps, signal);
  const entity = authorizeUpdate(call);
  const plan = resolveResponsePlan(request, entity, principal, deps);
  const json = await parseUpdateBody(request.body);
  if (!isExactObject(json))
    throw new PlatformError('REQ_CANNOT_DESERIALIZE', "With the parameter 'filter' the body must be a JSON object");
  if ('id' in json) throw new PlatformError('REQ_CANNOT_DESERIALIZE', "'id' names no instance of a filter");
  const caller = { principal, deps, signal };
  const read = await prepareAffected(entity, request, caller);
  // Mistakes are reported also where no instance matches.
  const context = { ...updateContext(call), unknown: undefined };
  await parseInSlices(context, isLarge(call), (within) => parseInstance(within, entity, json, ''));
  return inTransaction(call, plan, async (scope) => {
    const rows = await lockAffected(scope, entity, read, request.maxAffected, 'update', caller);
    const saved: SavedRoot[] = [];
    for (let from = 0; from < rows.length; from += BATCH) {
      const items: SaveItem[] = [];
      for (const [at, row] of rows.slice(from, from + BATCH).entries()) {
        await pauseAt(at);
        const id = formatEntityId(call.model, row.entity, idOf(call.model, row.entity, row.key));
        items.push(await parseUpdate(call, row, json, `entities[${id}]`));
      }
      saved.push(...(await saveInstances(scope, rightsOf(call, scope), 'update', items)));
    }
    const toResponse = (instances: readonly SavedInstance[]): WriteResponse =>
      withNumber(updatedResponse(true, instances, request.returns), rows.length);
    return { saved, toResponse };
  });
}

/** `DELETE /entities/{entity}?filter=` (contract/writing.md#bulk): all instances that match, or none. */
export async function deleteAffected(
  request: DeleteRequest & Affected,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const entity = resolveEntity(deps.environment.model, request.entityName);
  assertAllowed(deps.accessOf(principal), entity, 'delete');
  const caller = { principal, deps, signal };
  const read = await prepareAffected(entity, request, caller);
  return withIdempotency(request, principal, deps, signal, async (scope) => {
    const rows = await lockAffected(scope, entity, read, request.maxAffected, 'delete', caller);
    await removeLoaded(request, scope, rows, principal, deps);
    return { isPlain: true, result: Promise.resolve(withNumber(NO_CONTENT, rows.length)) };
  });
}

const withNumber = (response: WriteResponse, affected: number): WriteResponse => ({
  ...response,
  headers: { ...response.headers, 'X-Total-Count': String(affected) },
});
