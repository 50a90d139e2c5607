import { readBody } from '@lintel/http';
import type { Request } from 'express';
import { parsePreferences } from '../entities/preferences.ts';
import { parameter, queryMembers, readMembers } from '../entities/receive-read.ts';
import type { ReceivedQuery } from './read-query.ts';

/** Parameters of the URL that every query has, GET or POST (contract §4.2). */
const CONTROLS = ['limit', 'offset', 'fetchPlan', 'returnNulls', 'returnCount', 'dynamicAttributes'];

type Operation = ReceivedQuery['operation'];

/** First stage of the edge: a query with its parameters from the URL. */
export const receiveQueryUrl = (request: Request, operation: Operation): ReceivedQuery => ({
  ...receivePath(request, operation),
  given: (names) => queryMembers(request, names),
});

/**
 * A query with its parameters from the body; what controls the answer is in the URL.
 *
 * @throws PlatformError REQ_MALFORMED_JSON
 */
export async function receiveQueryBody(
  request: Request,
  operation: Operation,
  maxBodyBytes: number,
): Promise<ReceivedQuery> {
  const members = readMembers(await readBody(request, maxBodyBytes));
  return { ...receivePath(request, operation), given: () => members };
}

const receivePath = (request: Request, operation: Operation): Omit<ReceivedQuery, 'given'> => ({
  operation,
  entityName: parameter(request, 'entityName'),
  queryName: parameter(request, 'queryName'),
  controls: queryMembers(request, CONTROLS),
  preferences: parsePreferences(request.headers['prefer']),
});
