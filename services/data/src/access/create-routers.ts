import {
  AUDIENCE_INTERNAL,
  AUDIENCE_REST,
  genericRoutes,
  knownParameters,
  type RouteDescription,
} from '@lintel/contracts';
import { authenticate, checkParameters, createRouter, createStepUp } from '@lintel/http';
import type { RequestHandler } from 'express';
import type { Engine } from '../engine/create-engine.ts';
import { shareRequests } from '../fair-shares/share-requests.ts';
import type { Routers } from '../feature.ts';
import { announceOldParameters } from './announce-old-parameters.ts';
import { requireJsonAcceptable } from './json-acceptable.ts';
import { type PathTest, pathTestsOf } from './path-tests.ts';
import { requireRestEnabled } from './rest-enabled.ts';

/** Creates the routers. Order of the middleware: authenticate → fair share → `rest.enabled` → routes. */
export function createRouters({ ports, config, accessOf, largeBodies }: Engine): Routers {
  const { platform, paths, availableLocales, unknownMembers } = config;
  // The application declares the parameters of queries and service methods.
  const isDeclared = ({ path }: RouteDescription): boolean => /\{(queryName|methodName)\}/.test(path);
  const identity = { verifier: ports.verifier, loadSession: ports.loadSession, availableLocales };
  const stepUp = createStepUp(Object.values(config.stepUp));
  const { isAnonymous, isOpenToEveryUser, isProtected, isReading } = pathTestsOf(config);
  const apiGuards = (isExempt: PathTest): readonly RequestHandler[] => [
    authenticate({
      ...identity,
      audience: AUDIENCE_REST,
      scope: platform.apiScope,
      isAnonymousUrl: isAnonymous,
      isReading,
      stepUp,
    }),
    shareRequests(false, largeBodies),
    requireRestEnabled({ accessOf, isExempt }),
  ];
  const rest = createRouter();
  rest.use(...apiGuards((path) => isAnonymous(path) || isOpenToEveryUser(path)));
  rest.use(paths.entitiesPath, announceOldParameters);
  rest.use(paths.queriesPath, announceOldParameters);
  rest.use(checkParameters(knownParameters(genericRoutes({ ...paths, basePath: '' }), isDeclared), unknownMembers));
  rest.use(
    [
      ...[paths.entitiesPath, paths.metadataPath, paths.messagesPath],
      ...[paths.userInfoPath, paths.permissionsPath, paths.capabilitiesPath],
    ],
    requireJsonAcceptable,
  );
  const internal = createRouter();
  internal.use(authenticate({ ...identity, audience: AUDIENCE_INTERNAL }));
  internal.use(shareRequests(true));
  // Outside of the API a token is needed unless an anonymous pattern matches the path, and the permission to use the
  // API only if a pattern says that the path is protected like it (contract/decisions.md#68).
  const outside = { router: createRouter(), guards: apiGuards((path) => isAnonymous(path) || !isProtected(path)) };
  return { rest, outside, internal };
}
