import {
  handleUnknown,
  handleUnknownInside,
  handlingFor,
  pathParameter,
  type UnknownMembers,
  unknownMembersOf,
  unknownParameters,
} from '@lintel/http';
import type { Request, Response } from 'express';
import { parsePreferences } from '../entities/parse-preferences.ts';
import { queryMembers, withPlanOfView } from '../entities/receive-read.ts';
import { type QueryBodyLimits, receiveMembers } from '../receiving/receive-members.ts';
import type { ReceivedQuery } from './read-query.ts';

/** Parameters of the URL that every query has, GET or POST (contract/queries.md#endpoints, contract/decisions.md#75). */
const CONTROLS = ['limit', 'offset', 'fetchPlan', 'view', 'returnNulls', 'returnCount', 'dynamicAttributes'];

/** Read elsewhere: by the route, and by the gateway. */
const OTHERS = ['modelVersion', 'access_token'];

type Operation = ReceivedQuery['operation'];

/** A query with its parameters from the URL. */
export const receiveQueryUrl = (
  request: Request,
  response: Response,
  operation: Operation,
  setting: UnknownMembers,
): ReceivedQuery => ({
  ...receivePath(request, response, operation, setting, 'query'),
  given: (names) => queryMembers(request, names),
  checkNames: (declared) => checkUrl(request, response, setting, declared),
});

/**
 * A query with its parameters from the body; the members that control the response are in the URL.
 *
 * @throws PlatformError REQ_COST_EXCEEDED, REQ_MALFORMED_JSON
 */
export async function receiveQueryBody(
  request: Request,
  response: Response,
  operation: Operation,
  setting: UnknownMembers,
  { maxBodyBytes, limits }: { readonly maxBodyBytes: number; readonly limits: QueryBodyLimits },
): Promise<ReceivedQuery> {
  const members = await receiveMembers(request, response, maxBodyBytes, limits);
  const checkNames = (declared: readonly string[]): void => {
    checkUrl(request, response, setting, []);
    const handling = handlingFor(request, response, setting);
    if (handling === 'ignore') return;
    const known = new Set(declared);
    handleUnknown(response, handling, 'body', unknownMembersOf(members, known), known);
  };
  return { ...receivePath(request, response, operation, setting, 'body'), given: () => members, checkNames };
}

/** The parameters of the URL: those of every query, and of a GET those of the query itself. */
function checkUrl(request: Request, response: Response, setting: UnknownMembers, declared: readonly string[]): void {
  const handling = handlingFor(request, response, setting);
  if (handling === 'ignore' || !request.url.includes('?')) return;
  const known = new Set([...CONTROLS, ...OTHERS, ...declared]);
  handleUnknown(response, handling, 'query', unknownParameters(request.url, known), known);
}

const receivePath = (
  request: Request,
  response: Response,
  operation: Operation,
  setting: UnknownMembers,
  where: 'query' | 'body',
): Omit<ReceivedQuery, 'given' | 'checkNames'> => ({
  operation,
  entityName: pathParameter(request, 'entityName'),
  queryName: pathParameter(request, 'queryName'),
  controls: withPlanOfView(queryMembers(request, CONTROLS)),
  preferences: parsePreferences(request.headers['prefer']),
  noteUnknown: (found) => handleUnknownInside(response, handlingFor(request, response, setting), 'query', found),
  noteIgnored: (found) => handleUnknownInside(response, handlingFor(request, response, setting), where, found),
});
