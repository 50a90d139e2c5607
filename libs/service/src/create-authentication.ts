import { type Cache, createSessionCache, type SessionStore } from '@lintel/cache';
import type { platformSettings, SettingsOf } from '@lintel/config';
import type { Session } from '@lintel/contracts';
import { createTokenVerifier, type RemoteTokenVerifier } from '@lintel/http';
import { type Clock, monotonicClock } from '@lintel/timing';

export interface AuthenticationOptions {
  readonly platform: Pick<SettingsOf<typeof platformSettings>, 'jwksUrl' | 'issuer' | 'cacheMaxStaleness'>;
  readonly sessionStore: Pick<SessionStore, 'load'>;
  /** The time of day, for the ends of tokens. */
  readonly clock: Clock;
}

/** What a service authenticates requests with. `verifier.caches` and `sessions` are to be attached to the bus. */
export interface Authentication {
  readonly verifier: RemoteTokenVerifier;
  readonly sessions: Cache<string, Session | undefined>;
  /** The session that a token names, from the cache or the store. */
  readonly loadSession: (sessionId: string) => Promise<Session | undefined>;
}

/** The verifier of tokens with the keys of auth, and the sessions of a store through a cache. */
export function createAuthentication({ platform, sessionStore, clock }: AuthenticationOptions): Authentication {
  const sessions = createSessionCache({
    sessions: sessionStore,
    maxStalenessMs: platform.cacheMaxStaleness,
    clock: monotonicClock,
  });
  return {
    verifier: createTokenVerifier({ jwksUrl: platform.jwksUrl, issuer: platform.issuer, clock }),
    sessions,
    loadSession: (id) => sessions.get(id),
  };
}
