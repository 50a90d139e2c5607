import type { Request } from 'express';
import { parsePreferences } from '../entities/parse-preferences.ts';
import {
  parameter,
  type QueryBodyLimits,
  queryMembers,
  receiveMembers,
  withPlanOfView,
} from '../entities/receive-read.ts';
import type { ReceivedQuery } from './read-query.ts';

/** Parameters of the URL that every query has, GET or POST (contract/queries.md#endpoints, contract/decisions.md#75). */
const CONTROLS = ['limit', 'offset', 'fetchPlan', 'view', 'returnNulls', 'returnCount', 'dynamicAttributes'];

type Operation = ReceivedQuery['operation'];

/** A query with its parameters from the URL. */
export const receiveQueryUrl = (request: Request, operation: Operation): ReceivedQuery => ({
  ...receivePath(request, operation),
  given: (names) => queryMembers(request, names),
});

/**
 * A query with its parameters from the body; the members that control the response are in the URL.
 *
 * @throws PlatformError REQ_COST_EXCEEDED, REQ_MALFORMED_JSON
 */
export async function receiveQueryBody(
  request: Request,
  operation: Operation,
  maxBodyBytes: number,
  limits: QueryBodyLimits,
): Promise<ReceivedQuery> {
  const members = await receiveMembers(request, maxBodyBytes, limits);
  return { ...receivePath(request, operation), given: () => members };
}

const receivePath = (request: Request, operation: Operation): Omit<ReceivedQuery, 'given'> => ({
  operation,
  entityName: parameter(request, 'entityName'),
  queryName: parameter(request, 'queryName'),
  controls: withPlanOfView(queryMembers(request, CONTROLS)),
  preferences: parsePreferences(request.headers['prefer']),
});
