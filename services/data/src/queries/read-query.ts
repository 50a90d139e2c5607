import { IMPLICIT_QUERY, type PredefinedQueries, type PredefinedQuery } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  assertReadable,
  type ExactObject,
  type NoteUnknown,
  type ParsedQuery,
  pageOf,
  parseQueryRead,
  parseRead,
  type QueryLimits,
  resolveEntity,
} from '@lintel/query';
import {
  assertResponse,
  countRequested,
  executeList,
  prepareRead,
  type ReadDatabase,
  type ReadDependencies,
  type ReadPreferences,
  type ReadResult,
  responseAccess,
} from '@lintel/reading';

/**
 * The query with the name; undefined for the one that every entity has without a definition, in upper or lower case
 * (contract/queries.md#endpoints).
 *
 * @throws PlatformError MODEL_QUERY_NOT_FOUND
 */
function findQuery(queries: PredefinedQueries, entity: string, name: string): PredefinedQuery | undefined {
  if (name.toLowerCase() === IMPLICIT_QUERY) return undefined;
  const found = queries.get(entity)?.get(name);
  if (found === undefined)
    throw new PlatformError('MODEL_QUERY_NOT_FOUND', `Query with name ${name} for entity ${entity} not found`);
  return found;
}

/** A received call of a predefined query. */
export interface ReceivedQuery {
  readonly operation: 'list' | 'count';
  readonly entityName: string;
  readonly queryName: string;
  /** The parameters `limit`, `offset`, `fetchPlan`, … of the URL. */
  readonly controls: ExactObject;
  /** The parameters of the query itself: those of the URL by name, or the members of the body. */
  readonly given: (names: readonly string[]) => ExactObject;
  readonly preferences: ReadPreferences;
  /** Refuses or reports other names than those that the query declares; the caller may read its entity. */
  readonly checkNames: (declared: readonly string[]) => void;
  /** Refuses or reports members of the fetch plan that have no meaning. */
  readonly noteUnknown: NoteUnknown;
  /** Refuses or reports parts of the query's own parameters that have no effect. */
  readonly noteIgnored: NoteUnknown;
}

export interface QueryDependencies extends ReadDependencies {
  readonly queries: PredefinedQueries;
  /** Caches `cacheable` queries. It never reads from a replica, since its entries are shared by all callers. */
  readonly cached: ReadDatabase;
}

/** Without a plan, the instances have only their names. */
const IMPLICIT_PLAN = '_instance_name';

/**
 * Runs a predefined query: authorize → parse → resolve → secure → plan → compile → execute → shape, the pipeline of every
 * read (contract/queries.md#queries).
 *
 * @throws PlatformError 404 for an unknown entity or query, 403, 400 with the parameter
 */
export async function readQuery(
  request: ReceivedQuery,
  principal: Principal,
  deps: QueryDependencies,
  signal: AbortSignal,
): Promise<ReadResult> {
  const model = deps.currentModel();
  const access = responseAccess(deps.loadAccess(principal), deps);
  const entity = resolveEntity(model, request.entityName);
  // Callers without the right to read the entity must not learn which queries exist (contract/decisions.md#69).
  assertReadable(entity, access.read);
  const query = findQuery(deps.queries, entity.name, request.queryName);
  request.checkNames(query?.declared.map(({ name }) => name) ?? []);
  const maxRows = deps.limits.maxFetchSize(entity.name);
  const limits = deps.limitsOf(principal);
  const parsed =
    query === undefined ? parseImplicit(request, limits, deps) : parseDefined(request, query, maxRows, limits, deps);
  // A plan of the definition is not one of the client.
  if (request.controls['fetchPlan'] !== undefined) request.noteUnknown(parsed.unknown);
  request.noteIgnored(parsed.select?.ignored ?? []);
  const readModel = parsed.dynamicAttributes ? await deps.modelWithDynamicAttributes() : model;
  const prepared = prepareRead(parsed, readModel, access, deps);
  const used = query?.cacheable === true && deps.exportAs === undefined ? keeping(deps) : deps;
  if (parsed.operation === 'count') return { kind: 'count', total: await countRequested(prepared, used, signal) };
  const page = pageOf(parsed, maxRows);
  assertResponse(prepared, page, deps);
  return executeList(prepared, page, request.preferences.count, undefined, used, signal);
}

/** Pages up to this number of rows are read at once, so that they can be cached; longer ones are streamed. */
const MAX_CACHED_ROWS = 10_000;

const keeping = (deps: QueryDependencies): QueryDependencies & { readonly maxBufferedRows: number } => ({
  ...deps,
  database: deps.cached,
  maxBufferedRows: MAX_CACHED_ROWS,
});

/** All rows, by their names. */
function parseImplicit(
  { operation, entityName, controls }: ReceivedQuery,
  limits: QueryLimits,
  deps: QueryDependencies,
): ParsedQuery {
  const members = operation === 'count' ? {} : { fetchPlan: IMPLICIT_PLAN, ...controls };
  return parseRead({ operation, entityName, members }, deps.limits, limits);
}

function parseDefined(
  { operation, controls, given }: ReceivedQuery,
  query: PredefinedQuery,
  maxRows: number,
  limits: QueryLimits,
  deps: QueryDependencies,
): ParsedQuery {
  if (query.returns === 'values' && controls['fetchPlan'] !== undefined && controls['fetchPlan'] !== '')
    throw new PlatformError('REQ_INVALID_FETCH_PLAN', `The query ${query.name} selects values: it has no fetch plan`);
  const { entity, key, select, declared, fetchPlan, limit, offset } = query;
  // A limit of the definition above the maximum is refused even if the request has a lower one (contract/queries.md#paging).
  if (operation === 'list') pageOf({ limit, offset }, maxRows);
  const names = declared.map(({ name }) => name);
  return parseQueryRead(
    { entity, key, query: select, parameters: declared, fetchPlan, limit, offset },
    operation,
    controls,
    given(names),
    deps.limits,
    limits,
  );
}
