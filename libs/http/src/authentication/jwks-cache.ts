import { CacheMeter, declareCache, type InvalidatedCache } from '@lintel/cache';
import type { Clock } from '@lintel/timing';
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';

export interface JwksCacheOptions {
  readonly jwksUrl: string;
  /** Monotonic, for ages and waits. */
  readonly clock: Clock;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Signing keys of auth, by `kid`. */
export interface JwksCache {
  /** Key for a token. Rejects with jose's `ERR_JWKS_NO_MATCHING_KEY` where there is none. */
  readonly keyOf: JWTVerifyGetKey;
  /** To be attached to the bus: an event, or a possibly missed one, makes the cache fetch the keys again. */
  readonly cache: InvalidatedCache;
  /** Fetches the keys in the background if they are older than `MAX_AGE_MS`. */
  keepFresh(): void;
  /** Increases with each change of the keys: a token verified before may be signed with a removed key. */
  version(): number;
}

const MAX_AGE_MS = 10 * 60_000;

const SIGNING_KEYS = declareCache({
  name: 'signing-keys',
  holds: 'the public keys that auth signs with',
  where: ['gateway', 'data', 'files', 'reports'],
  keyedBy: 'key id',
  maxEntries: 1,
  invalidatedBy: ['auth.keys.rotated.v1'],
  staleness: MAX_AGE_MS,
  ownWrites:
    'a key signs 15 min after it was made, when all verifiers have it; withdrawn keys are refused within a second',
  whileAway: 'auth: the keys stay in use at any age, since auth signs no new tokens meanwhile. Without any keys 503',
});

/** Minimum time between two requests for an unknown `kid`, so that invalid tokens cannot flood auth. */
const COOLDOWN_MS = 5_000;
const FETCH_TIMEOUT_MS = 5_000;

/**
 * Keeps the keys during an outage of auth: fetched keys are used until newer ones arrive, without a maximum age.
 * Rejects only while no key was ever fetched.
 */
export function createJwksCache(options: JwksCacheOptions): JwksCache {
  const { clock } = options;
  const load = options.fetch ?? globalThis.fetch;
  let keys: JWTVerifyGetKey | undefined;
  let keysText = '';
  let version = 0;
  /** Minus infinity if the keys are known to be outdated. */
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  /** When auth last confirmed them. */
  let confirmedAtMs = 0;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  const fetchKeys = async (): Promise<void> => {
    meter.misses += 1;
    triedAtMs = clock.now();
    const response = await load(options.jwksUrl, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`the key endpoint returned ${response.status}`);
    const text = await response.text();
    if (text !== keysText) {
      keys = createLocalJWKSet(JSON.parse(text) as Parameters<typeof createLocalJWKSet>[0]);
      keysText = text;
      version += 1;
    }
    fetchedAtMs = clock.now();
    confirmedAtMs = fetchedAtMs;
  };
  const meter = new CacheMeter(SIGNING_KEYS.name, {
    entries: () => (keys === undefined ? 0 : 1),
    oldestAgeMs: () => (keys === undefined ? 0 : clock.now() - confirmedAtMs),
  });
  const refresh = (): Promise<void> => {
    pending ??= fetchKeys().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  /** A refresh that may fail, because older keys are still usable. */
  const tryRefresh = (): Promise<void> => refresh().catch(() => undefined);

  /** If auth does not respond, the keys stay, and their next use fetches again. */
  const fetchAgain = async (): Promise<void> => {
    // A fetch in flight may have been sent before the keys changed.
    if (pending !== undefined) await tryRefresh();
    // Without any keys the first token fetches them.
    if (keys === undefined) return;
    fetchedAtMs = Number.NEGATIVE_INFINITY;
    await tryRefresh();
  };

  const keepFresh = (): void => {
    if (keys !== undefined && clock.now() - fetchedAtMs > MAX_AGE_MS && clock.now() - triedAtMs > COOLDOWN_MS)
      void tryRefresh();
  };

  return {
    async keyOf(header, token) {
      if (keys === undefined) await refresh();
      if (keys === undefined) throw new Error('no signing keys');
      meter.hits += 1;
      try {
        return await keys(header, token);
      } catch (error) {
        if (!isNoMatchingKey(error) || clock.now() - triedAtMs < COOLDOWN_MS) throw error;
        await tryRefresh();
        return keys(header, token);
      }
    },
    cache: {
      declaration: SIGNING_KEYS,
      meter,
      handleEvent({ type }) {
        if (!(SIGNING_KEYS.invalidatedBy as readonly string[]).includes(type)) return;
        meter.countInvalidation(type);
        void fetchAgain();
      },
      dropAll: () => void fetchAgain(),
      setConnected(isConnected) {
        if (isConnected) meter.countInvalidation('connection');
      },
    },
    keepFresh,
    version: () => version,
  };
}

const isNoMatchingKey = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY';
