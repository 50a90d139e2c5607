import { PlatformError } from '@lintel/errors';
import { networkOf } from '@lintel/http';
import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { KnownCaller } from './rate-limit.ts';

export interface ConcurrencyLimits {
  readonly user: number;
  /** Undefined: no limit for the users of one client together. */
  readonly client: number | undefined;
  /** Maximum for requests without a valid token. */
  readonly address: number;
  /** Maximum for requests of one address whose body arrives slowly. */
  readonly incompleteBodies?: number;
}

/** Bodies arrive slowly over bad lines only; more of them from one address are an attempt to occupy the gateway. */
const MAX_INCOMPLETE_BODIES = 200;

/** Ends the counting of one request; must be called once. */
type End = () => void;

type Scope = 'user' | 'client' | 'address' | 'tokens' | 'bodies';

/** Limits how many requests of a user, of a client and of an address are processed at the same time. */
export interface ConcurrentRequests {
  /** @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After` */
  beginOfCaller(caller: KnownCaller): End;
  /**
   * For requests without a valid token.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  beginOfAddress(address: string): End;
  /**
   * For the exchange of a token, until auth has responded. The maximum is that of requests of the address, but they are
   * counted separately: anonymous requests of an address must not block its users.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  beginToken(address: string): End;
  /**
   * For a body that arrives slowly, until it has arrived.
   *
   * @throws PlatformError REQ_TOO_MANY_REQUESTS with `Retry-After`
   */
  beginBody(address: string): End;
}

export function createConcurrentRequests(limits: ConcurrencyLimits, metrics: Metrics = NO_METRICS): ConcurrentRequests {
  const user = countedBy('user', limits.user, metrics);
  const client = limits.client === undefined ? undefined : countedBy('client', limits.client, metrics);
  const address = countedBy('address', limits.address, metrics);
  const tokens = countedBy('tokens', limits.address, metrics);
  const bodies = countedBy('bodies', limits.incompleteBodies ?? MAX_INCOMPLETE_BODIES, metrics);
  return {
    beginOfCaller({ caller, clientId }) {
      const endOfUser = user(caller);
      if (client === undefined) return endOfUser;
      try {
        const endOfClient = client(clientId);
        return () => {
          endOfUser();
          endOfClient();
        };
      } catch (error) {
        endOfUser();
        throw error;
      }
    },
    beginOfAddress: (from) => address(networkOf(from)),
    beginToken: (from) => tokens(networkOf(from)),
    beginBody: (from) => bodies(networkOf(from)),
  };
}

/** Begins to count one more of a key. */
function countedBy(scope: Scope, max: number, metrics: Metrics): (key: string) => End {
  const running = new Map<string, number>();
  const refusals: Counter = metrics.counter('lintel.gateway.refusals', { reason: scope });
  return (key) => {
    const count = running.get(key) ?? 0;
    if (count >= max) {
      refusals.add(1);
      throw tooMany(scope, max);
    }
    running.set(key, count + 1);
    return () => {
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    };
  };
}

const ofRequests = (scope: Scope) => (max: number) => `The ${scope} has ${max} requests that are being processed`;

const DESCRIPTIONS: Readonly<Record<Scope, (max: number) => string>> = {
  user: ofRequests('user'),
  client: ofRequests('client'),
  address: ofRequests('address'),
  tokens: (max) => `The address has ${max} tokens that are being checked`,
  bodies: (max) => `The address has ${max} requests whose body has not arrived`,
};

const tooMany = (scope: Scope, max: number): PlatformError =>
  new PlatformError('REQ_TOO_MANY_REQUESTS', `${DESCRIPTIONS[scope](max)}; try again later`, {
    headers: { 'Retry-After': '1' },
  });
