import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';

export interface JwksCacheOptions {
  readonly jwksUrl: string;
  readonly nowMs: () => number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Signing keys of auth, by `kid`. */
export interface JwksCache {
  /** Key for a token. Rejects with jose's `ERR_JWKS_NO_MATCHING_KEY` where there is none. */
  readonly keyOf: JWTVerifyGetKey;
  /** Fetches the keys now; keeps the old ones where auth does not answer, and asks again soon. */
  refresh(): Promise<void>;
  /** Fetches the keys in the background where they are old. */
  keepFresh(): void;
  /** Rises with every change of the keys: what was verified before may be signed with one that is gone. */
  version(): number;
}

const MAX_AGE_MS = 10 * 60_000;
/** After an unknown `kid`, so that garbage tokens cannot make us hammer auth. */
const COOLDOWN_MS = 5_000;
const FETCH_TIMEOUT_MS = 5_000;

/**
 * Keeps the keys over an outage of auth: once fetched they are used until newer ones arrive, however old.
 * Rejects only while no key was ever fetched.
 */
export function createJwksCache(options: JwksCacheOptions): JwksCache {
  const { nowMs } = options;
  const load = options.fetch ?? globalThis.fetch;
  let keys: JWTVerifyGetKey | undefined;
  let keysText = '';
  let version = 0;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  const fetchKeys = async (): Promise<void> => {
    triedAtMs = nowMs();
    const response = await load(options.jwksUrl, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`the key endpoint answered ${response.status}`);
    const text = await response.text();
    if (text !== keysText) {
      keys = createLocalJWKSet(JSON.parse(text) as Parameters<typeof createLocalJWKSet>[0]);
      keysText = text;
      version += 1;
    }
    fetchedAtMs = nowMs();
  };
  const refresh = (): Promise<void> => {
    pending ??= fetchKeys().finally(() => {
      pending = undefined;
    });
    return pending;
  };
  /** Refresh whose failure does not matter because older keys still serve. */
  const tryRefresh = (): Promise<void> => refresh().catch(() => undefined);

  const keepFresh = (): void => {
    if (keys !== undefined && nowMs() - fetchedAtMs > MAX_AGE_MS && nowMs() - triedAtMs > COOLDOWN_MS)
      void tryRefresh();
  };

  return {
    async keyOf(header, token) {
      if (keys === undefined) await refresh();
      if (keys === undefined) throw new Error('no signing keys');
      try {
        return await keys(header, token);
      } catch (error) {
        if (!isNoMatchingKey(error) || nowMs() - triedAtMs < COOLDOWN_MS) throw error;
        await tryRefresh();
        return keys(header, token);
      }
    },
    async refresh() {
      // What is being fetched may have been asked for before the keys changed.
      if (pending !== undefined) await tryRefresh();
      if (keys === undefined) return refresh();
      fetchedAtMs = Number.NEGATIVE_INFINITY;
      return tryRefresh();
    },
    keepFresh,
    version: () => version,
  };
}

const isNoMatchingKey = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY';
