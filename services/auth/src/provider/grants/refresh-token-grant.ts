import type { SecurityFacts } from '@lintel/telemetry';
import type Provider from 'oidc-provider';
import {
  expiredRefreshToken,
  foreignRefreshToken,
  unknownRefreshToken,
  widerScope,
} from '../../tokens/oauth/refusals.ts';
import { splitScope } from '../../tokens/token-request.ts';
import { userTokenBody } from '../../tokens/token-response.ts';
import { ConsumedError } from '../storage/model-names.ts';
import { issueAccessToken } from './issue-access-token.ts';
import type { GrantRequest, TokenGrant, TokenGrantDeps } from './token-grant-deps.ts';

type AnyRefreshToken = InstanceType<Provider['RefreshToken']>;
/** A refresh token that our grants have created. */
type RefreshToken = AnyRefreshToken & { readonly grantId: string; readonly gty: string };

const isOurs = (token: AnyRefreshToken | undefined): token is RefreshToken =>
  token?.grantId !== undefined && token.gty !== undefined;

/**
 * Exchanges a refresh token for a new access token (contract/tokens.md#refresh, contract/decisions.md#42). Earlier
 * access tokens end at once. The user need not log in again, but must still be active and have the password of the
 * login.
 */
export const refreshTokenGrant: TokenGrant = async (request, deps) => {
  const { context, param } = request;
  const { provider, sessions, grants, clock } = deps;
  const value = param('refresh_token') ?? '';
  const refreshToken = await usableRefreshToken(value, request, deps);
  const scope = narrowedScope(refreshToken, request);
  const isConfirmed = await deps.mayRefresh(refreshToken.grantId);
  const session = refreshToken.sid === undefined || !isConfirmed ? undefined : await sessions.resume(refreshToken.sid);
  if (session === undefined) {
    await sessions.endGrant(refreshToken.grantId);
    throw unknownRefreshToken(request.family);
  }
  const nextValue = request.client.reusesRefreshTokens ? value : await rotate(refreshToken, request, deps);
  await grants.endAccessTokens(refreshToken.grantId);
  const token = new provider.AccessToken({
    client: context.oidc.client,
    accountId: refreshToken.accountId,
    grantId: refreshToken.grantId,
    gty: refreshToken.gty,
    scope,
    sid: session.id,
  });
  const accessToken = await issueAccessToken(token, session, request, deps);
  if (!(await sessions.confirm(session))) {
    await sessions.endGrant(refreshToken.grantId);
    throw unknownRefreshToken(request.family);
  }
  return userTokenBody(
    {
      accessToken: accessToken.value,
      refreshToken: nextValue,
      expiresAt: accessToken.expiresAt,
      scope,
      sessionId: session.id,
      isBound: request.thumbprint !== undefined,
    },
    clock.now(),
  );
};

async function usableRefreshToken(
  value: string,
  request: GrantRequest,
  { provider, sessions, security }: TokenGrantDeps,
): Promise<RefreshToken> {
  const { family, client } = request;
  const refreshToken = await provider.RefreshToken.find(value, { ignoreExpiration: true });
  if (!isOurs(refreshToken)) throw unknownRefreshToken(family);
  if (refreshToken.clientId !== client.clientId) throw foreignRefreshToken(family);
  // Only the key that the token was issued to, and before anything ends: a thief could otherwise end the login.
  if (refreshToken.jkt !== undefined && refreshToken.jkt !== request.thumbprint) throw unknownRefreshToken(family);
  if (refreshToken.isExpired) {
    await sessions.endGrant(refreshToken.grantId);
    throw expiredRefreshToken(family);
  }
  if (refreshToken.consumed !== undefined) {
    // A rotated token is used again, so it has leaked: the login ends (RFC 9700 §4.14.2).
    security.record('refresh-token.reused', reuseOf(refreshToken, request));
    await sessions.endGrant(refreshToken.grantId);
    throw unknownRefreshToken(family);
  }
  return refreshToken;
}

const reuseOf = (token: RefreshToken, { client, address }: GrantRequest): SecurityFacts => ({
  username: token.accountId,
  clientId: client.clientId,
  address,
  ...(token.sid === undefined ? {} : { sessionId: token.sid }),
});

function narrowedScope(refreshToken: RefreshToken, { family, param }: GrantRequest): string {
  const granted = refreshToken.scope ?? '';
  const asked = splitScope(param('scope'));
  if (asked.some((scope) => !splitScope(granted).includes(scope))) throw widerScope(family);
  return asked.length === 0 ? granted : asked.join(' ');
}

/** Replaces the refresh token; the new one expires when the old one would have. */
async function rotate(
  old: RefreshToken,
  request: GrantRequest,
  { provider, sessions, security }: TokenGrantDeps,
): Promise<string> {
  const { context, family } = request;
  try {
    await old.consume();
  } catch (error) {
    // An outage of the store is not a second use of the token.
    if (!(error instanceof ConsumedError)) throw error;
    // Another request has rotated it since it was found: the same token was used twice.
    security.record('refresh-token.reused', reuseOf(old, request));
    await sessions.endGrant(old.grantId);
    throw unknownRefreshToken(family);
  }
  const next = new provider.RefreshToken({
    client: context.oidc.client,
    accountId: old.accountId,
    grantId: old.grantId,
    gty: old.gty,
    scope: old.scope ?? '',
    ...(old.sid === undefined ? {} : { sid: old.sid }),
    exp: old.exp,
    iiat: old.iiat,
    rotations: (old.rotations ?? 0) + 1,
    ...(old.jkt === undefined ? {} : { jkt: old.jkt }),
  });
  return next.save();
}
