import type { ServerResponse } from 'node:http';
import type { Principal } from '@lintel/contracts';
import { assertMayUseBin } from '@lintel/entities';
import {
  contextOf,
  handleUnknown,
  handleUnknownInside,
  handlingFor,
  pathParameter,
  type Route,
  type RoutedRequest,
  type RouteHandler,
  type UnknownMembers,
  unknownMembersOf,
} from '@lintel/http';
import { assertReadable, type ExactObject, type NoteUnknown, resolveEntity } from '@lintel/query';
import { exportDependencies, type ReadDependencies, type ReceivedRead, readEntities } from '@lintel/reading';
import type { AccessOf } from '@lintel/security';
import { clientReadResult } from '../client-versions/client-result.ts';
import { type ModelVersions, namedVersion } from '../client-versions/client-version.ts';
import { assertCurrentNames, exportFormOf } from '../exports/receive-export.ts';
import { type ReadRoute, receiveSearch, receiveUrl, SEARCH_MEMBERS } from './receive-read.ts';
import { respondRead } from './respond.ts';
import { type ReadRunning, sendRead } from './send-read.ts';

const INSTANCE: ReadRoute = { operation: 'instance', isSearch: false };
const LIST: ReadRoute = { operation: 'list', isSearch: false };
const SEARCH: ReadRoute = { operation: 'list', isSearch: true };
const COUNT: ReadRoute = { operation: 'count', isSearch: true };

export interface ReadRouteOptions extends ReadDependencies, ReadRunning {
  readonly unknownMembers: UnknownMembers;
  /** Path of the entity API below the router, e.g. `/entities`. */
  readonly path: string;
  readonly versions: ModelVersions;
  readonly accessOf: AccessOf;
}

/**
 * Longer bodies are read only for callers with the right to read; for these the order of
 * contract/reading.md#check-order applies.
 */
const SMALL_BODY_BYTES = 16 * 1024;

/**
 * Refuses a caller without the right to read the entity before a large body is received.
 *
 * @throws PlatformError ACCESS_READ_DENIED
 */
function assertMayRead(request: RoutedRequest, response: ServerResponse, deps: ReadDependencies): void {
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  // The name may be that of an earlier version, which is known from the body only; rights are those of the current name.
  const entity = deps.currentModel().entities.get(pathParameter(request, 'entityName'));
  if (length <= SMALL_BODY_BYTES || entity?.kind !== 'entity') return;
  assertReadable(entity, deps.loadAccess(contextOf(request, response).principal).read);
}

/**
 * The read routes of the entity API (contract/reading.md#reading). With `modelVersion`, names and instances are those
 * of an earlier version of the model; filters and sort keys are not (contract/model-versions.md#model-versions).
 */
export function readRoutes(options: ReadRouteOptions): readonly Route[] {
  const { path, versions, accessOf, unknownMembers, ...deps } = options;
  const assertMayReadBin = ({ entityName, modelVersion }: ReceivedRead, principal: Principal): void => {
    const model = deps.currentModel();
    const entity = resolveEntity(model, namedVersion(versions, modelVersion)?.currentName(entityName) ?? entityName);
    assertReadable(entity, deps.loadAccess(principal).read);
    assertMayUseBin(model, entity, accessOf(principal), 'read');
  };
  const handleRead = async (
    request: RoutedRequest,
    response: ServerResponse,
    received: ReceivedRead,
  ): Promise<void> => {
    const { principal, signal } = contextOf(request, response);
    if ((received.members['deleted'] ?? '') !== '') assertMayReadBin(received, principal);
    const version = namedVersion(versions, received.modelVersion);
    const exportAs = received.operation === 'list' ? exportFormOf(request) : undefined;
    assertCurrentNames(exportAs, version);
    const entityName = version?.currentName(received.entityName) ?? received.entityName;
    const where = received.isFromBody ? 'body' : 'query';
    const noteUnknown: NoteUnknown = (found) =>
      handleUnknownInside(response, handlingFor(request, response, unknownMembers), where, found);
    const named = { ...received, entityName, noteUnknown };
    await sendRead(deps, {
      request,
      response,
      isTimed: received.preferences.serverTiming === true,
      read: (database) => {
        const used = database === deps.database ? deps : { ...deps, database };
        return readEntities(named, principal, exportDependencies(used, exportAs), signal);
      },
      send: (read, costOf) => respondRead(request, response, clientReadResult(version, entityName, read), costOf),
    });
  };
  const fromUrl =
    (route: ReadRoute): RouteHandler =>
    (request, response) =>
      handleRead(request, response, receiveUrl(request, route));
  const fromBody =
    (route: ReadRoute): RouteHandler =>
    async (request, response) => {
      assertMayRead(request, response, deps);
      const limits = deps.limitsOf(contextOf(request, response).principal);
      const onMembers = (members: ExactObject): void => {
        const handling = handlingFor(request, response, unknownMembers);
        handleUnknown(response, handling, 'body', unknownMembersOf(members, SEARCH_MEMBERS), SEARCH_MEMBERS);
      };
      await handleRead(
        request,
        response,
        await receiveSearch(request, response, route, deps.limits.maxBodyBytes, limits, onMembers),
      );
    };

  return [
    // Before the route of an id, so that `search` is not an id (contract/reading.md#routes).
    { method: 'get', path: `${path}/:entityName/search/count`, handle: fromUrl(COUNT) },
    { method: 'post', path: `${path}/:entityName/search/count`, handle: fromBody(COUNT) },
    { method: 'get', path: `${path}/:entityName/search`, handle: fromUrl(SEARCH) },
    { method: 'post', path: `${path}/:entityName/search`, handle: fromBody(SEARCH) },
    { method: 'get', path: `${path}/:entityName/:entityId`, handle: fromUrl(INSTANCE) },
    { method: 'get', path: `${path}/:entityName`, handle: fromUrl(LIST) },
  ];
}
