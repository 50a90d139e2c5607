import type { SecurityFacts } from '@lintel/telemetry';
import type Provider from 'oidc-provider';
import { userTokenBody } from '../../tokens/answer.ts';
import { expiredRefreshToken, foreignRefreshToken, unknownRefreshToken, widerScope } from '../../tokens/refusals.ts';
import { splitScope } from '../../tokens/token-request.ts';
import { ConsumedError } from '../storage/model-names.ts';
import { issueAccessToken } from './issue-access-token.ts';
import type { GrantRequest, TokenGrant, TokenGrantDeps } from './token-grant-deps.ts';

type AnyRefreshToken = InstanceType<Provider['RefreshToken']>;
/** A refresh token as our grants make them. */
type RefreshToken = AnyRefreshToken & { readonly grantId: string; readonly gty: string };

const isOurs = (token: AnyRefreshToken | undefined): token is RefreshToken =>
  token?.grantId !== undefined && token.gty !== undefined;

/**
 * A new access token for a refresh token (contract/tokens.md#refresh, contract/decisions.md#42). The access
 * tokens of before end at once. Users are not asked for their password again, but must still be the same:
 * active and with the password of the login.
 */
export const refreshTokenGrant: TokenGrant = async (request, deps) => {
  const { context, param } = request;
  const { provider, sessions, grants, clock } = deps;
  const value = param('refresh_token') ?? '';
  const refreshToken = await usableRefreshToken(value, request, deps);
  const scope = narrowedScope(refreshToken, request);
  const session = refreshToken.sid === undefined ? undefined : await sessions.resume(refreshToken.sid);
  if (session === undefined) {
    await sessions.endGrant(refreshToken.grantId);
    throw unknownRefreshToken(request.line);
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
  const accessToken = await issueAccessToken(token, session.id, request, deps);
  if (!(await sessions.confirm(session))) {
    await sessions.endGrant(refreshToken.grantId);
    throw unknownRefreshToken(request.line);
  }
  return userTokenBody(
    {
      accessToken: accessToken.value,
      refreshToken: nextValue,
      expiresAt: accessToken.expiresAt,
      scope,
      sessionId: session.id,
    },
    clock.now(),
  );
};

async function usableRefreshToken(
  value: string,
  request: GrantRequest,
  { provider, sessions, security }: TokenGrantDeps,
): Promise<RefreshToken> {
  const { line, client } = request;
  const refreshToken = await provider.RefreshToken.find(value, { ignoreExpiration: true });
  if (!isOurs(refreshToken)) throw unknownRefreshToken(line);
  if (refreshToken.clientId !== client.clientId) throw foreignRefreshToken(line);
  if (refreshToken.isExpired) {
    await sessions.endGrant(refreshToken.grantId);
    throw expiredRefreshToken(line);
  }
  if (refreshToken.consumed !== undefined) {
    // A rotated token is used again: somebody else has it. Nobody keeps the login (RFC 9700 §4.14.2).
    security.record('refresh-token.reused', reuseOf(refreshToken, request));
    await sessions.endGrant(refreshToken.grantId);
    throw unknownRefreshToken(line);
  }
  return refreshToken;
}

const reuseOf = (token: RefreshToken, { client, address }: GrantRequest): SecurityFacts => ({
  username: token.accountId,
  clientId: client.clientId,
  address,
  ...(token.sid === undefined ? {} : { sessionId: token.sid }),
});

function narrowedScope(refreshToken: RefreshToken, { line, param }: GrantRequest): string {
  const granted = refreshToken.scope ?? '';
  const asked = splitScope(param('scope'));
  if (asked.some((scope) => !splitScope(granted).includes(scope))) throw widerScope(line);
  return asked.length === 0 ? granted : asked.join(' ');
}

/** Replaces the refresh token; the new one ends when the old one would have. */
async function rotate(
  old: RefreshToken,
  request: GrantRequest,
  { provider, sessions, security }: TokenGrantDeps,
): Promise<string> {
  const { context, line } = request;
  try {
    await old.consume();
  } catch (error) {
    // A store that is away says nothing of who brought the token.
    if (!(error instanceof ConsumedError)) throw error;
    // Another request rotated it since it was found: the same token was used twice.
    security.record('refresh-token.reused', reuseOf(old, request));
    await sessions.endGrant(old.grantId);
    throw unknownRefreshToken(line);
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
  });
  return next.save();
}
