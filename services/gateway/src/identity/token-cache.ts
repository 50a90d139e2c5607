import { hash } from 'node:crypto';
import { createCache, declareCache, type Eviction, type InvalidatedCache } from '@lintel/cache';
import {
  accessClaimsSchema,
  type CallerKey,
  callerKeyOf,
  type Envelope,
  EVENTS,
  type ExchangeRequest,
  type ExchangeResponse,
} from '@lintel/contracts';
import type { Clock } from '@lintel/timing';
import type { TokenExchange } from './token-exchange.ts';

/** The caller as the services see it. */
export interface Identity {
  readonly jwt: string;
  readonly username: string;
  /** For limits. */
  readonly caller: CallerKey;
  readonly clientId: string;
  /** For the access log. */
  readonly sessionId: string;
  /** A ticket stands for the token, which cannot be checked again. */
  readonly isOfTicket?: true;
  /** Of the key that the token is bound to (RFC 9449). */
  readonly thumbprint?: string | undefined;
}

interface Entry extends Identity {
  readonly expiresAtMs: number;
}

export interface TokenCacheOptions {
  readonly exchange: TokenExchange;
  /** Monotonic, for ages of entries. */
  readonly clock: Clock;
  /** The time of day, for the expiry of tokens. */
  readonly wallClock: Clock;
  /** `svc.cache.max-staleness` */
  readonly maxStalenessMs: number;
  /**
   * Called before a token that is not in the cache is sent to auth. May throw to refuse it; the function that it
   * returns is called when auth has responded.
   *
   * @param address of the client that sent the token
   */
  readonly admit?: (address: string) => () => void;
}

/** Caches exchanged tokens by their names, never by their values. */
export interface TokenCache {
  /**
   * The identity of the client that a token was issued to, without a promise if the token is in the cache. Rejects as
   * `TokenExchange.exchange`, and as `admit`.
   *
   * @param name of the token in `auth.token.revoked.v1`
   * @param address of the client that sent the token; without it `admit` is not called
   */
  identityOf(token: string, name?: string, address?: string): Identity | Promise<Identity>;
  /** The identity of calls without a token. As `identityOf`. */
  anonymous(): Identity | Promise<Identity>;
  /** The identity that a ticket stands for, once: it is not cached. Rejects as `identityOf`. */
  redeem(ticket: Extract<ExchangeRequest, { ticket: string }>, address?: string): Promise<Identity>;
  /** Rejects as `TokenExchange.assertSession`. */
  assertSession(sessionId: string): Promise<void>;
  /**
   * Registers a callback for the end of tokens, for responses that outlive the check of their token. It gets what has
   * ended, after the entries have been removed.
   *
   * @returns a function that removes the callback
   */
  whenEnded(callback: (ended: Eviction<string>) => void): () => void;
  /** To be attached to the bus. */
  readonly cache: InvalidatedCache;
}

const TOKENS = declareCache({
  name: 'tokens',
  holds: 'the JWT, valid for at most 60 s, for which a client’s token was exchanged',
  where: ['gateway'],
  keyedBy: 'SHA-256 of an opaque token, `jti` of a JWT; calls without a token share one',
  maxEntries: 50_000,
  // The services refuse a JWT that was signed with a removed key.
  invalidatedBy: ['auth.token.revoked.v1', 'auth.session.ended.v1', 'auth.keys.rotated.v1'],
  staleness: 'max-staleness',
  ownWrites: 'within a second: a gateway may have no store that it shares with auth',
  whileAway:
    'auth or its Redis: used until the maximum age, or until five seconds before the JWT expires, then 503; refreshed in the last quarter of that time',
});

/** A JWT with a shorter remaining lifetime might expire before the service has verified it. */
const MIN_REMAINING_MS = 5_000;
const ANONYMOUS_KEY = 'anonymous';

/** Name of an opaque token, in this cache and in `auth.token.revoked.v1`. */
export const tokenHashOf = (token: string): string => hash('sha256', token, 'base64url');

/** Input of a load. */
interface TokenLookup {
  /** Undefined for calls without a token. */
  readonly token: string | undefined;
  readonly address: string | undefined;
}

const ANONYMOUS_LOOKUP: TokenLookup = { token: undefined, address: undefined };

const requestOf = ({ token, address }: TokenLookup): ExchangeRequest =>
  token === undefined ? { anonymous: true } : { token, address };

/** No entry outlives its JWT or the staleness bound; concurrent requests with one token share one exchange. */
export function createTokenCache({ exchange, clock, wallClock, maxStalenessMs, admit }: TokenCacheOptions): TokenCache {
  const callbacks = new Set<(ended: Eviction<string>) => void>();
  const cache = createCache<string, Entry, TokenLookup>({
    declaration: TOKENS,
    load: async (_name, lookup) => entryOf(await exchange.exchange(requestOf(lookup))),
    admit: ({ address }) => (address === undefined ? undefined : admit?.(address)),
    maxStalenessMs,
    clock,
    wallClock,
    expiresAtMs: ({ expiresAtMs }) => expiresAtMs - MIN_REMAINING_MS,
    loadsAhead: true,
    tagOf: ({ sessionId }) => sessionId,
    evict(event) {
      const ended = evictionOf(event);
      // Only after the entries have been removed.
      queueMicrotask(() => {
        for (const callback of callbacks) callback(ended);
      });
      return ended;
    },
  });
  return {
    identityOf: (token, name = tokenHashOf(token), address) => cache.find(name, { token, address }),
    anonymous: () => cache.find(ANONYMOUS_KEY, ANONYMOUS_LOOKUP),
    async redeem(ticket, address) {
      const end = address === undefined ? undefined : admit?.(address);
      try {
        return { ...entryOf(await exchange.exchange(ticket)), isOfTicket: true };
      } finally {
        end?.();
      }
    },
    assertSession: (sessionId) => exchange.assertSession(sessionId),
    whenEnded(callback) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
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

/** Reads a JWT that auth has just issued, without verification: the services verify it. */
function entryOf({ jwt, expiresAt, sessionId, thumbprint, isClient }: ExchangeResponse): Entry {
  const { sub, client_id } = callerSchema.parse(
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')),
  );
  const caller = callerKeyOf({ kind: isClient === true ? 'client' : 'user', username: sub });
  return { jwt, username: sub, caller, clientId: client_id, sessionId, thumbprint, expiresAtMs: expiresAt * 1_000 };
}
