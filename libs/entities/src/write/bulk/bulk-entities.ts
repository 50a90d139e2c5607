import type { Principal } from '@lintel/contracts';
import { costExceeded, PlatformError } from '@lintel/errors';
import { type ExactJson, type ExactObject, formatEntityId, idOf, isExactObject, resolveEntity } from '@lintel/query';
import { pauseAt } from '../../slices/map-in-slices.ts';
import { assertAllowed } from '../authorize/assert-allowed.ts';
import { type DeleteRequest, removeLoaded } from '../delete-entities.ts';
import { withIdempotency } from '../idempotency/with-idempotency.ts';
import type { SaveItem } from '../merge/build-graph.ts';
import { parseUpdateBody } from '../parse/parse-body.ts';
import { parseInSlices } from '../parse/parse-in-slices.ts';
import { parseInstance } from '../parse/parse-instance.ts';
import { keyMemberOf } from '../parse/parse-key.ts';
import { resolveResponsePlan, type SavedInstance, type SavedRoot } from '../read-back/read-saved.ts';
import { NO_CONTENT, updatedResponse, type WriteResponse } from '../respond/write-response.ts';
import { saveInstances } from '../save/save-instances.ts';
import { authorizeUpdate, parseUpdate, updateContext } from '../update-items.ts';
import { beginCall, inTransaction, isLarge, rightsOf, type WriteCall, type WriteRequest } from '../write-call.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { type Affected, lockAffected, prepareAffected } from './affected-rows.ts';
import { prepareExpressions, splitExpressions } from './patch-expressions.ts';

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
  const patch = await parseUpdateBody(request.body);
  if (!isExactObject(patch))
    throw new PlatformError('REQ_CANNOT_DESERIALIZE', "With the parameter 'filter' the body must be a JSON object");
  if ('id' in patch || keyMemberOf(entity, patch) !== undefined)
    throw new PlatformError(
      'REQ_CANNOT_DESERIALIZE',
      "The body names an instance: 'id' and the key cannot be combined with a filter",
    );
  const caller = { principal, deps, signal };
  const read = await prepareAffected(entity, request, caller);
  const { plain: json, expressions } = splitExpressions(entity, patch);
  const readExpressions = await prepareExpressions(entity, expressions, caller);
  // Mistakes are reported also where no instance matches.
  const context = { ...updateContext(call), unknown: undefined };
  await parseInSlices(context, isLarge(call), (within) => parseInstance(within, entity, json, ''));
  return inTransaction(call, plan, async (scope) => {
    const rows = await lockAffected(scope, entity, read, request.maxAffected, 'update', caller);
    assertAffordable(call, json, rows.length);
    // The rows note what has no effect in the body: without them it is noted here.
    if (rows.length === 0) parseInstance(updateContext(call), entity, json, '');
    const computed: ExactObject[] = [];
    for (let from = 0; from < rows.length; from += BATCH)
      computed.push(...(await readExpressions(scope, rows.slice(from, from + BATCH))));
    const saved: SavedRoot[] = [];
    for (let from = 0; from < rows.length; from += BATCH) {
      const items: SaveItem[] = [];
      for (const [at, row] of rows.slice(from, from + BATCH).entries()) {
        await pauseAt(at);
        const id = formatEntityId(call.model, row.entity, idOf(call.model, row.entity, row.key));
        items.push(await parseUpdate(call, row, { ...json, ...computed[from + at] }, `entities[${id}]`));
      }
      saved.push(...(await saveInstances(scope, rightsOf(call, scope), 'update', items)));
    }
    const toResponse = (instances: readonly SavedInstance[]): WriteResponse =>
      withNumber(updatedResponse(true, instances, request.returns), rows.length);
    return { saved, toResponse };
  });
}

/** Characters of all patches together. */
const MAX_CHARACTERS = 100 * 1_048_576;

/**
 * Limits what one body costs for all instances.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
function assertAffordable({ request, deps, principal }: WriteCall, json: ExactJson, count: number): void {
  const { graphNodes, batchItems } = deps.read.limitsOf(principal);
  const children = countObjects(json) - 1;
  if (count * children > graphNodes)
    throw costExceeded(
      `The body has ${children} objects for each of ${count} instances, at most ${graphNodes} are allowed`,
      'svc.rest.limits.graph-nodes',
    );
  if (count * request.body.length > MAX_CHARACTERS)
    throw new PlatformError('REQ_COST_EXCEEDED', `The body for ${count} instances has more than 100 MiB`);
  if (count > batchItems && request.returns !== 'minimal')
    throw costExceeded(
      `The response would have ${count} instances, at most ${batchItems} are allowed: add return=minimal to Prefer`,
      'svc.rest.limits.batch-items',
    );
}

/** Bodies are nested 100 levels at most, so the recursion is bounded. */
const countObjects = (json: ExactJson): number =>
  typeof json !== 'object' || json === null
    ? 0
    : Object.values(json).reduce<number>((sum, each) => sum + countObjects(each), isExactObject(json) ? 1 : 0);

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
