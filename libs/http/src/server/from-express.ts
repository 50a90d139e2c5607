import type { RequestHandler } from 'express';

/** An Express router at a path of the application, for `controllers` of `defineApplication`. */
export interface ExpressMount {
  readonly kind: 'router';
  readonly path: string;
  readonly router: RequestHandler;
}

/**
 * Serves a router of Express below a path. The caller is authenticated before it runs;
 * `response.locals.lintel` is the context that a service method gets: user, locale, data, serializer.
 *
 * @param path prefix, e.g. `/rest/shop/legacy`; routes of the router are relative to it
 * @throws TypeError if the path is invalid
 */
export function fromExpress(path: string, router: RequestHandler): ExpressMount {
  if (!/^(?:\/[\w.~-]+)+$/.test(path))
    throw new TypeError(`The path of a router is a prefix like /rest/shop, not ${path}`);
  return Object.freeze({ kind: 'router', path, router });
}
