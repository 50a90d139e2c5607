import type { ReadDependencies } from '@lintel/entities';
import {
  clientReadResult,
  type ModelVersions,
  measuredDatabase,
  namedVersion,
  type ReceivedRead,
  readEntities,
} from '@lintel/entities';
import { contextOf } from '@lintel/http';
import type { ResultMemory } from '@lintel/persistence';
import { assertReadable } from '@lintel/query';
import type { Request, Response, Router } from 'express';
import { parameter, type ReadRoute, receiveSearch, receiveUrl } from './receive-read.ts';
import { respondRead } from './respond.ts';

const INSTANCE: ReadRoute = { operation: 'instance', isSearch: false };
const LIST: ReadRoute = { operation: 'list', isSearch: false };
const SEARCH: ReadRoute = { operation: 'list', isSearch: true };
const COUNT: ReadRoute = { operation: 'count', isSearch: true };

export interface ReadRouteOptions extends ReadDependencies {
  /** Path of the entity API below the router, e.g. `/entities`. */
  readonly path: string;
  readonly versions: ModelVersions;
  readonly resultMemory?: ResultMemory | undefined;
}

/**
 * Longer bodies are read for callers with the right alone; for these the order of contract/reading.md#check-order
 * holds.
 */
const SMALL_BODY_BYTES = 16 * 1024;

/**
 * Refuses a caller without the right to read the entity before a large body is received.
 *
 * @throws PlatformError ACCESS_READ_DENIED
 */
function assertMayAsk(request: Request, response: Response, deps: ReadDependencies): void {
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  // The name may be one of an earlier version, which the body names: it grants nothing that its current name does not.
  const entity = deps.currentModel().entities.get(parameter(request, 'entityName'));
  if (length <= SMALL_BODY_BYTES || entity?.kind !== 'entity') return;
  assertReadable(entity, deps.loadAccess(contextOf(request, response).principal).read);
}

/**
 * The reading half of the entity API (contract/reading.md#reading). With `modelVersion` names and instances are those
 * of an earlier version of the model; filters and sort keys are not (contract/model-versions.md#model-versions).
 */
export function registerReadRoutes(router: Router, options: ReadRouteOptions): void {
  const { path, versions, resultMemory, ...deps } = options;
  const answer = async (request: Request, response: Response, received: ReceivedRead): Promise<void> => {
    const { principal, signal } = contextOf(request, response);
    const isTimed = received.preferences.serverTiming === true && deps.limits.serverTimingEnabled;
    const replicated = deps.replicaReads?.begin(principal);
    const database = replicated ?? deps.database;
    const measured = isTimed ? measuredDatabase(database) : undefined;
    const used =
      database === deps.database && measured === undefined
        ? deps
        : { ...deps, database: measured?.database ?? database };
    const version = namedVersion(versions, received.modelVersion);
    const entityName = version?.currentName(received.entityName) ?? received.entityName;
    try {
      const named = { ...received, entityName };
      const begin = () => readEntities(named, principal, used, signal);
      const begun = replicated === undefined ? begin : () => replicated.run(begin, signal);
      const read = await (resultMemory === undefined ? begun() : resultMemory.holdFor(response, begun));
      await respondRead(request, response, clientReadResult(version, entityName, read), measured?.cost);
    } catch (error) {
      await replicated?.abandon();
      // A client that left gets no answer, and its cancelled statement is no error.
      if (!signal.aborted) throw error;
    }
  };
  const fromUrl = (route: ReadRoute) => (request: Request, response: Response) =>
    answer(request, response, receiveUrl(request, route));
  const fromBody = (route: ReadRoute) => async (request: Request, response: Response) => {
    assertMayAsk(request, response, deps);
    const limits = deps.limitsOf(contextOf(request, response).principal);
    await answer(request, response, await receiveSearch(request, route, deps.limits.maxBodyBytes, limits));
  };

  // `search` wins over an id of that name (contract/reading.md#routes).
  router.get(`${path}/:entityName/search/count`, fromUrl(COUNT));
  router.post(`${path}/:entityName/search/count`, fromBody(COUNT));
  router.get(`${path}/:entityName/search`, fromUrl(SEARCH));
  router.post(`${path}/:entityName/search`, fromBody(SEARCH));
  router.get(`${path}/:entityName/:entityId`, fromUrl(INSTANCE));
  router.get(`${path}/:entityName`, fromUrl(LIST));
}
