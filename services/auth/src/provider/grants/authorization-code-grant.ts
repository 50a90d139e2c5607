import { createHash } from 'node:crypto';
import { isSameSecret } from '@lintel/http';
import type Provider from 'oidc-provider';
import type { OAuthFailure } from '../../tokens/oauth/oauth-failure.ts';
import { invalidGrant } from '../../tokens/oauth/refusals.ts';
import { userTokenBody } from '../../tokens/token-response.ts';
import { ConsumedError } from '../storage/model-names.ts';
import { isRecent, issueOnce } from './issue-once.ts';
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
 * second use ends all tokens and sessions that were issued for it (RFC 9700 §2.1.1). For some seconds, a client that
 * proves a code with PKCE gets the same tokens again: their response may have been lost (contract/decisions.md#86).
 */
export const authorizationCodeGrant: TokenGrant = async (request, deps) => {
  const { client, thumbprint, param } = request;
  const code = await usableCode(request, deps);
  const tokens = await issueOnce(
    {
      presented: code.jti,
      proof: [client.clientId, thumbprint, code.redirectUri, param('code_verifier')],
      lifeMs: code.codeChallenge === undefined ? 0 : deps.reuseIntervalMs,
      async isCurrent({ sessionId }) {
        if ((await deps.sessions.resume(sessionId)) === undefined) throw invalidGrant();
        return true;
      },
      async issue(earlier, begin) {
        if (earlier === undefined) await use(code, request, deps, begin);
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
      },
    },
    deps,
  );
  return userTokenBody(tokens, deps.clock.now());
};

/** @throws OAuthFailure invalid_grant for a code that is unknown, used, expired, of another client, or not proven */
async function usableCode(request: GrantRequest, deps: TokenGrantDeps): Promise<AuthorizationCode> {
  const code = await deps.provider.AuthorizationCode.find(request.param('code') ?? '', { ignoreExpiration: true });
  if (code === undefined || !isOurs(code) || code.clientId !== request.client.clientId) throw invalidGrant();
  const isUsable = !code.isExpired && isProven(code, request);
  const isRepeatable = code.codeChallenge !== undefined && isRecent(code.consumed, deps);
  if (code.consumed !== undefined && !(isUsable && isRepeatable)) throw await endReused(code, request, deps);
  if (!isUsable) throw invalidGrant();
  return code;
}

/** Whether the client of the code sends everything that the authorization request has bound the code to. */
const isProven = (code: AuthorizationCode, { client, thumbprint, param }: GrantRequest): boolean =>
  code.redirectUri === param('redirect_uri') &&
  // The code was requested for a key (`dpop_jkt`, RFC 9449 §10).
  (code.dpopJkt === undefined || code.dpopJkt === thumbprint) &&
  provesPossession(code.codeChallenge, param('code_verifier')) &&
  // The authorization endpoint requires a challenge; a code from a time when the client had a secret may have none.
  (!client.isPublic || code.codeChallenge !== undefined);

async function use(
  code: AuthorizationCode,
  request: GrantRequest,
  deps: TokenGrantDeps,
  begin: () => Promise<void>,
): Promise<void> {
  // No request with this proof has used it.
  if (code.consumed !== undefined) throw await endReused(code, request, deps);
  // Before the code is used up: after an outage or the end of this process, the client may try again.
  await begin();
  try {
    await code.consume();
  } catch (error) {
    // An outage of the store is not a second use of the code.
    if (!(error instanceof ConsumedError)) throw error;
    // Two concurrent requests sent the code: one of them is not from the client of the user.
    throw await endReused(code, request, deps);
  }
}

async function endReused(
  { accountId: username, grantId }: AuthorizationCode,
  { client: { clientId }, address }: GrantRequest,
  { security, sessions }: TokenGrantDeps,
): Promise<OAuthFailure> {
  security.record('authorization-code.reused', { username, clientId, address });
  await sessions.endGrant(grantId);
  return invalidGrant();
}

const isOurs = (code: InstanceType<Provider['AuthorizationCode']>): code is AuthorizationCode =>
  code.accountId !== undefined && code.grantId !== undefined;

/** PKCE with S256; a verifier without a challenge is refused as well (RFC 9700 §2.1.1). */
function provesPossession(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  if (!VERIFIER.test(verifier)) return false;
  return isSameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge);
}
