/** Successful responses of token endpoints as JSON text; the members are in the order of the contract. */

export interface UserTokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Only for a code whose scope has `openid`. */
  readonly idToken?: string | undefined;
  /** Expiry of the access token, seconds since the epoch. */
  readonly expiresAt: number;
  readonly scope: string;
  readonly sessionId: string;
  /** Whether the access token is bound to a key (RFC 9449 §5). */
  readonly isBound?: boolean;
}

/** Password and refresh grants, at both endpoints (contract/tokens.md#response, contract/decisions.md#45). */
export const userTokenBody = (response: UserTokenResponse, nowMs: number): string =>
  JSON.stringify({
    access_token: response.accessToken,
    token_type: response.isBound === true ? 'DPoP' : 'bearer',
    refresh_token: response.refreshToken,
    expires_in: secondsLeft(response.expiresAt, nowMs),
    scope: response.scope,
    'OAuth2.SESSION_ID': response.sessionId,
    id_token: response.idToken,
  });

/** Client credentials: exactly three members (contract/tokens.md#response, contract/decisions.md#45). */
export const clientTokenBody = (accessToken: string, expiresAt: number, nowMs: number, isBound = false): string =>
  JSON.stringify({
    access_token: accessToken,
    token_type: isBound ? 'DPoP' : 'Bearer',
    expires_in: secondsLeft(expiresAt, nowMs),
  });

/**
 * Remaining whole seconds, rounded down; the moment of issue has passed, so a new token of 12 h has 43199 even within
 * its first millisecond (contract/tokens.md#response).
 */
export const secondsLeft = (expiresAt: number, nowMs: number): number =>
  Math.max(0, Math.ceil(expiresAt - nowMs / 1000) - 1);
