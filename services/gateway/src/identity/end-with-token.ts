import type { ServerResponse } from 'node:http';
import type { Identity, TokenCache } from './token-cache.ts';

/**
 * Cuts an answer without an end when its token does not count any more: expired, revoked, replaced, or nobody can
 * say. The client comes again, with the token that it has by then.
 *
 * @param response one that has not closed yet: its end ends the questions
 * @param identify who calls, by the token that came with the request; asked for again and again
 * @param intervalMs between two of these, beside those that an event makes
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
