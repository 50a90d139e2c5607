import {
  AUDIENCE_INTERNAL,
  AUDIENCE_REST,
  genericRoutes,
  HISTORY_PATH,
  IMPORTS_PATH,
  knownParameters,
  type RouteDescription,
} from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import {
  announceDeprecation,
  checkParameters,
  createRouter,
  createStepUp,
  identifyCaller,
  principalOf,
  type RequestCheck,
  receiveChangeReason,
  refuseRehearsal,
  requireJsonAcceptable,
} from '@lintel/http';
import { type AccessOf, assertSpecific } from '@lintel/security';
import { noteOperation } from '@lintel/telemetry';
import type { RequestHandler } from 'express';
import { createFrequentRoutes } from './access/frequent.routes.ts';
import { type PathTest, pathTestsOf } from './access/path-tests.ts';
import { createRequestChain, type RequestChain } from './access/request-chain.ts';
import { noteOperationOf } from './access-log/operation-of.ts';
import type { Engine } from './engine/create-engine.ts';
import { requireEntitiesAcceptable } from './exports/receive-export.ts';
import { shareRequest } from './fair-shares/share-request.ts';
import type { Routers } from './feature.ts';

/** Creates the routers with what requests pass before their routes. */
export function createRouters({ ports, config, accessOf, largeBodies, accessLog }: Engine): Routers {
  const { platform, paths, availableLocales, unknownMembers } = config;
  // The application declares the parameters of queries and service methods.
  const isDeclared = ({ path }: RouteDescription): boolean => /\{(queryName|methodName)\}/.test(path);
  const identity = { verifier: ports.verifier, loadSession: ports.loadSession, availableLocales };
  const { isAnonymous, isOpenToEveryUser, isProtected, isReading } = pathTestsOf(config);
  const identify = identifyCaller({
    ...identity,
    audience: AUDIENCE_REST,
    scope: platform.apiScope,
    isAnonymousUrl: isAnonymous,
    isReading,
    stepUp: createStepUp(Object.values(config.stepUp)),
  });
  const share = shareRequest(false, largeBodies);
  const ifLogged = (check: RequestCheck) => (accessLog === undefined ? [] : [{ check }]);
  const restChain = createRequestChain(identify, share, [
    { check: requireRestEnabled(accessOf, (path) => isAnonymous(path) || isOpenToEveryUser(path)) },
    { check: refuseOtherRehearsals(paths) },
    { check: receiveChangeReason },
    ...ifLogged(noteOperationOf(paths)),
    { check: announceOldParameters, paths: [paths.entitiesPath, paths.queriesPath] },
    { check: checkParameters(knownParameters(genericRoutes({ ...paths, basePath: '' }), isDeclared), unknownMembers) },
    { check: requireEntitiesAcceptable(paths.entitiesPath), paths: [paths.entitiesPath] },
    {
      check: requireJsonAcceptable,
      paths: [
        ...[paths.metadataPath, paths.messagesPath],
        ...[paths.userInfoPath, paths.permissionsPath, paths.capabilitiesPath],
      ],
    },
  ]);
  // The service that forwards the JWT has checked where it was sent.
  const anywhere = { isAnonymousUrl: () => true, isReading: () => true };
  const forwarded = identifyCaller({ ...identity, ...anywhere, audience: AUDIENCE_REST });
  const internal = identifyCaller({ ...identity, audience: AUDIENCE_INTERNAL });
  // Outside of the API a token is needed unless an anonymous pattern matches the path, and the permission to use the
  // API only if a pattern says that the path is protected like it (contract/decisions.md#68).
  const isExempt: PathTest = (path) => isAnonymous(path) || !isProtected(path);
  const outsideChain = createRequestChain(identify, share, [
    { check: requireRestEnabled(accessOf, isExempt) },
    { check: (request) => refuseRehearsal(request, true) },
    { check: receiveChangeReason },
    ...ifLogged(() => noteOperation('controller')),
  ]);
  return {
    rest: createRouter().use(toMiddleware(restChain)),
    frequent: createFrequentRoutes(paths.basePath, restChain),
    outside: { router: createRouter(), guard: toMiddleware(outsideChain) },
    forwarded: createRouter().use(
      toMiddleware(
        createRequestChain(
          forwarded,
          share,
          ifLogged(() => noteOperation('file')),
        ),
      ),
    ),
    internal: createRouter().use(
      toMiddleware(
        createRequestChain(
          internal,
          shareRequest(true),
          ifLogged(() => noteOperation('report')),
        ),
      ),
    ),
  };
}

const toMiddleware =
  (chainOf: RequestChain): RequestHandler =>
  (request, response, next) =>
    chainOf(request.path)(request, response, next);

const OF_HISTORY = new RegExp(`^${HISTORY_PATH}/(?:changes/[^/]+/undo|[^/]+/[^/]+/restore)$`);

/** Imports, writes of `/entities/{entity}` and `/{id}` below it, restorations, and undoing a change can be rolled back. */
const refuseOtherRehearsals =
  ({ entitiesPath, servicesPath }: Pick<Engine['config']['paths'], 'entitiesPath' | 'servicesPath'>): RequestCheck =>
  (request) => {
    const [entity, id, ...others] = request.path.startsWith(`${entitiesPath}/`)
      ? request.path.slice(entitiesPath.length + 1).split('/')
      : [];
    const isOne = entity !== undefined && others.length === 0 && (request.method !== 'POST' || (id ?? '') === '');
    const isRestoration = others.length === 1 && others[0] === 'restore';
    // A service method says itself whether it can be rehearsed.
    const isCall = request.path.startsWith(`${servicesPath}/`);
    const isKnown = isOne || isRestoration || isCall || request.path.startsWith(`${IMPORTS_PATH}/`);
    if (!isKnown && !OF_HISTORY.test(request.path)) refuseRehearsal(request);
  };

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
const requireRestEnabled =
  (accessOf: AccessOf, isExempt: PathTest): RequestCheck =>
  (request, response) => {
    const principal = principalOf(response);
    if (principal === undefined) throw new PlatformError('AUTH_UNAUTHORIZED');
    // Most callers have the permission: only for others the path is compared with the patterns.
    const access = accessOf(principal);
    if (!access.hasSpecific('rest.enabled') && !isExempt(request.originalUrl))
      assertSpecific(access, 'rest.enabled', 'ACCESS_REST_DENIED', 'User is not allowed to use the REST API');
  };
