import type { ServerResponse } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { pathParameter, queryOf, type RoutedRequest, singleValue } from '@lintel/http';
import type { ExactJson, ExactObject, ReadOperation } from '@lintel/query';
import type { ReceivedRead } from '@lintel/reading';
import { type QueryBodyLimits, receiveMembers } from '../receiving/receive-members.ts';
import { parsePreferences } from './parse-preferences.ts';

/** The kind of read of a route. */
export interface ReadRoute {
  readonly operation: ReadOperation;
  /** A search or its count: a `filter` is required. */
  readonly isSearch: boolean;
}

/** The request with its parameters from the URL. */
export const receiveUrl = (request: RoutedRequest, route: ReadRoute): ReceivedRead => ({
  ...receivePath(request, route),
  modelVersion: queryOf(request)['modelVersion'],
  isFromBody: false,
  members: withPlanOfView(queryMembers(request, knownParameters(route))),
});

/**
 * The request with its parameters from the body. Those of the URL are ignored (contract/reading.md#routes), except
 * the cursor, so that the same body can be sent to the address of the next page.
 *
 * @param onMembers called with the members of the body
 * @throws PlatformError REQ_COST_EXCEEDED or REQ_MALFORMED_JSON; REQ_INVALID_FILTER without a filter, before anything
 *   else
 */
export async function receiveSearch(
  request: RoutedRequest,
  response: ServerResponse,
  route: ReadRoute,
  maxBodyBytes: number,
  limits: QueryBodyLimits,
  onMembers: (members: ExactObject) => void,
): Promise<ReceivedRead> {
  const members = await receiveMembers(request, response, maxBodyBytes, limits);
  onMembers(members);
  if (members['filter'] === undefined) throw new PlatformError('REQ_INVALID_FILTER', 'Entities filter cannot be null');
  if (typeof members['filter'] === 'string')
    throw new PlatformError('REQ_INVALID_FILTER', 'Entities filter must be a JSON object');
  // A count has no fetch plan, no page and no order; its filter may name dynamic attributes.
  const used =
    route.operation === 'count'
      ? withMembers(members, knownParameters(route))
      : withPlanOfView({ ...withMembers(members, SEARCH_MEMBERS), ...cursorOfUrl(request, members) });
  const { modelVersion } = members;
  return { ...receivePath(request, route), modelVersion, isFromBody: true, members: used };
}

/** The cursor of the link of a page, to whose address the body is sent again. */
export function cursorOfUrl(request: RoutedRequest, body: ExactObject): ExactObject {
  const { cursor } = queryMembers(request, ['cursor']);
  if (cursor !== undefined && body['cursor'] !== undefined)
    throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'cursor' must be given once, in the URL or the body");
  return cursor === undefined ? {} : { cursor };
}

const receivePath = (
  request: RoutedRequest,
  { operation, isSearch }: ReadRoute,
): Omit<ReceivedRead, 'members' | 'isFromBody'> => ({
  operation,
  preferences: parsePreferences(request.headers['prefer']),
  entityName: pathParameter(request, 'entityName'),
  filterRequired: isSearch,
  ...(operation === 'instance' ? { id: pathParameter(request, 'entityId') } : {}),
});

/** Older clients send `view` instead of `fetchPlan`, which has priority (contract/decisions.md#34, #75). */
export function withPlanOfView(members: ExactObject): ExactObject {
  if (members['view'] === undefined) return members;
  const { view, ...others } = members;
  return others['fetchPlan'] === undefined ? { ...others, fetchPlan: view } : others;
}

const PLAN = ['fetchPlan', 'view', 'returnNulls', 'dynamicAttributes', 'deleted'];
const PAGING = ['limit', 'offset', 'cursor', 'sort', 'returnCount', 'q', 'highlights'];

/** Reads the named members alone: an object may have tens of thousands of others, which are slow to copy. */
export const withMembers = (members: ExactObject, names: Iterable<string>): ExactObject =>
  Object.fromEntries(
    [...names].flatMap((name): [string, ExactJson][] => {
      const value = Object.hasOwn(members, name) ? members[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The members of the body of a search. */
export const SEARCH_MEMBERS: ReadonlySet<string> = new Set([...PLAN, ...PAGING, 'filter', 'modelVersion']);

/** The parameters that a route has (contract/reading.md#routes); others are ignored. */
function knownParameters({ operation, isSearch }: ReadRoute): readonly string[] {
  if (operation === 'count') return ['filter', 'q', 'dynamicAttributes', 'deleted'];
  return [...PLAN, ...(operation === 'list' ? PAGING : []), ...(isSearch ? ['filter'] : [])];
}

/** @throws PlatformError REQ_INVALID_PARAMETER for a parameter that is given twice */
export function queryMembers(request: RoutedRequest, names: readonly string[]): ExactObject {
  const members: Record<string, string> = {};
  const query = queryOf(request);
  for (const name of names) {
    const value = singleValue(query, name);
    if (value !== undefined) members[name] = value;
  }
  return members;
}
