import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createRouteFinder,
  type DirectHandler,
  pathOf,
  type RequestCheck,
  type Route,
  type RoutedRequest,
  type RouteHandler,
  setRouteTemplate,
} from '@lintel/http';
import type { ErrorResponder } from '../controllers/respond-listener-error.ts';
import type { ShareRequest } from '../fair-shares/share-requests.ts';

/** Routes of the API that plain requests reach without Express, which takes a tenth of the time of a short read. */
export interface FrequentRoutes {
  /** Adds routes that a feature has added to the router of the API, too: in the same order, before all others. */
  add(routes: readonly Route[], respondToError: ErrorResponder): void;
  /** The handler of a request; undefined if Express handles it. */
  handlerOf(request: IncomingMessage): DirectHandler | undefined;
}

/** What a request passes before its route: the same as the middleware of the router. */
export interface FrequentRoutesOptions {
  readonly basePath: string;
  readonly identify: RouteHandler;
  readonly share: ShareRequest;
  readonly checks: readonly RequestCheck[];
}

interface FrequentRoute extends Route {
  /** The path for log and metrics. */
  readonly template: string;
  readonly respondToError: ErrorResponder;
}

export function createFrequentRoutes({ basePath, identify, share, checks }: FrequentRoutesOptions): FrequentRoutes {
  const routes: FrequentRoute[] = [];
  let find = createRouteFinder(routes);
  const serve = async (route: FrequentRoute, request: RoutedRequest, response: ServerResponse): Promise<void> => {
    try {
      await identify(request, response);
      await share(request, response, () => {
        for (const check of checks) check(request, response);
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
      routes.push(...added.map((route) => ({ ...route, template: `${basePath}${route.path}`, respondToError })));
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
