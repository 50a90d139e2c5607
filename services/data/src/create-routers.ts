import {
  AUDIENCE_INTERNAL,
  AUDIENCE_REST,
  genericRoutes,
  knownParameters,
  type RouteDescription,
} from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  announceDeprecation,
  authenticate,
  checkParameters,
  createRouter,
  createStepUp,
  identifyCaller,
  principalOf,
  type RequestCheck,
  requireJsonAcceptable,
  toMiddleware,
} from '@lintel/http';
import { type AccessOf, assertSpecific } from '@lintel/security';
import type { RequestHandler } from 'express';
import { createFrequentRoutes } from './access/frequent.routes.ts';
import { type PathTest, pathTestsOf } from './access/path-tests.ts';
import type { Engine } from './engine/create-engine.ts';
import { shareRequest, shareRequests } from './fair-shares/share-requests.ts';
import type { Routers } from './feature.ts';

/** Creates the routers. Order of the middleware: authenticate → fair share → `rest.enabled` → routes. */
export function createRouters({ ports, config, accessOf, largeBodies }: Engine): Routers {
  const { platform, paths, availableLocales, unknownMembers } = config;
  // The application declares the parameters of queries and service methods.
  const isDeclared = ({ path }: RouteDescription): boolean => /\{(queryName|methodName)\}/.test(path);
  const identity = { verifier: ports.verifier, loadSession: ports.loadSession, availableLocales };
  const stepUp = createStepUp(Object.values(config.stepUp));
  const { isAnonymous, isOpenToEveryUser, isProtected, isReading } = pathTestsOf(config);
  const api = {
    ...identity,
    audience: AUDIENCE_REST,
    scope: platform.apiScope,
    isAnonymousUrl: isAnonymous,
    isReading,
    stepUp,
  };
  const share = shareRequest(false, largeBodies);
  const guards = (requireEnabled: RequestCheck): readonly RequestHandler[] => [
    authenticate(api),
    shareRequests(share),
    toMiddleware(requireEnabled),
  ];
  const requireEnabled = requireRestEnabled({
    accessOf,
    isExempt: (path) => isAnonymous(path) || isOpenToEveryUser(path),
  });
  const checkNames = checkParameters(
    knownParameters(genericRoutes({ ...paths, basePath: '' }), isDeclared),
    unknownMembers,
  );
  const rest = createRouter();
  rest.use(...guards(requireEnabled));
  rest.use([paths.entitiesPath, paths.queriesPath], toMiddleware(announceOldParameters));
  rest.use(toMiddleware(checkNames));
  rest.use(
    [
      ...[paths.entitiesPath, paths.metadataPath, paths.messagesPath],
      ...[paths.userInfoPath, paths.permissionsPath, paths.capabilitiesPath],
    ],
    toMiddleware(requireJsonAcceptable),
  );
  // The same as the middleware of the router at the paths of these routes.
  const frequent = createFrequentRoutes({
    basePath: paths.basePath,
    identify: identifyCaller(api),
    share,
    checks: [requireEnabled, announceOldParameters, checkNames, requireJsonAcceptable],
  });
  const forwarded = createRouter();
  // The service that forwards the JWT has checked where it was sent.
  const isRead = (_method: string, path: string): boolean => !path.endsWith('/reports');
  const anywhere = { isAnonymousUrl: () => true, isReading: isRead };
  forwarded.use(authenticate({ ...identity, ...anywhere, audience: AUDIENCE_REST }), shareRequests(share));
  const internal = createRouter();
  internal.use(authenticate({ ...identity, audience: AUDIENCE_INTERNAL }));
  internal.use(shareRequests(shareRequest(true)));
  // Outside of the API a token is needed unless an anonymous pattern matches the path, and the permission to use the
  // API only if a pattern says that the path is protected like it (contract/decisions.md#68).
  const isExempt: PathTest = (path) => isAnonymous(path) || !isProtected(path);
  const outside = { router: createRouter(), guards: guards(requireRestEnabled({ accessOf, isExempt })) };
  return { rest, frequent, outside, forwarded, internal };
}

/** Older names of `fetchPlan` and `responseFetchPlan` (contract/decisions.md#34, #75); they have no date of removal. */
const OLD = /[?&](?:view|responseView)=/;
const SINCE = { since: '2026-11-25' };

/** Announces that a parameter of the request has another name now; it works as before. */
const announceOldParameters: RequestCheck = (request, response) => {
  if (request.url.includes('iew=') && OLD.test(request.url)) announceDeprecation(response, SINCE);
};

/**
 * Refuses callers without `rest.enabled`, before any other check (contract/decisions.md#39). Exempt are anonymous
 * patterns and the paths of `isExempt`.
 */
function requireRestEnabled(options: {
  readonly accessOf: AccessOf;
  readonly isExempt: (path: string) => boolean;
}): RequestCheck {
  return (request, response) => {
    const principal = principalOf(response);
    if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
    // Most callers have the permission: only for others the path is compared with the patterns.
    const access = options.accessOf(principal);
    if (!access.hasSpecific('rest.enabled') && !options.isExempt(request.originalUrl))
      assertSpecific(access, 'rest.enabled', 'ACCESS_REST_DENIED', 'User is not allowed to use the REST API');
  };
}
