import type { RequestHandler, Router } from 'express';
import type { RequestCheck, Route } from '../requests/routed-request.ts';

/** A check as a middleware of Express. */
export const toMiddleware =
  (check: RequestCheck): RequestHandler =>
  (request, response, next) => {
    check(request, response);
    next();
  };

/** Adds routes to a router of Express. */
export function addRoutes(router: Router, routes: readonly Route[]): void {
  for (const { method, path, handle } of routes) router[method](path, handle);
}
