import { contextOf } from '@lintel/http';
import type { RawReadRequest } from '@lintel/query';
import type { Request, Response, Router } from 'express';
import type { ReadDependencies } from './read-dependencies.ts';
import { readEntities } from './read-entities.ts';
import { type ReadRoute, receiveBody, receiveUrl } from './receive-read.ts';
import { respondRead } from './respond.ts';

const INSTANCE: ReadRoute = { operation: 'instance', isSearch: false };
const LIST: ReadRoute = { operation: 'list', isSearch: false };
const SEARCH: ReadRoute = { operation: 'list', isSearch: true };
const COUNT: ReadRoute = { operation: 'count', isSearch: true };

/**
 * The reading half of the entity API (specification 4.2).
 *
 * @param path of the entity API below the router, e.g. `/entities`
 */
export function registerReadRoutes(router: Router, deps: ReadDependencies & { readonly path: string }): void {
  const { path } = deps;
  const answer = async (request: Request, response: Response, received: RawReadRequest): Promise<void> => {
    const { principal, signal } = contextOf(request, response);
    try {
      await respondRead(request, response, await readEntities(received, principal, deps, signal));
    } catch (error) {
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
