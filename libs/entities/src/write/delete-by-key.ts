import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { resolveEntity } from '@lintel/query';
import { assertAllowed } from './authorize/assert-allowed.ts';
import { DELETED, removeLoaded } from './delete-entities.ts';
import { withIdempotency } from './idempotency/with-idempotency.ts';
import type { WriteResponse } from './respond/write-response.ts';
import { findStored, keyedElements } from './upsert/upsert-items.ts';
import { matchKeyOf, receiveUpsert, type UpsertRequest } from './upsert-entities.ts';
import { beginCall } from './write-call.ts';
import type { WriteDependencies } from './write-dependencies.ts';

/**
 * Deletes the instances that an upsert of the same elements would find, by their keys alone (contract/imports.md#modes).
 *
 * @throws PlatformError DATA_INSTANCE_NOT_FOUND if one is not there: nothing is deleted then
 */
export async function deleteByKey(
  request: UpsertRequest,
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = beginCall(request, principal, deps, signal);
  const entity = resolveEntity(call.model, request.entityName);
  assertAllowed(call.access, entity, 'delete');
  const match = matchKeyOf(call, entity);
  const body = await receiveUpsert(call, entity);
  return withIdempotency(request, principal, deps, signal, async (scope) => {
    const elements = await keyedElements(call, scope, body, match);
    const { rows } = await findStored(call, scope, entity, { match, elements, lock: 'delete' });
    const found = rows.filter((row) => row !== undefined);
    if (found.length < elements.length) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', 'There is no such instance');
    await removeLoaded(request, scope, found, principal, deps);
    return DELETED;
  });
}
