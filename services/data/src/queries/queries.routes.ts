import { PlatformError } from '@lintel/errors';
import {
  acceptedType,
  accepts,
  announceDeprecation,
  contextOf,
  PROBLEM_TYPE,
  requireJsonAcceptable,
  sendJson,
  sendText,
  toMiddleware,
  type UnknownMembers,
} from '@lintel/http';
import { assertReadable, resolveEntity } from '@lintel/query';
import { exportDependencies, type ReadDatabase, type ReadResult } from '@lintel/reading';
import type { Request, Response, Router } from 'express';
import { clientReadResult } from '../client-versions/client-result.ts';
import { type ModelVersions, namedVersion } from '../client-versions/client-version.ts';
import { respondRead } from '../entities/respond.ts';
import { type ReadRunning, sendRead } from '../entities/send-read.ts';
import { assertCurrentNames, exportFormOf, requireListAcceptable } from '../exports/receive-export.ts';
import { createCallableQueries } from './create-callable-queries.ts';
import { describeQueries } from './describe-queries.ts';
import { toQueryError } from './query-error.ts';
import { type QueryDependencies, type ReceivedQuery, readQuery } from './read-query.ts';
import { receiveQueryBody, receiveQueryUrl } from './receive-query.ts';

export interface QueryRouteOptions extends QueryDependencies, ReadRunning {
  /** Path of the queries below the router, e.g. `/queries`. */
  readonly path: string;
  readonly versions: ModelVersions;
  readonly unknownMembers: UnknownMembers;
}

/** The predefined queries of the application (contract/reading.md#reading, contract/queries.md#queries). */
export function registerQueryRoutes(router: Router, options: QueryRouteOptions): void {
  const { path, versions, unknownMembers, ...deps } = options;
  const one = `${path}/:entityName/:queryName`;
  const callableQueries = createCallableQueries(deps.queries);
  const respond = async (request: Request, response: Response, received: ReceivedQuery): Promise<void> => {
    const { principal, signal } = contextOf(request, response);
    const version = namedVersion(versions, request.query['modelVersion']);
    const entityName = version?.currentName(received.entityName) ?? received.entityName;
    const named = { ...received, entityName };
    const exportAs = received.operation === 'list' ? exportFormOf(request) : undefined;
    assertCurrentNames(exportAs, version);
    const used = exportDependencies(deps, exportAs);
    const announced = deps.queries.get(entityName)?.get(received.queryName)?.deprecated;
    const send = (read: ReadResult): Promise<void> | void => {
      if (announced !== undefined) announceDeprecation(response, announced);
      if (read.kind === 'count' && acceptedType(request, ['application/json', 'text/plain']) === 'text/plain')
        return sendText(response, String(read.total));
      return respondRead(request, response, clientReadResult(version, entityName, read));
    };
    try {
      const read = (database: ReadDatabase) => readQuery(named, principal, { ...used, database }, signal);
      await sendRead(deps, { request, response, read, send });
    } catch (error) {
      throw toQueryError(error);
    }
  };
  const fromUrl = (operation: ReceivedQuery['operation']) => (request: Request, response: Response) =>
    respond(request, response, receiveQueryUrl(request, response, operation, unknownMembers));
  const fromBody = (operation: ReceivedQuery['operation']) => async (request: Request, response: Response) => {
    const limits = deps.limitsOf(contextOf(request, response).principal);
    const { maxBodyBytes } = deps.limits;
    const body = { maxBodyBytes, limits };
    await respond(request, response, await receiveQueryBody(request, response, operation, unknownMembers, body));
  };

  const jsonOnly = toMiddleware(requireJsonAcceptable);
  router.get(`${one}/count`, requireCountAcceptable, fromUrl('count'));
  router.post(`${one}/count`, requireCountAcceptable, fromBody('count'));
  router.get(one, toMiddleware(requireListAcceptable), fromUrl('list'));
  router.post(one, toMiddleware(requireListAcceptable), fromBody('list'));
  router.get(path, jsonOnly, (request, response) => {
    const { read } = deps.loadAccess(contextOf(request, response).principal);
    sendJson(response, 200, callableQueries(deps.currentModel(), read));
  });
  router.get(`${path}/:entityName`, jsonOnly, (request, response) => {
    const { principal } = contextOf(request, response);
    const entity = resolveEntity(deps.currentModel(), String(request.params['entityName']));
    // The descriptions name attributes, so they need the right to read the entity.
    assertReadable(entity, deps.loadAccess(principal).read);
    sendJson(response, 200, describeQueries(deps.queries.get(entity.name)?.values() ?? []));
  });
}

function requireCountAcceptable(request: Request, _response: Response, next: () => void): void {
  if (!accepts(request, ['application/json', 'text/plain', PROBLEM_TYPE]))
    throw new PlatformError('REQ_NOT_ACCEPTABLE', 'This endpoint returns application/json or text/plain');
  next();
}
