import { createUrlMatcher } from '@lintel/contracts';
import type { GatewayConfig } from '../config.ts';

export type UpstreamName = 'auth' | 'data' | 'files' | 'reports';

/** One line of the route table. */
export interface Route {
  /** Shown in the access log. */
  readonly template: string;
  readonly upstream: UpstreamName;
  /** `exchange`: the caller's token becomes a JWT, none is 401. `pass`: headers go through as they are. */
  readonly tokens: 'exchange' | 'pass';
  /** Longest silence of the service. */
  readonly silenceMs: number;
  /** Its answers have no end: they have connections of their own, and last no longer than the caller's token. */
  readonly isStream?: true;
  /** Tests the path as it was sent, still percent-encoded, without the query. */
  readonly matches: (path: string) => boolean;
}

/** Feeds say something once a minute at least (`svc.changes.heartbeat`): whoever does not is gone. */
export const STREAM_SILENCE_MS = 150_000;

type RoutingConfig = Pick<GatewayConfig, 'restPaths' | 'platform' | 'timeouts' | 'upstreamTimeoutMs'>;

const silenceOf = (upstream: UpstreamName, { timeouts, upstreamTimeoutMs }: RoutingConfig): number =>
  timeouts[upstream] ?? upstreamTimeoutMs;

/** The path itself and everything below it. */
const below = (prefix: string) => (path: string) =>
  path.startsWith(prefix) && (path.length === prefix.length || path.charAt(prefix.length) === '/');

/**
 * The route table; the first line that matches decides. Paths outside it are 404. `/health/*` is the
 * gateway's own.
 */
export function createRoutes(config: RoutingConfig, controllerPatterns: readonly string[]): readonly Route[] {
  const { basePath, changesPath, filesPath } = config.restPaths;
  const pass = (prefix: string): Route => ({
    template: `${prefix}/**`,
    upstream: 'auth',
    tokens: 'pass',
    silenceMs: silenceOf('auth', config),
    matches: below(prefix),
  });
  const exchange = (prefix: string, upstream: UpstreamName): Route => ({
    template: `${prefix}/**`,
    upstream,
    tokens: 'exchange',
    silenceMs: silenceOf(upstream, config),
    matches: below(prefix),
  });
  return [
    pass('/oauth'),
    pass('/oauth2'),
    pass('/.well-known'),
    pass('/as-login'),
    pass('/logout'),
    // The reports prefix is fixed, whatever the base path (contract/conventions.md#endpoints).
    exchange('/rest/reports', 'reports'),
    exchange(`${basePath}${filesPath}`, 'files'),
    { ...exchange(`${basePath}${changesPath}`, 'data'), silenceMs: STREAM_SILENCE_MS, isStream: true },
    exchange(basePath, 'data'),
    controllersOutsideBasePath(config, controllerPatterns),
  ];
}

/**
 * Controllers of the application may lie anywhere, and so may what a pattern lists (contract/tokens.md#url-patterns).
 * Paths that no anonymous list opens need a token (contract/decisions.md#38).
 *
 * @param controllerPatterns URL patterns of the application's controllers
 */
function controllersOutsideBasePath(config: RoutingConfig, controllerPatterns: readonly string[]): Route {
  const { platform } = config;
  return {
    template: '(controllers)',
    upstream: 'data',
    tokens: 'exchange',
    silenceMs: silenceOf('data', config),
    matches: createUrlMatcher([
      ...controllerPatterns,
      ...platform.anonymousUrlPatterns,
      ...platform.resourceServerAnonymousUrlPatterns,
      ...platform.authenticatedUrlPatterns,
      ...platform.resourceServerAuthenticatedUrlPatterns,
    ]),
  };
}
