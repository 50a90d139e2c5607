import type { ServerResponse } from 'node:http';
import type { Identity, TokenCache } from './token-cache.ts';

/**
 * Destroys a stream when its token is no longer valid: expired, revoked, replaced, or it cannot be checked. The client
 * reconnects with its current token.
 *
 * @param response one that has not closed yet; the checks stop when it closes
 * @param identify checks the token of the request; called repeatedly
 * @param intervalMs time between two checks; events about tokens cause additional ones
 */
export function endWithToken(
  response: ServerResponse,
  identify: () => Promise<Identity>,
  { tokens, intervalMs }: { readonly tokens: Pick<TokenCache, 'whenEnded'>; readonly intervalMs: number },
): void {
  const check = (): void => void identify().catch(() => response.destroy());
  const timer = setInterval(check, intervalMs).unref();
  const forget = tokens.whenEnded(check);
  response.once('close', () => {
    clearInterval(timer);
    forget();
  });
}
