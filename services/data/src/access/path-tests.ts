import { anonymousUrlPatternsOf } from '@lintel/config';
import { createUrlMatcher } from '@lintel/contracts';
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
  };
}
