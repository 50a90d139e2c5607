import type { RequestCheck } from '../routed-request.ts';
import { handleUnknown, handlingFor, isStrict, type UnknownMembers, unknownParameters } from './unknown-members.ts';

/**
 * Refuses or reports parameters of the query that the route does not have (contract/conventions.md#unknown). Without a
 * query and without `Prefer: handling=strict` it does nothing.
 *
 * @param knownOf the parameters of a method and a path below the router; undefined if others check them
 * @param setting `svc.rest.unknown-members`
 */
export const checkParameters =
  (knownOf: (method: string, path: string) => ReadonlySet<string> | undefined, setting: UnknownMembers): RequestCheck =>
  (request, response) => {
    const { url, headers } = request;
    const isChecked = (setting !== 'ignore' && url.includes('?')) || isStrict(headers);
    const known = isChecked ? knownOf(request.method, request.path) : undefined;
    if (known !== undefined) {
      const handling = handlingFor(request, response, setting);
      handleUnknown(response, handling, 'query', unknownParameters(url, known), known);
    }
  };
