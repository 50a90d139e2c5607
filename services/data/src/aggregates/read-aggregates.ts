import type { Principal } from '@lintel/contracts';
import {
  assertReadable,
  type ExactObject,
  type NoteUnknown,
  pageOf,
  parseAggregates,
  resolveEntity,
} from '@lintel/query';
import {
  assertResponse,
  clientOptions,
  cursorScope,
  executeList,
  prepareRead,
  type ReadDependencies,
  type ReadPreferences,
  type ReadResult,
  responseAccess,
} from '@lintel/reading';

/** A received request for aggregates. */
export interface ReceivedAggregates {
  readonly entityName: string;
  readonly members: ExactObject;
  readonly preferences: ReadPreferences;
  /** Refuses or reports members of the filter that have no meaning. */
  readonly noteUnknown: NoteUnknown;
}

/**
 * Groups and aggregates instances, by the pipeline of every read (contract/aggregates.md#request).
 *
 * @throws PlatformError 404 for an unknown entity, 403, 400 with the member
 */
export async function readAggregates(
  { entityName, members, preferences, noteUnknown }: ReceivedAggregates,
  principal: Principal,
  deps: ReadDependencies,
  signal: AbortSignal,
): Promise<ReadResult> {
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
  const counted = parsed.returnCount ? 'exact' : preferences.count;
  return executeList(prepared, page, counted, (end) => deps.cursors.encode(end, scope), deps, signal);
}
