import type { ServerResponse } from 'node:http';
import type { TokenCache } from './token-cache.ts';

/**
 * Destroys a stream when its token is no longer valid: expired, revoked, replaced, or it cannot be checked. The client
 * reconnects with its current token.
 *
 * @param response one that has not closed yet; the checks stop when it closes
 * @param checkToken checks the token of the request, or the session of its ticket; called repeatedly
 * @param intervalMs time between two checks; events about tokens cause additional ones
 */
export function endWithToken(
  response: ServerResponse,
  checkToken: () => Promise<unknown>,
  { tokens, intervalMs }: { readonly tokens: Pick<TokenCache, 'whenEnded'>; readonly intervalMs: number },
): void {
  const check = (): void => void checkToken().catch(() => response.destroy());
  const timer = setInterval(check, intervalMs).unref();
  const forget = tokens.whenEnded(check);
  response.once('close', () => {
    clearInterval(timer);
    forget();
  });
}
