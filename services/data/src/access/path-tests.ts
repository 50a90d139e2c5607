import { anonymousUrlPatternsOf } from '@lintel/config';
import { AGGREGATES_PATH, createUrlMatcher, SEARCH_PATH } from '@lintel/contracts';
import type { DataConfig } from '../config.ts';

export type PathTest = (path: string) => boolean;

/** Which paths need what from their callers before the checks of a route (contract/roles.md#rest-enabled). */
export interface PathTests {
  /** Callers without a token are accepted. */
  readonly isAnonymous: PathTest;
  /** Every caller with a token is accepted. */
  readonly isOpenToEveryUser: PathTest;
  /** Outside of the API: needs the right to use it. */
  readonly isProtected: PathTest;
  /** Requests that read instances, or what the API says of itself, and run no code that may write. */
  readonly isReading: (method: string, path: string) => boolean;
}

export function pathTestsOf({ platform, paths }: Pick<DataConfig, 'platform' | 'paths'>): PathTests {
  return {
    isAnonymous: createUrlMatcher(anonymousUrlPatternsOf({ platform, paths })),
    isOpenToEveryUser: createUrlMatcher([
      `${paths.basePath}${paths.docsPath}/**`,
      `${paths.basePath}${paths.capabilitiesPath}`,
      `${paths.basePath}/version`,
    ]),
    isProtected: createUrlMatcher([
      ...platform.authenticatedUrlPatterns,
      ...platform.resourceServerAuthenticatedUrlPatterns,
    ]),
    isReading: readingTest(paths),
  };
}

/** Service methods and controllers are not among them: those of the application decide what a GET does. */
function readingTest(paths: DataConfig['paths']): PathTests['isReading'] {
  const below = (path: string): string => `${paths.basePath}${path}`;
  const reads = createUrlMatcher([
    ...[paths.entitiesPath, paths.queriesPath, paths.changesPath, paths.metadataPath, paths.messagesPath].flatMap(
      (path) => [below(path), `${below(path)}/**`],
    ),
    `${below(AGGREGATES_PATH)}/*`,
    ...[paths.userInfoPath, paths.permissionsPath, paths.capabilitiesPath, '/version', SEARCH_PATH].map(below),
    `${below(paths.docsPath)}/**`,
  ]);
  const searches = createUrlMatcher([
    `${below(paths.entitiesPath)}/*/search`,
    `${below(paths.entitiesPath)}/*/search/count`,
    `${below(AGGREGATES_PATH)}/*`,
    `${below(paths.queriesPath)}/*/*`,
    `${below(paths.queriesPath)}/*/*/count`,
  ]);
  return (method, path) => (method === 'GET' || method === 'HEAD' ? reads(path) : method === 'POST' && searches(path));
}
