import type { RequestHandler } from 'express';
import { handleUnknown, handlingOf, type UnknownMembers, unknownParameters } from './unknown-members.ts';

/**
 * Refuses or reports parameters of the query that the route does not have (contract/conventions.md#unknown). Requests
 * without a query are not looked at.
 *
 * @param knownOf the parameters of a method and a path below the router; undefined if others check them
 * @param setting `svc.rest.unknown-members`
 */
export const checkParameters =
  (
    knownOf: (method: string, path: string) => ReadonlySet<string> | undefined,
    setting: UnknownMembers,
  ): RequestHandler =>
  (request, response, next) => {
    const { url } = request;
    if (url.includes('?')) {
      const handling = handlingOf(request.headers, setting);
      const known = handling === 'ignore' ? undefined : knownOf(request.method, request.path);
      if (known !== undefined) handleUnknown(response, handling, 'query', unknownParameters(url, known), known);
    }
    next();
  };
