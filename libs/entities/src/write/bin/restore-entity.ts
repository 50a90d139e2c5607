import type { Principal } from '@lintel/contracts';
import { parseEntityId } from '@lintel/query';
import { assertAllowed } from '../authorize/assert-allowed.ts';
import { loadDeleted } from '../authorize/load-for-change.ts';
import { checkRowMatches } from '../check-if-match.ts';
import type { SaveItem } from '../merge/build-graph.ts';
import { resolveResponsePlan } from '../read-back/read-saved.ts';
import { updatedResponse, type WriteResponse } from '../respond/write-response.ts';
import { authorizeUpdate } from '../update-items.ts';
import { beginCall, saveAndRespond, type WriteRequest } from '../write-call.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { assertMayUseBin, RELEASED_IN_BIN } from './assert-may-use-bin.ts';
import { restoredItem } from './restored-item.ts';

/**
 * `POST /entities/{entity}/{id}/restore` (contract/bin.md#restore): an update that takes a soft-deleted instance back,
 * with the children that were deleted with it.
 */
export async function restoreEntity(
  request: WriteRequest & { readonly id: string },
  principal: Principal,
  deps: WriteDependencies,
  signal: AbortSignal,
): Promise<WriteResponse> {
  const call = { ...beginCall(request, principal, deps, signal), released: RELEASED_IN_BIN };
  const { access, model } = call;
  const entity = authorizeUpdate(call);
  assertMayUseBin(model, entity, access, 'restore');
  const plan = resolveResponsePlan(request, entity, principal, deps);
  const named = { key: parseEntityId(model, entity, request.id), text: request.id };
  return saveAndRespond(
    call,
    plan,
    'update',
    async (scope) => {
      const items: SaveItem[] = [];
      for (const row of await loadDeleted(scope, entity, [named], principal, deps)) {
        assertAllowed(access, row.entity, 'update');
        await checkRowMatches(request.ifMatch, row, entity, scope, call);
        items.push(await restoredItem(scope, row, deps.read.limitsOf(principal).graphNodes));
      }
      return items;
    },
    (saved) => updatedResponse(false, saved, request.returns),
  );
}
