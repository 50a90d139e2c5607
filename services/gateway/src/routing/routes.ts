import { createUrlMatcher } from '@lintel/contracts';
import type { GatewayConfig } from '../config.ts';
import type { UpstreamName } from '../proxying/create-proxies.ts';

/** One row of the route table. */
export interface Route {
  /** Shown in the access log. */
  readonly template: string;
  readonly upstream: UpstreamName;
  /** `exchange`: the caller's token is exchanged for a JWT, without one: 401. `pass`: headers are not changed. */
  readonly tokens: 'exchange' | 'pass';
  /** Maximum time without a byte from the service. */
  readonly silenceMs: number;
  /** Its responses are streams: they use connections of their own and end with the caller's token. */
  readonly isStream?: true;
  /** A ticket in the URL of a GET may stand for the token (contract/tokens.md#tickets). */
  readonly takesTickets?: true;
  /** Tests the path without the query, as it was sent, still percent-encoded. */
  readonly matches: (path: string) => boolean;
}

/** Longer than the interval of heartbeats of a feed: a feed that exceeds it is lost. */
export const STREAM_SILENCE_MS = 150_000;

/** Template of the route of the application's own controllers and URL patterns. */
export const CONTROLLERS = '(controllers)';

type RoutingConfig = Pick<GatewayConfig, 'restPaths' | 'platform' | 'upstreamTimeoutMs'>;

/** Auth computes nothing for long: a login that hangs is reported soon. */
const AUTH_SILENCE_MS = 30_000;

const silenceOf = (upstream: UpstreamName, { upstreamTimeoutMs }: RoutingConfig): number =>
  upstream === 'auth' ? AUTH_SILENCE_MS : upstreamTimeoutMs;

/** The path itself and everything below it. */
const below = (prefix: string) => (path: string) =>
  path.startsWith(prefix) && (path.length === prefix.length || path.charAt(prefix.length) === '/');

/**
 * The route table; the first row that matches decides. Other paths return 404. The gateway itself responds to
 * `/health/*`.
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
    // Requests have the token of svc.scim.token, which is not a token of a user.
    pass('/scim/v2'),
    // The reports prefix is the same with any base path (contract/conventions.md#endpoints).
    { ...exchange('/rest/reports', 'reports'), takesTickets: true },
    { ...exchange(`${basePath}${filesPath}`, 'files'), takesTickets: true },
    {
      ...exchange(`${basePath}${changesPath}`, 'data'),
      silenceMs: STREAM_SILENCE_MS,
      isStream: true,
      takesTickets: true,
    },
    exchange(basePath, 'data'),
    controllersOutsideBasePath(config, controllerPatterns),
  ];
}

/**
 * Controllers of the application, and URL patterns (contract/tokens.md#url-patterns), may use any path.
 * Paths that no anonymous list opens need a token (contract/decisions.md#38).
 *
 * @param controllerPatterns URL patterns of the application's controllers
 */
function controllersOutsideBasePath(config: RoutingConfig, controllerPatterns: readonly string[]): Route {
  const { platform } = config;
  return {
    template: CONTROLLERS,
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
