import type { ServerResponse } from 'node:http';
import type { RateLimiter, RateLimitPolicy, RateLimitState, RateLimits } from '@lintel/cache';
import type { RateValue } from '@lintel/config';
import type { CallerKey } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { networkOf } from '@lintel/http';
import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';

/** The key by which a limit counts. */
export type RateLimitScope = 'user' | 'client' | 'address';
export type RateLimitSettings = Readonly<Partial<Record<RateLimitScope, RateValue | undefined>>>;

/** A caller with a valid token. */
export interface KnownCaller {
  readonly caller: CallerKey;
  readonly clientId: string;
}

/** Counts requests against the configured limits, and reports the remaining quota to the client. */
export interface RateLimit {
  /**
   * A promise only if counting takes time.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`; as a rejection if there is a promise
   */
  takeCaller(response: ServerResponse, caller: KnownCaller): Promise<void> | undefined;
  /**
   * For requests without a valid token. As `takeCaller`.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  takeAddress(response: ServerResponse, address: string): Promise<void> | undefined;
  /**
   * Refuses an address that has used up its limit, as far as this process knows. Counts nothing.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  assertAddress(address: string): void;
}

interface Counted {
  readonly policy: RateLimitPolicy;
  readonly policyItem: string;
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
    return {
      policy,
      policyItem: policyItem(policy),
      limiter: limits.limiterOf({ ...policy, name: `rate-limit:${scope}` }),
      refusals,
    };
  };
  const [user, client, address] = [counted('user'), counted('client'), counted('address')];
  if (user === undefined && client === undefined && address === undefined) return undefined;
  return {
    takeCaller(response, caller) {
      if (client === undefined) return user && takeOne(response, user, caller.caller);
      if (user === undefined) return takeOne(response, client, caller.clientId);
      return takeBoth(response, [user, client], caller);
    },
    takeAddress: (response, from) => address && takeOne(response, address, networkOf(from)),
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

/** One limit, as nearly all gateways have: without a promise if the counter is in memory. */
function takeOne(response: ServerResponse, counted: Counted, key: string): Promise<void> | undefined {
  const taken = counted.limiter.take(key);
  if ('then' in taken) return taken.then((state) => report(response, counted, state));
  report(response, counted, taken);
  return undefined;
}

function report(response: ServerResponse, counted: Counted, state: RateLimitState): void {
  const { policy } = counted;
  response.setHeader('RateLimit-Policy', counted.policyItem);
  response.setHeader('RateLimit', stateItem(policy, state));
  if (state.isAllowed) return;
  counted.refusals.add(1);
  throw tooMany(policy, secondsOf(state));
}

async function takeBoth(
  response: ServerResponse,
  counters: readonly [user: Counted, client: Counted],
  { caller, clientId }: KnownCaller,
): Promise<void> {
  const [user, client] = counters;
  const states = await Promise.all([user.limiter.take(caller), client.limiter.take(clientId)]);
  const taken = counters.map((counted, index) => ({ ...counted, state: states[index] as RateLimitState }));
  response.setHeader('RateLimit-Policy', taken.map((each) => each.policyItem).join(', '));
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
