import type { ServerResponse } from 'node:http';
import type { RateLimiter, RateLimitPolicy, RateLimitState, RateLimits } from '@lintel/cache';
import type { RateValue } from '@lintel/config';
import { PlatformError } from '@lintel/errors';
import { networkOf } from '@lintel/http';
import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';

/** The key by which a limit counts. */
export type RateLimitScope = 'user' | 'client' | 'address';
export type RateLimitSettings = Readonly<Partial<Record<RateLimitScope, RateValue | undefined>>>;

/** A caller with a valid token. */
export interface KnownCaller {
  readonly username: string;
  readonly clientId: string;
}

/** Counts requests against the configured limits, and reports the remaining quota to the client. */
export interface RateLimit {
  /**
   * Undefined if requests of callers are not limited.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  takeCaller(response: ServerResponse, caller: KnownCaller): Promise<void> | undefined;
  /**
   * For requests without a valid token.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  takeAddress(response: ServerResponse, address: string): Promise<void>;
  /**
   * Refuses an address that has used up its limit, as far as this process knows. Counts nothing.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  assertAddress(address: string): void;
}

interface Counted {
  readonly policy: RateLimitPolicy;
  readonly limiter: RateLimiter;
  readonly refusals: Counter;
}

/** Sets the header fields of draft-ietf-httpapi-ratelimit-headers-10. Undefined if no limit is configured. */
export function createRateLimit(
  limits: RateLimits,
  settings: RateLimitSettings,
  metrics: Metrics = NO_METRICS,
): RateLimit | undefined {
  const counted = (scope: RateLimitScope): Counted | undefined => {
    const rate = settings[scope];
    if (rate === undefined || rate.limit === Number.POSITIVE_INFINITY) return undefined;
    const policy = { name: scope, limit: rate.limit, windowSeconds: rate.windowSeconds };
    const refusals = metrics.counter('lintel.gateway.rate_limit.refusals', { limit: scope });
    return { policy, limiter: limits.limiterOf({ ...policy, name: `rate-limit:${scope}` }), refusals };
  };
  const [user, client, address] = [counted('user'), counted('client'), counted('address')];
  if (user === undefined && client === undefined && address === undefined) return undefined;
  return {
    takeCaller: (response, { username, clientId }) =>
      user === undefined && client === undefined
        ? undefined
        : take(response, [
            [user, username],
            [client, clientId],
          ]),
    takeAddress: (response, from) => take(response, [[address, networkOf(from)]]),
    assertAddress(from) {
      const state = address?.limiter.usedUp(networkOf(from));
      if (address === undefined || state === undefined) return;
      address.refusals.add(1);
      throw tooMany(address.policy, secondsOf(state), {
        'RateLimit-Policy': policyItem(address.policy),
        RateLimit: stateItem(address.policy, state),
      });
    },
  };
}

async function take(
  response: ServerResponse,
  keys: readonly (readonly [counted: Counted | undefined, key: string])[],
): Promise<void> {
  const taken = await Promise.all(
    keys.flatMap(([counted, key]) =>
      counted === undefined ? [] : [counted.limiter.take(key).then((state) => ({ ...counted, state }))],
    ),
  );
  if (taken.length === 0) return;
  response.setHeader('RateLimit-Policy', taken.map(({ policy }) => policyItem(policy)).join(', '));
  response.setHeader('RateLimit', taken.map(({ policy, state }) => stateItem(policy, state)).join(', '));
  const exceeded = taken.filter(({ state }) => !state.isAllowed);
  const [first] = exceeded;
  if (first === undefined) return;
  for (const { refusals } of exceeded) refusals.add(1);
  const seconds = Math.max(...exceeded.map(({ state }) => secondsOf(state)));
  throw tooMany(first.policy, seconds);
}

const tooMany = (
  { name, limit, windowSeconds }: RateLimitPolicy,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): PlatformError =>
  new PlatformError(
    'REQ_TOO_MANY_REQUESTS',
    `The ${name} has made more than ${limit} requests within ${windowSeconds} seconds; try again in ${seconds} seconds`,
    { headers: { ...headers, 'Retry-After': String(seconds) } },
  );

const policyItem = ({ name, limit, windowSeconds }: RateLimitPolicy): string =>
  `"${name}";q=${limit};w=${windowSeconds}`;

const stateItem = ({ name }: RateLimitPolicy, state: RateLimitState): string =>
  `"${name}";r=${state.remaining};t=${secondsOf(state)}`;

const secondsOf = ({ resetMs }: RateLimitState): number => Math.max(1, Math.ceil(resetMs / 1_000));
