import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';

/** A request whose route is known: what Express sets, whether Express has found the route or a route finder. */
export interface RoutedRequest extends IncomingMessage {
  readonly method: string;
  /** The part of the target below the router, with the query. */
  url: string;
  /** The same without the query. */
  readonly path: string;
  readonly originalUrl: string;
  readonly params: Request['params'];
}

/** Throws if a request must be refused. Needs nothing of Express. */
export type RequestCheck = (request: RoutedRequest, response: ServerResponse) => void;

/** Handles a request of a route. Needs nothing of Express. */
export type RouteHandler = (request: RoutedRequest, response: ServerResponse) => Promise<void>;

/** A route that works with and without Express. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path below the router, e.g. `/entities/:entityName`. */
  readonly path: string;
  readonly handle: RouteHandler;
}
