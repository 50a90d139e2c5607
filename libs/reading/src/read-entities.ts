import type { Principal } from '@lintel/contracts';
import { type ErrorCode, isPlatformError, PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import {
  assertReadable,
  keyInSql,
  type ParsedQuery,
  pageOf,
  parseEntityId,
  parseRead,
  RANKED_MATCHES,
  type RawReadRequest,
  type RowPosition,
  resolveEntity,
  type SqlValue,
} from '@lintel/query';
import type { RequestLimits } from './limits/request-limits.ts';
import { countRequested } from './lists/count-list.ts';
import { executeList, type ListResult } from './lists/execute-list.ts';
import { cursorScope } from './paging/cursor-scope.ts';
import type { ReadPreferences } from './preferences.ts';
import { clientOptions } from './prepare/client-options.ts';
import { assertInOrder } from './prepare/order-of-checks.ts';
import { type Instance, type PreparedRead, prepareRead, readOne } from './prepare/prepared-read.ts';
import { type CallerAccess, type ReadDependencies, responseAccess } from './read-dependencies.ts';
import { assertResponse } from './statements/assert-response.ts';

/** A request as the edge received it. */
export interface ReceivedRead extends RawReadRequest {
  /** Whether the parameters were sent in the body. */
  readonly isFromBody: boolean;
  readonly preferences: ReadPreferences;
  /** Version of the model that the client uses, as sent. */
  readonly modelVersion?: unknown;
}

/**
 * The stages of a read, in their order. `receive-read.ts` of the service runs before them, `respond.ts` after them.
 *
 * A request with several mistakes gets the error that the contract puts first (`order-of-checks.ts`).
 */
export async function readEntities(
  request: ReceivedRead,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadResult> {
  const caller = loadCaller(principal, deps);
  let model = deps.currentModel();
  try {
    const entity = authorizeRead(request, caller, deps);
    const parsed = parseRequest(request, entity, caller, deps);
    if (parsed.query.dynamicAttributes) model = await deps.modelWithDynamicAttributes();
    const read = prepareRead(parsed.query, model, caller.access, deps, { after: parsed.after });
    return await execute(read, parsed, request.preferences, caller, deps, signal);
  } catch (error) {
    if (isPlatformError(error) && error.status < 500 && !FINAL.has(error.code))
      assertInOrder(request, model, caller.access, caller.limits, deps);
    throw error;
  }
}

/** The caller, its access, and the limits of its requests. */
interface Caller {
  readonly principal: Principal;
  readonly access: CallerAccess;
  readonly limits: RequestLimits;
}

const loadCaller = (principal: Principal, deps: ReadDependencies): Caller => ({
  principal,
  access: responseAccess(deps.loadAccess(principal), deps),
  limits: deps.limitsOf(principal),
});

/**
 * Finds the entity of the path. Nothing that grows with the request is parsed before the right to read is checked.
 *
 * @throws PlatformError for an unknown entity, or ACCESS_READ_DENIED
 */
function authorizeRead({ entityName }: ReceivedRead, { access }: Caller, deps: ReadDependencies): Entity {
  const entity = resolveEntity(deps.currentModel(), entityName);
  assertReadable(entity, access.read);
  return entity;
}

/** A parsed query, the key of the path, and the position that the cursor encodes. */
interface ParsedRequest {
  readonly entity: Entity;
  readonly query: ParsedQuery;
  readonly id: readonly SqlValue[];
  readonly after: RowPosition | undefined;
}

function parseRequest(
  request: ReceivedRead,
  entity: Entity,
  { principal, limits }: Caller,
  deps: ReadDependencies,
): ParsedRequest {
  const model = deps.currentModel();
  const id = request.id === undefined ? [] : keyInSql(model, entity, parseEntityId(model, entity, request.id));
  const query = parseRead(request, clientOptions(deps.limits), limits);
  request.noteUnknown?.(query.unknown);
  const after =
    query.cursor === undefined ? undefined : deps.cursors.decode(query.cursor, cursorScope(query, principal));
  return { entity, query, id, after };
}

/** Runs the statements and shapes their rows (`prepared-read.ts`, `execute-list.ts`). */
async function execute(
  read: PreparedRead,
  { entity, query, id }: ParsedRequest,
  preferences: ReadPreferences,
  { principal }: Caller,
  deps: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadResult> {
  switch (query.operation) {
    case 'instance':
      return instanceResult(await readOne(read, id, deps.database, signal));
    case 'count':
      return { kind: 'count', total: await countRequested(read, deps, signal) };
    case 'list': {
      const page = pageOf(query, deps.limits.maxFetchSize(entity.name));
      assertResponse(read, page, deps);
      const encodeEnd = (end: RowPosition): string => deps.cursors.encode(end, cursorScope(query, principal));
      const list = await executeList(read, page, preferences.count, encodeEnd, deps, signal);
      if (!read.compiled.hasCandidates) return list;
      return { ...list, candidates: Math.max(RANKED_MATCHES, page.offset + page.limit) };
    }
    default:
      return query.operation satisfies never;
  }
}

/** Errors after which the checks are not repeated: the request costs too much, or no slot was free. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'REQ_COST_EXCEEDED',
  'REQ_TOO_MANY_REQUESTS',
  'DATA_RESULT_TOO_LARGE',
  'DATA_INSTANCE_NOT_FOUND',
]);

/** The result of one read, before it is written as a response. */
export type ReadResult =
  | ({ readonly kind: 'instance' } & Instance)
  | { readonly kind: 'count'; readonly total: number }
  | ListResult;

/** A missing instance and a hidden one give the same response, with an empty body (contract/decisions.md#1). */
function instanceResult(instance: Instance | undefined): ReadResult {
  if (instance === undefined) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
  return { kind: 'instance', ...instance };
}
