import { AGGREGATES_PATH } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  contextOf,
  handleUnknown,
  handleUnknownInside,
  handlingFor,
  pathParameter,
  toMiddleware,
  type UnknownMembers,
  unknownMembersOf,
} from '@lintel/http';
import { AGGREGATE_MEMBERS, type ExactObject } from '@lintel/query';
import { exportDependencies, type ReadDependencies } from '@lintel/reading';
import type { Request, Response, Router } from 'express';
import { parsePreferences } from '../entities/parse-preferences.ts';
import { cursorOfUrl, queryMembers, withMembers } from '../entities/receive-read.ts';
import { respondRead } from '../entities/respond.ts';
import { type ReadRunning, sendRead } from '../entities/send-read.ts';
import { exportFormOf, requireListAcceptable } from '../exports/receive-export.ts';
import { receiveMembers } from '../receiving/receive-members.ts';
import { readAggregates } from './read-aggregates.ts';

export interface AggregateRouteOptions extends ReadDependencies, ReadRunning {
  readonly unknownMembers: UnknownMembers;
}

const KNOWN: ReadonlySet<string> = new Set(AGGREGATE_MEMBERS);
/** Members that are JSON texts in a URL only. */
const JSON_MEMBERS = ['groupBy', 'aggregates', 'filter', 'having'];

/** Groups of instances with aggregates (contract/aggregates.md#request). */
export function registerAggregateRoutes(router: Router, { unknownMembers, ...deps }: AggregateRouteOptions): void {
  const respond = async (request: Request, response: Response, where: 'query' | 'body', members: ExactObject) => {
    const { principal, signal } = contextOf(request, response);
    const preferences = parsePreferences(request.headers['prefer']);
    const received = {
      entityName: pathParameter(request, 'entityName'),
      members,
      preferences,
      noteUnknown: (found: Parameters<typeof handleUnknownInside>[3]) =>
        handleUnknownInside(response, handlingFor(request, response, unknownMembers), where, found),
    };
    const used = exportDependencies(deps, exportFormOf(request));
    await sendRead(deps, {
      request,
      response,
      isTimed: preferences.serverTiming === true,
      read: (database) => readAggregates(received, principal, { ...used, database }, signal),
      send: (read, costOf) => respondRead(request, response, read, costOf),
    });
  };
  const listOnly = toMiddleware(requireListAcceptable);
  router.get(`${AGGREGATES_PATH}/:entityName`, listOnly, (request, response) =>
    respond(request, response, 'query', queryMembers(request, AGGREGATE_MEMBERS)),
  );
  router.post(`${AGGREGATES_PATH}/:entityName`, listOnly, async (request, response) => {
    const limits = deps.limitsOf(contextOf(request, response).principal);
    const members = await receiveMembers(request, response, deps.limits.maxBodyBytes, limits);
    const handling = handlingFor(request, response, unknownMembers);
    handleUnknown(response, handling, 'body', unknownMembersOf(members, KNOWN), KNOWN);
    const text = JSON_MEMBERS.find((name) => typeof members[name] === 'string');
    if (text !== undefined) throw new PlatformError('REQ_INVALID_PARAMETER', `'${text}' of a body must not be a text`);
    const used = { ...withMembers(members, AGGREGATE_MEMBERS), ...cursorOfUrl(request, members) };
    await respond(request, response, 'body', used);
  });
}
