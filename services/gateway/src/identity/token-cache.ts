import { hash } from 'node:crypto';
import { createCache, declareCache, type Eviction, type InvalidatedCache } from '@lintel/cache';
import {
  accessClaimsSchema,
  type Envelope,
  EVENTS,
  type ExchangeRequest,
  type ExchangeResponse,
} from '@lintel/contracts';
import type { Clock } from '@lintel/timing';
import type { TokenExchange } from './token-exchange.ts';

/** Who calls, as the services will see it. */
export interface Identity {
  readonly jwt: string;
  /** For limits. */
  readonly username: string;
  readonly clientId: string;
  /** For the access log. */
  readonly sessionId: string;
}

interface Entry extends Identity {
  readonly expiresAtMs: number;
}

export interface TokenCacheOptions {
  readonly exchange: TokenExchange;
  /** For ages: it never jumps. */
  readonly clock: Clock;
  /** The time of day, for the ends of tokens. */
  readonly wallClock: Clock;
  /** `svc.cache.max-staleness` */
  readonly maxStalenessMs: number;
  /**
   * Called before auth is asked about a token that is not in the cache. May refuse it by throwing; the function that it
   * returns is called when auth has responded.
   *
   * @param address where the token came from
   */
  readonly admit?: (address: string) => () => void;
}

/** Remembers exchanged tokens by their names, never by their values. */
export interface TokenCache {
  /**
   * The identity behind a token of a client. Rejects as `TokenExchange.exchange`, and as `admit`.
   *
   * @param name the name that `auth.token.revoked.v1` gives it
   * @param address where the token came from; without it `admit` is not called
   */
  identityOf(token: string, name?: string, address?: string): Promise<Identity>;
  /** The identity of calls without a token. */
  anonymous(): Promise<Identity>;
  /**
   * Calls back whenever tokens have ended, for those who go on with one.
   *
   * @returns a function that takes the wish back
   */
  whenEnded(callback: () => void): () => void;
  /** To be attached to the bus. */
  readonly cache: InvalidatedCache;
}

const TOKENS = declareCache({
  name: 'tokens',
  holds: 'the JWT of at most 60 s that a token of a client was exchanged for',
  where: ['gateway'],
  keyedBy: 'SHA-256 of an opaque token, `jti` of a JWT; calls without a token share one',
  maxEntries: 50_000,
  // The services refuse what was exchanged under a key that is gone.
  invalidatedBy: ['auth.token.revoked.v1', 'auth.session.ended.v1', 'auth.keys.rotated.v1'],
  staleness: 'max-staleness',
  whileAway:
    'auth or its Redis: answered to the end of its life, or five seconds before that of its JWT, then 503; asked for again from the last quarter of it',
});

/** A JWT with less left might expire before the service that gets it has verified it. */
const MIN_REMAINING_MS = 5_000;
const ANONYMOUS_KEY = 'anonymous';

/** Name of an opaque token, here and in `auth.token.revoked.v1`. */
export const tokenHashOf = (token: string): string => hash('sha256', token, 'base64url');

/** What a load needs. */
interface Question {
  /** Undefined: calls without a token. */
  readonly token: string | undefined;
  readonly address: string | undefined;
}

const ANONYMOUS_QUESTION: Question = { token: undefined, address: undefined };

const requestOf = ({ token }: Question): ExchangeRequest => (token === undefined ? { anonymous: true } : { token });

/** No entry outlives its JWT or the staleness bound, and requests that arrive together ask auth once. */
export function createTokenCache({ exchange, clock, wallClock, maxStalenessMs, admit }: TokenCacheOptions): TokenCache {
  const waiting = new Set<() => void>();
  const cache = createCache<string, Entry, Question>({
    declaration: TOKENS,
    load: async (_name, question) => entryOf(await exchange.exchange(requestOf(question))),
    admit: ({ address }) => (address === undefined ? undefined : admit?.(address)),
    maxStalenessMs,
    clock,
    wallClock,
    expiresAtMs: ({ expiresAtMs }) => expiresAtMs - MIN_REMAINING_MS,
    loadsAhead: true,
    tagOf: ({ sessionId }) => sessionId,
    evict(event) {
      // After the entries are gone.
      queueMicrotask(() => {
        for (const callback of waiting) callback();
      });
      return evictionOf(event);
    },
  });
  return {
    identityOf: (token, name = tokenHashOf(token), address) => cache.get(name, { token, address }),
    anonymous: () => cache.get(ANONYMOUS_KEY, ANONYMOUS_QUESTION),
    whenEnded(callback) {
      waiting.add(callback);
      return () => void waiting.delete(callback);
    },
    cache,
  };
}

function evictionOf({ type, data }: Envelope): Eviction<string> {
  if (type === 'auth.token.revoked.v1') {
    const { tokenHash, tokenHashes = [] } = EVENTS[type].schema.parse(data);
    return [tokenHash, ...tokenHashes];
  }
  if (type === 'auth.session.ended.v1') {
    const { sessionId, sessionIds = [] } = EVENTS[type].schema.parse(data);
    return { tags: [sessionId, ...sessionIds] };
  }
  return 'all';
}

const callerSchema = accessClaimsSchema.pick({ sub: true, client_id: true });

/** What a JWT that auth has just issued says; the services verify it. */
function entryOf({ jwt, expiresAt, sessionId }: ExchangeResponse): Entry {
  const { sub, client_id } = callerSchema.parse(
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')),
  );
  return { jwt, username: sub, clientId: client_id, sessionId, expiresAtMs: expiresAt * 1_000 };
}
