import type { ServerResponse } from 'node:http';
import { cutResponse } from '@lintel/http';
import type { TokenCache } from './token-cache.ts';

export interface StreamCheck {
  readonly tokens: Pick<TokenCache, 'whenEnded'>;
  readonly intervalMs: number;
  /** The session of the ticket that the stream began with: events about others do not concern it. */
  readonly sessionId?: string | undefined;
}

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
  { tokens, intervalMs, sessionId }: StreamCheck,
): void {
  const check = (): void => void checkToken().catch(() => cutResponse(response));
  const timer = setInterval(check, intervalMs).unref();
  // A check of a token is a look into the cache; that of a session is a request to auth.
  const forget = tokens.whenEnded((ended) => {
    if (sessionId === undefined || (typeof ended === 'object' && 'tags' in ended && ended.tags.includes(sessionId)))
      check();
  });
  response.once('close', () => {
    clearInterval(timer);
    forget();
  });
}
