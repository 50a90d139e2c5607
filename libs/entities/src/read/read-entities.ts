import type { Principal } from '@lintel/contracts';
import { type ErrorCode, isPlatformError, PlatformError } from '@lintel/errors';
import {
  assertReadable,
  pageOf,
  parseEntityId,
  parseRead,
  type RawReadRequest,
  type RowPosition,
  resolveEntity,
} from '@lintel/query';
import { cursorScope } from '../paging/cursor-scope.ts';
import { answerList, type ListAnswer } from './answer-list.ts';
import { assertResponse } from './assert-response.ts';
import { countRequested } from './count-list.ts';
import { assertInOrder } from './order-of-checks.ts';
import type { ReadPreferences } from './preferences.ts';
import { answeringAccess, type ReadDependencies } from './read-dependencies.ts';
import { enterLine, type Instance, readOne } from './read-line.ts';

/** A request as the edge received it. */
export interface ReceivedRead extends RawReadRequest {
  /** Its parameters came in the body. */
  readonly isFromBody: boolean;
  readonly preferences: ReadPreferences;
  /** Version of the model that the client speaks, as it names it. */
  readonly modelVersion?: unknown;
}

/**
 * The read line: receive (`receive-read.ts`) → parse → resolve → secure → plan → compile
 * (`compile-query.ts`, once for each shape) → execute → shape (`read-line.ts`) → respond (`respond.ts`).
 *
 * A request with several mistakes is told the one that the contract puts first (`order-of-checks.ts`).
 */
export async function readEntities(
  request: ReceivedRead,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const model = deps.currentModel();
  const access = answeringAccess(deps.loadAccess(principal), deps);
  const limits = deps.limitsOf(principal);
  try {
    const entity = resolveEntity(model, request.entityName);
    assertReadable(entity, access.read);
    const id = request.id === undefined ? [] : parseEntityId(model, entity, request.id);
    const parsed = parseRead(request, deps.limits, limits);
    const after =
      parsed.cursor === undefined ? undefined : deps.cursors.open(parsed.cursor, cursorScope(parsed, principal));
    const shown = parsed.dynamicAttributes ? await deps.modelWithDynamicAttributes() : model;
    const line = enterLine(parsed, shown, access, deps, false, after);
    switch (parsed.operation) {
      case 'instance':
        return instanceAnswer(await readOne(line, id, deps.database, signal));
      case 'count':
        return { kind: 'count', total: await countRequested(line, deps, signal) };
      case 'list': {
        const page = pageOf(parsed, deps.limits.maxFetchSize(entity.name));
        assertResponse(line, page);
        const seal = (end: RowPosition): string => deps.cursors.seal(end, cursorScope(parsed, principal));
        return await answerList(line, page, request.preferences.count, seal, deps, signal);
      }
      default:
        return parsed.operation satisfies never;
    }
  } catch (error) {
    if (isPlatformError(error) && error.status < 500 && !FINAL.has(error.code))
      assertInOrder(request, model, access, limits, deps);
    throw error;
  }
}

/** What costs too much, or found no free slot, is not examined again. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'REQ_COST_EXCEEDED',
  'REQ_TOO_MANY_REQUESTS',
  'DATA_RESULT_TOO_LARGE',
  'DATA_INSTANCE_NOT_FOUND',
]);

export type ReadAnswer =
  | ({ readonly kind: 'instance' } & Instance)
  | { readonly kind: 'count'; readonly total: number }
  | ListAnswer;

/** A missing instance and a hidden one are the same; the body is empty (contract/decisions.md#1). */
function instanceAnswer(instance: Instance | undefined): ReadAnswer {
  if (instance === undefined) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
  return { kind: 'instance', ...instance };
}
