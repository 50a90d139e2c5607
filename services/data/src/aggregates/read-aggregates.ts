import type { Principal } from '@lintel/contracts';
import {
  assertReadable,
  type ExactObject,
  type NoteUnknown,
  type ParsedQuery,
  pageOf,
  parseAggregates,
  resolveEntity,
} from '@lintel/query';
import {
  assertResponse,
  bindRead,
  clientOptions,
  cursorScope,
  executeList,
  prepareRead,
  type ReadDependencies,
  type ReadPreferences,
  type ReadResult,
  responseAccess,
} from '@lintel/reading';

/** Groups and aggregates of an entity, as they were received. */
export interface AskedAggregates {
  readonly entityName: string;
  readonly members: ExactObject;
  /** Refuses or reports members of the filter that have no meaning. */
  readonly noteUnknown: NoteUnknown;
}

/** A received request for aggregates. */
export interface ReceivedAggregates extends AskedAggregates {
  readonly preferences: ReadPreferences;
}

/**
 * Groups and aggregates instances, by the pipeline of every read (contract/aggregates.md#request).
 *
 * @throws PlatformError 404 for an unknown entity, 403, 400 with the member
 */
export async function readAggregates(
  { preferences, ...asked }: ReceivedAggregates,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadResult> {
  const { parsed, prepared, page, scope } = prepareAggregates(asked, principal, deps);
  const counted = parsed.returnCount ? 'exact' : preferences.count;
  return executeList(prepared, page, counted, (end) => deps.cursors.encode(end, scope), deps, signal);
}

/**
 * Does all of it but read: what the caller may not ask, or what no request may, is refused.
 *
 * @returns the parsed request
 * @throws PlatformError as {@link readAggregates}
 */
export function checkAggregates(asked: AskedAggregates, principal: Principal, deps: ReadDependencies): ParsedQuery {
  const { parsed, prepared, page } = prepareAggregates(asked, principal, deps);
  bindRead(prepared, prepared.compiled.rows, { page });
  return parsed;
}

function prepareAggregates(
  { entityName, members, noteUnknown }: AskedAggregates,
  principal: Principal,
  deps: ReadDependencies,
) {
  const model = deps.currentModel();
  const access = responseAccess(deps.loadAccess(principal), deps);
  const entity = resolveEntity(model, entityName);
  assertReadable(entity, access.read);
  const parsed = parseAggregates(
    { entityName: entity.name, members, noteUnknown },
    clientOptions(deps.limits),
    deps.limitsOf(principal),
  );
  noteUnknown(parsed.unknown);
  const scope = cursorScope(parsed, principal);
  const after = parsed.cursor === undefined ? undefined : deps.cursors.decode(parsed.cursor, scope);
  const prepared = prepareRead(parsed, model, access, deps, { after });
  const page = pageOf(parsed, deps.limits.maxFetchSize(entity.name));
  assertResponse(prepared, page, deps);
  return { parsed, prepared, page, scope };
}
