import { createHash, timingSafeEqual } from 'node:crypto';
import type Provider from 'oidc-provider';
import { invalidGrant } from '../../tokens/oauth/refusals.ts';
import { ConsumedError } from '../storage/model-names.ts';
import { openLogin } from './open-login.ts';
import type { GrantRequest, TokenGrant, TokenGrantDeps } from './token-grant-deps.ts';

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

type AuthorizationCode = InstanceType<Provider['AuthorizationCode']> & {
  readonly accountId: string;
  readonly grantId: string;
  /** Seconds since the epoch. */
  readonly consumed?: number;
};

/**
 * Exchanges the code of a login for tokens and a new session (RFC 6749 §4.1.3, RFC 7636). A code can be used once: a
 * second use ends all tokens and sessions that were issued for it (RFC 9700 §2.1.1).
 */
export const authorizationCodeGrant: TokenGrant = async (request, deps) => {
  const code = await usableCode(request, deps);
  return openLogin(request, deps, {
    gty: 'authorization_code',
    accountId: code.accountId,
    grantId: code.grantId,
    scope: code.scope,
    authTime: code.authTime,
    acr: code.acr,
    amr: code.amr,
    nonce: code.nonce,
    sid: code.sid,
  });
};

/** @throws OAuthFailure invalid_grant for a code that is unknown, used, expired, of another client, or not proven */
async function usableCode(
  { client, address, thumbprint, param }: GrantRequest,
  { provider, sessions, security }: TokenGrantDeps,
) {
  const code = await provider.AuthorizationCode.find(param('code') ?? '', { ignoreExpiration: true });
  if (code === undefined || !isOurs(code) || code.clientId !== client.clientId) throw invalidGrant();
  const { accountId: username, grantId } = code;
  const endReused = async (): Promise<void> => {
    security.record('authorization-code.reused', { username, clientId: client.clientId, address });
    await sessions.endGrant(grantId);
  };
  if (code.consumed) {
    await endReused();
    throw invalidGrant();
  }
  if (code.isExpired || code.redirectUri !== param('redirect_uri')) throw invalidGrant();
  // The code was requested for a key (`dpop_jkt`, RFC 9449 §10).
  if (code.dpopJkt !== undefined && code.dpopJkt !== thumbprint) throw invalidGrant();
  if (!provesPossession(code.codeChallenge, param('code_verifier'))) throw invalidGrant();
  // The authorization endpoint requires a challenge; a code from a time when the client had a secret may have none.
  if (client.isPublic && code.codeChallenge === undefined) throw invalidGrant();
  try {
    await code.consume();
  } catch (error) {
    // An outage of the store is not a second use of the code.
    if (!(error instanceof ConsumedError)) throw error;
    // Two concurrent requests sent the code: one of them is not from the client of the user.
    await endReused();
    throw invalidGrant();
  }
  return code;
}

const isOurs = (code: InstanceType<Provider['AuthorizationCode']>): code is AuthorizationCode =>
  code.accountId !== undefined && code.grantId !== undefined;

/** PKCE with S256; a verifier without a challenge is refused as well (RFC 9700 §2.1.1). */
function provesPossession(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  if (!VERIFIER.test(verifier)) return false;
  const computed = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const expected = Buffer.from(challenge);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}
