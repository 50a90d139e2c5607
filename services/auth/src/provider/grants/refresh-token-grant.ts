import type { Session } from '@lintel/contracts';
import type { SecurityFacts } from '@lintel/telemetry';
import type Provider from 'oidc-provider';
import type { OAuthFailure } from '../../tokens/oauth/oauth-failure.ts';
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
import { type IssuedTokens, type IssueOptions, isRecent, issueOnce } from './issue-once.ts';
import type { GrantRequest, TokenGrant, TokenGrantDeps } from './token-grant-deps.ts';

/** How long the tokens of a refresh are kept for requests that began before it ended. */
const MAX_OVERLAP_MS = 10_000;

type AnyRefreshToken = InstanceType<Provider['RefreshToken']>;
/** A refresh token that our grants have created. */
type RefreshToken = AnyRefreshToken & {
  readonly grantId: string;
  readonly gty: string;
  /** Seconds since the epoch. */
  readonly consumed?: number;
};

const isOurs = (token: AnyRefreshToken | undefined): token is RefreshToken =>
  token?.grantId !== undefined && token.gty !== undefined;

/**
 * Exchanges a refresh token for a new access token (contract/tokens.md#refresh, contract/decisions.md#42, #86). Earlier
 * access tokens end at once. The user need not log in again, but must still be active and have the password of the
 * login.
 */
export const refreshTokenGrant: TokenGrant = async (request, deps) => {
  const { client, thumbprint, param } = request;
  const { sessions, clock } = deps;
  const value = param('refresh_token') ?? '';
  const refreshToken = await usableRefreshToken(value, request, deps);
  const scope = narrowedScope(refreshToken, request);
  const isConfirmed = await deps.mayRefresh(refreshToken.grantId);
  const session = refreshToken.sid === undefined || !isConfirmed ? undefined : await sessions.resume(refreshToken.sid);
  if (session === undefined) {
    await sessions.endGrant(refreshToken.grantId);
    throw unknownRefreshToken(request.family);
  }
  const tokens = await issueOnce(
    {
      presented: value,
      proof: [client.clientId, thumbprint],
      ...(client.reusesRefreshTokens && refreshToken.consumed === undefined
        ? reused(value, refreshToken, session, scope, request, deps)
        : rotated(refreshToken, session, scope, request, deps)),
    },
    deps,
  );
  return userTokenBody(tokens, clock.now());
};

type Issue = Pick<IssueOptions, 'lifeMs' | 'isCurrent' | 'issue'>;

/** A token that stays: requests that overlap with the issue of an access token get this one. */
const reused = (
  value: string,
  token: RefreshToken,
  session: Session,
  scope: string,
  request: GrantRequest,
  deps: TokenGrantDeps,
): Issue => ({
  lifeMs: MAX_OVERLAP_MS,
  isCurrent: (tokens, atMs) => atMs >= request.receivedAtMs && isLive(tokens, scope, deps),
  async issue() {
    await deps.grants.endAccessTokens(token.grantId);
    return issueTokens(value, token, session, scope, request, deps);
  },
});

/** A token that works once: for some seconds, further requests get the same successor. */
const rotated = (
  token: RefreshToken,
  session: Session,
  scope: string,
  request: GrantRequest,
  deps: TokenGrantDeps,
): Issue => ({
  lifeMs: deps.reuseIntervalMs,
  isCurrent: (tokens) => isLive(tokens, scope, deps),
  async issue(earlier, begin) {
    const successor = earlier?.successor ?? (await rotate(token, request, deps, begin));
    // Later on, they belong to the other requests.
    if (earlier?.tokens === undefined) await deps.grants.endAccessTokens(token.grantId);
    return issueTokens(successor, token, session, scope, request, deps);
  },
});

/** Whether an access token has the scope and has not ended. */
const isLive = async (tokens: IssuedTokens, scope: string, { grants }: TokenGrantDeps): Promise<boolean> =>
  tokens.scope === scope && (await grants.findAccessToken(tokens.tokenId)) !== undefined;

async function issueTokens(
  refreshValue: string,
  { accountId, grantId, gty }: RefreshToken,
  session: Session,
  scope: string,
  request: GrantRequest,
  deps: TokenGrantDeps,
): Promise<IssuedTokens> {
  const { provider, sessions } = deps;
  const token = new provider.AccessToken({
    client: request.context.oidc.client,
    accountId,
    grantId,
    gty,
    scope,
    sid: session.id,
  });
  const accessToken = await issueAccessToken(token, session, request, deps);
  if (!(await sessions.confirm(session))) {
    await sessions.endGrant(grantId);
    throw unknownRefreshToken(request.family);
  }
  return {
    accessToken: accessToken.value,
    tokenId: accessToken.id,
    refreshToken: refreshValue,
    expiresAt: accessToken.expiresAt,
    scope,
    sessionId: session.id,
    isBound: request.thumbprint !== undefined,
  };
}

async function usableRefreshToken(value: string, request: GrantRequest, deps: TokenGrantDeps): Promise<RefreshToken> {
  const { family, client } = request;
  const { provider, sessions } = deps;
  const refreshToken = await provider.RefreshToken.find(value, { ignoreExpiration: true });
  if (!isOurs(refreshToken)) throw unknownRefreshToken(family);
  if (refreshToken.clientId !== client.clientId) throw foreignRefreshToken(family);
  // Only the key that the token was issued to, and before anything ends: a thief could otherwise end the login.
  if (refreshToken.jkt !== undefined && refreshToken.jkt !== request.thumbprint) throw unknownRefreshToken(family);
  if (refreshToken.isExpired) {
    await sessions.endGrant(refreshToken.grantId);
    throw expiredRefreshToken(family);
  }
  if (refreshToken.consumed !== undefined && !isRecent(refreshToken.consumed, deps))
    throw await endReused(refreshToken, request, deps);
  return refreshToken;
}

/** Ends the login of a rotated token that is used again: it has leaked (RFC 9700 §4.14.2). */
async function endReused(
  token: RefreshToken,
  request: GrantRequest,
  { security, sessions }: TokenGrantDeps,
): Promise<OAuthFailure> {
  security.record('refresh-token.reused', reuseOf(token, request));
  await sessions.endGrant(token.grantId);
  return unknownRefreshToken(request.family);
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
  deps: TokenGrantDeps,
  begin: (successor: string) => Promise<void>,
): Promise<string> {
  // No request of this client with this proof has rotated it.
  if (old.consumed !== undefined) throw await endReused(old, request, deps);
  const next = new deps.provider.RefreshToken({
    client: request.context.oidc.client,
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
  const successor = await next.save();
  // Before the old token ends: after an outage or the end of this process, the client finds the successor.
  await begin(successor);
  try {
    await old.consume();
  } catch (error) {
    // An outage of the store is not a second use of the token.
    if (!(error instanceof ConsumedError)) throw error;
    // Another request has rotated it since it was found: the same token was used twice.
    throw await endReused(old, request, deps);
  }
  return successor;
}
