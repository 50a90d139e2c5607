import { contextOf } from '@lintel/http';
import type { Request, Response, Router } from 'express';
import { clientReadAnswer } from '../transformations/client-answer.ts';
import { type ModelVersions, namedVersion } from '../transformations/client-version.ts';
import { measuredDatabase } from './measured-database.ts';
import type { ReadDependencies } from './read-dependencies.ts';
import { type ReceivedRead, readEntities } from './read-entities.ts';
import { type ReadRoute, receiveBody, receiveUrl } from './receive-read.ts';
import { respondRead } from './respond.ts';

const INSTANCE: ReadRoute = { operation: 'instance', isSearch: false };
const LIST: ReadRoute = { operation: 'list', isSearch: false };
const SEARCH: ReadRoute = { operation: 'list', isSearch: true };
const COUNT: ReadRoute = { operation: 'count', isSearch: true };

export interface ReadRouteOptions extends ReadDependencies {
  /** Path of the entity API below the router, e.g. `/entities`. */
  readonly path: string;
  readonly versions: ModelVersions;
}

/**
 * The reading half of the entity API (specification 4.2). With `modelVersion` names and instances are those of an earlier version
 * of the model; filters and sort keys are not (contract §7.5).
 */
export function registerReadRoutes(router: Router, options: ReadRouteOptions): void {
  const { path, versions, ...deps } = options;
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
      const read =
        replicated === undefined
          ? await readEntities(named, principal, used, signal)
          : await replicated.answer(() => readEntities(named, principal, used, signal), signal);
      await respondRead(request, response, clientReadAnswer(version, entityName, read), measured?.cost);
    } catch (error) {
      await replicated?.abandon();
      // A client that left gets no answer, and its cancelled statement is no error.
      if (!signal.aborted) throw error;
    }
  };
  const fromUrl = (route: ReadRoute) => (request: Request, response: Response) =>
    answer(request, response, receiveUrl(request, route));
  const fromBody = (route: ReadRoute) => async (request: Request, response: Response) =>
    answer(request, response, await receiveBody(request, route, deps.limits.maxBodyBytes));

  // `search` wins over an id of that name (contract §1.1).
  router.get(`${path}/:entityName/search/count`, fromUrl(COUNT));
  router.post(`${path}/:entityName/search/count`, fromBody(COUNT));
  router.get(`${path}/:entityName/search`, fromUrl(SEARCH));
  router.post(`${path}/:entityName/search`, fromBody(SEARCH));
  router.get(`${path}/:entityName/:entityId`, fromUrl(INSTANCE));
  router.get(`${path}/:entityName`, fromUrl(LIST));
}
