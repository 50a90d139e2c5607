import type { ServerResponse } from 'node:http';
import type { Identity } from './token-cache.ts';

/**
 * Cuts an answer without an end when its token does not count any more: expired, revoked, replaced, or nobody can
 * say. The client comes again, with the token that it has by then.
 *
 * @param identify who calls, by the token that came with the request; asked for again and again
 */
export function endWithToken(response: ServerResponse, identify: () => Promise<Identity>, intervalMs: number): void {
  const timer = setInterval(() => void identify().catch(() => response.destroy()), intervalMs).unref();
  response.once('close', () => clearInterval(timer));
}
