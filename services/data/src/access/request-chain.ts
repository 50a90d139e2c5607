import type { RequestCheck, RouteHandler } from '@lintel/http';
import type { ShareRequest } from '../fair-shares/share-request.ts';

/** A check of the requests for some paths of the router and all paths below them; without paths, of all requests. */
interface ChainedCheck {
  readonly check: RequestCheck;
  readonly paths?: readonly string[];
}

/** Runs the rest of a request after the whole chain; throws what a step of it throws. */
export type PassChain = (
  ...parameters: [...Parameters<RouteHandler>, serve: () => Promise<void> | void]
) => Promise<void>;

/**
 * What a request passes before its route, with and without Express: the caller is identified, gets its share, and is
 * checked. Returns the chain of the requests for a path.
 */
export const createRequestChain =
  (identify: RouteHandler, share: ShareRequest, checks: readonly ChainedCheck[] = []) =>
  (path: string): PassChain => {
    const used = checks.filter(({ paths }) => paths?.some((one) => path === one || path.startsWith(`${one}/`)) ?? true);
    return async (request, response, serve) => {
      await identify(request, response);
      await share(request, response, () => {
        for (const { check } of used) check(request, response);
        return serve();
      });
    };
  };

export type RequestChain = ReturnType<typeof createRequestChain>;
