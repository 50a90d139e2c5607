import { hash } from 'node:crypto';
import { accessClaimsSchema, type ExchangeRequest, type ExchangeResponse } from '@lintel/contracts';
import { LRUCache } from 'lru-cache';
import type { TokenExchange } from './token-exchange.ts';

/** Who calls, as the services will see it. */
export interface Identity {
  readonly jwt: string;
  /** For the access log and limits. */
  readonly username: string;
  readonly clientId: string;
}

interface Entry extends Identity {
  readonly sessionId: string;
  readonly expiresAtMs: number;
  readonly storedAtMs: number;
}

export interface TokenCacheOptions {
  readonly exchange: TokenExchange;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Longest life of an entry while events arrive (`svc.cache.max-staleness`). */
  readonly maxStalenessMs: number;
  /** Whether the event bus is connected. */
  readonly isConnected: () => boolean;
}

const MAX_ENTRIES = 50_000;
/** Longest life of an entry while revocations cannot be heard (design/architecture.md, Identity). */
const DISCONNECTED_STALENESS_MS = 5_000;
/** A JWT with less left might expire before the service that gets it has verified it. */
const MIN_REMAINING_MS = 5_000;
const ANONYMOUS_KEY = 'anonymous';

/** Name of an opaque token, here and in `auth.token.revoked.v1`. */
export const tokenHashOf = (token: string): string => hash('sha256', token, 'base64url');

/**
 * Remembers exchanged tokens by their names, never by their values. No entry outlives its JWT or the staleness
 * bound, and requests that arrive together ask auth once.
 */
export class TokenCache {
  readonly #options: TokenCacheOptions;
  readonly #entries: LRUCache<string, Entry>;
  readonly #keysBySession = new Map<string, Set<string>>();
  readonly #pending = new Map<string, Promise<Entry>>();
  /** Rises with every eviction: what was asked for before one must not be stored after it. */
  #generation = 0;

  constructor(options: TokenCacheOptions) {
    this.#options = options;
    this.#entries = new LRUCache<string, Entry>({
      max: MAX_ENTRIES,
      dispose: (entry, key) => this.#forgetSession(entry.sessionId, key),
    });
  }

  /**
   * The identity behind a token of a client. Rejects as `TokenExchange.exchange`.
   *
   * @param name the name that `auth.token.revoked.v1` gives it
   */
  identityOf(token: string, name = tokenHashOf(token)): Promise<Identity> {
    return this.#load(name, { token });
  }

  /** The identity of calls without a token. */
  anonymous(): Promise<Identity> {
    return this.#load(ANONYMOUS_KEY, { anonymous: true });
  }

  evictToken(tokenHash: string): void {
    this.#forgetPending();
    this.#entries.delete(tokenHash);
  }

  evictSession(sessionId: string): void {
    this.#forgetPending();
    for (const key of [...(this.#keysBySession.get(sessionId) ?? [])]) this.#entries.delete(key);
  }

  clear(): void {
    this.#forgetPending();
    this.#entries.clear();
  }

  async #load(key: string, request: ExchangeRequest): Promise<Identity> {
    const cached = this.#entries.get(key);
    if (cached !== undefined && this.#isFresh(cached)) return cached;
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      const asked = this.#exchange(key, request).finally(() => {
        if (this.#pending.get(key) === asked) this.#pending.delete(key);
      });
      pending = asked;
      this.#pending.set(key, asked);
    }
    return pending;
  }

  async #exchange(key: string, request: ExchangeRequest): Promise<Entry> {
    const generation = this.#generation;
    const answer = await this.#options.exchange.exchange(request);
    const entry: Entry = {
      jwt: answer.jwt,
      ...callerOf(answer),
      sessionId: answer.sessionId,
      expiresAtMs: answer.expiresAt * 1_000,
      storedAtMs: this.#options.nowMs(),
    };
    if (generation === this.#generation) {
      this.#entries.set(key, entry);
      const keys = this.#keysBySession.get(entry.sessionId);
      if (keys === undefined) this.#keysBySession.set(entry.sessionId, new Set([key]));
      else keys.add(key);
    }
    return entry;
  }

  /** Questions under way were asked too early: nobody may join them and their answers are not kept. */
  #forgetPending(): void {
    this.#generation += 1;
    this.#pending.clear();
  }

  #isFresh(entry: Entry): boolean {
    const nowMs = this.#options.nowMs();
    const stalenessMs = this.#options.isConnected()
      ? this.#options.maxStalenessMs
      : Math.min(DISCONNECTED_STALENESS_MS, this.#options.maxStalenessMs);
    return nowMs - entry.storedAtMs < stalenessMs && entry.expiresAtMs - nowMs > MIN_REMAINING_MS;
  }

  #forgetSession(sessionId: string, key: string): void {
    const keys = this.#keysBySession.get(sessionId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysBySession.delete(sessionId);
  }
}

const callerSchema = accessClaimsSchema.pick({ sub: true, client_id: true });

/** What a JWT that auth has just issued says; the services verify it. */
function callerOf({ jwt }: ExchangeResponse): Pick<Identity, 'username' | 'clientId'> {
  const { sub, client_id } = callerSchema.parse(
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')),
  );
  return { username: sub, clientId: client_id };
}
