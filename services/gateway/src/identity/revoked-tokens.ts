import { LRUCache } from 'lru-cache';

const MAX_REMEMBERED = 100_000;

/**
 * JWTs of clients that were revoked, and sessions that ended, while this replica listened: their
 * signature stays valid until they expire, so they must be remembered. Services see an ended session too.
 */
export class RevokedTokens {
  readonly #keys = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  addToken(tokenHash: string): void {
    this.#keys.set(`token ${tokenHash}`, true);
  }

  addSession(sessionId: string): void {
    this.#keys.set(`session ${sessionId}`, true);
  }

  has(tokenHash: string, sessionId: string): boolean {
    return this.#keys.has(`token ${tokenHash}`) || this.#keys.has(`session ${sessionId}`);
  }
}
