/** A successful answer of a token endpoint as JSON text; the members stand in the order of the contract. */

export interface UserTokenAnswer {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Only for a code whose scope has `openid`. */
  readonly idToken?: string | undefined;
  /** End of the access token, seconds since the epoch. */
  readonly expiresAt: number;
  readonly scope: string;
  readonly sessionId: string;
}

/** Password and refresh grants, at both endpoints (contract/tokens.md#response, contract/decisions.md#45). */
export const userTokenBody = (answer: UserTokenAnswer, nowMs: number): string =>
  JSON.stringify({
    access_token: answer.accessToken,
    token_type: 'bearer',
    refresh_token: answer.refreshToken,
    expires_in: secondsLeft(answer.expiresAt, nowMs),
    scope: answer.scope,
    'OAuth2.SESSION_ID': answer.sessionId,
    id_token: answer.idToken,
  });

/** Client credentials: exactly three members (contract/tokens.md#response, contract/decisions.md#45). */
export const clientTokenBody = (accessToken: string, expiresAt: number, nowMs: number): string =>
  JSON.stringify({
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: secondsLeft(expiresAt, nowMs),
  });

/**
 * Whole seconds left, rounded down; the moment of issue has passed, so a fresh token of 12 h says 43199
 * even within its first millisecond (contract/tokens.md#response).
 */
export const secondsLeft = (expiresAt: number, nowMs: number): number =>
  Math.max(0, Math.ceil(expiresAt - nowMs / 1000) - 1);
