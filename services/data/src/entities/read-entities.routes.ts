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
import {
  type ExportForm,
  exportDependencies,
  type ReadDatabase,
  type ReadDependencies,
  type ReadResult,
  type ReceivedRead,
  readEntities,
} from '@lintel/reading';
import type { AccessOf } from '@lintel/security';
import { clientReadResult } from '../client-versions/client-result.ts';
import { type ModelVersions, namedVersion } from '../client-versions/client-version.ts';
import { assertCurrentNames, exportFormOf } from '../exports/receive-export.ts';
import { type CallRunsOptions, prefersBackground } from '../methods/background/call-runs.routes.ts';
import type { StoredFiles } from '../unreferenced-files/stored-files.ts';
import { type ReadRoute, receiveSearch, receiveUrl, SEARCH_MEMBERS } from './receive-read.ts';
import { respondRead } from './respond.ts';
import { acceptExport, withoutRows } from './respond-accepted.ts';
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
  /** For exports that their client does not wait for. */
  readonly background?: { readonly runs: CallRunsOptions; readonly files: StoredFiles | undefined };
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

/** Creates what checks a received read, and returns what carries it out, with or without a client that waits. */
export const createEntityReader =
  ({ versions, accessOf, ...deps }: ReadDependencies & Pick<ReadRouteOptions, 'versions' | 'accessOf'>) =>
  (received: ReceivedRead, principal: Principal, exportAs: ExportForm | undefined) => {
    const version = namedVersion(versions, received.modelVersion);
    const entityName = version?.currentName(received.entityName) ?? received.entityName;
    if ((received.members['deleted'] ?? '') !== '') {
      const model = deps.currentModel();
      const entity = resolveEntity(model, entityName);
      assertReadable(entity, deps.loadAccess(principal).read);
      assertMayUseBin(model, entity, accessOf(principal), 'read');
    }
    assertCurrentNames(exportAs, version);
    return async (database: ReadDatabase, signal: AbortSignal): Promise<ReadResult> => {
      const used = exportDependencies(database === deps.database ? deps : { ...deps, database }, exportAs);
      const read = await readEntities({ ...received, entityName }, principal, used, signal);
      return clientReadResult(version, entityName, read);
    };
  };

/**
 * The read routes of the entity API (contract/reading.md#reading). With `modelVersion`, names and instances are those
 * of an earlier version of the model; filters and sort keys are not (contract/model-versions.md#model-versions).
 */
export function readRoutes(options: ReadRouteOptions): readonly Route[] {
  const { path, unknownMembers, background, ...deps } = options;
  const readOf = createEntityReader(deps);
  const handleRead = async (
    request: RoutedRequest,
    response: ServerResponse,
    received: ReceivedRead,
  ): Promise<void> => {
    const { principal, signal } = contextOf(request, response);
    const exportAs = received.operation === 'list' ? exportFormOf(request) : undefined;
    const where = received.isFromBody ? 'body' : 'query';
    const noteUnknown: NoteUnknown = (found) =>
      handleUnknownInside(response, handlingFor(request, response, unknownMembers), where, found);
    const read = readOf({ ...received, noteUnknown }, principal, exportAs);
    const continues =
      exportAs !== undefined && request.method !== 'HEAD' && background?.files && prefersBackground(request, principal);
    await sendRead(deps, {
      request,
      response,
      isTimed: received.preferences.serverTiming === true,
      read: (database) => read(continues ? withoutRows(database) : database, signal),
      send: (result, costOf) =>
        continues
          ? acceptExport(response, { ...received, exportAs }, principal, { ...deps, runs: background.runs })
          : respondRead(request, response, result, costOf),
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
