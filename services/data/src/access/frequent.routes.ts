import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createRouteFinder,
  type DirectHandler,
  pathOf,
  type Route,
  type RoutedRequest,
  setRouteTemplate,
} from '@lintel/http';
import type { ErrorResponder } from '../controllers/respond-listener-error.ts';
import type { PassChain, RequestChain } from './request-chain.ts';

/** Routes of the API that plain requests reach without Express, which takes a tenth of the time of a short read. */
export interface FrequentRoutes {
  /** Adds routes that a feature has added to the router of the API, too: in the same order, before all others. */
  add(routes: readonly Route[], respondToError: ErrorResponder): void;
  /** The handler of a request; undefined if Express handles it. */
  handlerOf(request: IncomingMessage): DirectHandler | undefined;
}

interface FrequentRoute extends Route {
  /** The path for log and metrics. */
  readonly template: string;
  readonly pass: PassChain;
  readonly respondToError: ErrorResponder;
}

/** @param chainOf the chain that requests pass in Express, too */
export function createFrequentRoutes(basePath: string, chainOf: RequestChain): FrequentRoutes {
  const routes: FrequentRoute[] = [];
  let find = createRouteFinder(routes);
  const serve = async (route: FrequentRoute, request: RoutedRequest, response: ServerResponse): Promise<void> => {
    try {
      await route.pass(request, response, () => {
        // As in Express, a request that is refused before has no route.
        setRouteTemplate(response, route.template);
        return route.handle(request, response);
      });
    } catch (error) {
      if (!route.respondToError(error, response)) throw error;
    }
  };
  return {
    add(added, respondToError) {
      for (const route of added)
        routes.push({ ...route, template: `${basePath}${route.path}`, pass: chainOf(route.path), respondToError });
      find = createRouteFinder(routes);
    },
    handlerOf({ method, url = '' }) {
      if (!url.startsWith(basePath)) return undefined;
      const path = pathOf(url).slice(basePath.length);
      const found = find(method, path);
      if (found === undefined) return undefined;
      const { route, params } = found;
      const own = { originalUrl: url, url: url.slice(basePath.length), path, params };
      return (request, response) => serve(route, Object.assign(request, own) as RoutedRequest, response);
    },
  };
}
