import { type Authentication, isAcr } from '@lintel/contracts';
import { originOf } from '../../sessions/origin-of.ts';
import { invalidGrant } from '../../tokens/oauth/refusals.ts';
import { splitScope } from '../../tokens/token-request.ts';
import { bindingOf } from './binding-of.ts';
import { issueAccessToken } from './issue-access-token.ts';
import type { IssuedTokens } from './issue-once.ts';
import type { GrantRequest, TokenGrantDeps } from './token-grant-deps.ts';

/** What a user has granted on the pages, to the client that now redeems a code. */
export interface GrantedLogin {
  readonly gty: string;
  readonly accountId: string;
  readonly grantId: string;
  readonly scope: string | undefined;
  /** When the user logged in, seconds since the epoch. */
  readonly authTime: number | undefined;
  /** How the user was authenticated. */
  readonly acr: string | undefined;
  readonly amr: readonly string[] | undefined;
  readonly nonce?: string | undefined;
  /** The session id of back-channel logout. */
  readonly sid?: string | undefined;
}

/**
 * Opens the session of a login and issues its tokens; an ID token if the scope has `openid`.
 *
 * @throws OAuthFailure invalid_grant if the user or the grant has ended since
 */
export async function openLogin(
  request: GrantRequest,
  deps: TokenGrantDeps,
  login: GrantedLogin,
): Promise<IssuedTokens> {
  const { context, client, acceptLanguage } = request;
  const { provider, accounts, sessions, history } = deps;
  const { grantId, gty } = login;
  const account = await accounts.find(login.accountId);
  const grant = await provider.Grant.find(grantId);
  if (account === undefined || !account.isActive || grant?.clientId !== client.clientId) throw invalidGrant();
  const asked = splitScope(login.scope);
  const scope = (asked.length === 0 ? client.scopes : asked).join(' ');
  const session = await sessions.open(account, client, grantId, acceptLanguage, {
    origin: originOf(request),
    authentication: authenticationOf(login),
    logoutSid: login.sid,
  });
  const parts = {
    client: context.oidc.client,
    accountId: account.username,
    grantId,
    gty,
    scope,
    sid: session.id,
  };
  const [accessToken, refreshValue, idToken] = await Promise.all([
    issueAccessToken(new provider.AccessToken(parts), session, request, deps),
    client.grantTypes.has('refresh_token')
      ? new provider.RefreshToken({ ...parts, ...bindingOf(request) }).save()
      : undefined,
    asked.includes('openid') ? issueIdToken(request, deps, login) : undefined,
  ]);
  if (!(await sessions.confirm(session))) {
    await sessions.endGrant(grantId);
    throw invalidGrant();
  }
  if (gty === 'device_code')
    history.note({
      username: account.username,
      outcome: 'succeeded',
      method: 'device',
      clientId: client.clientId,
      address: request.address,
    });
  return {
    accessToken: accessToken.value,
    tokenId: accessToken.id,
    refreshToken: refreshValue,
    idToken,
    expiresAt: accessToken.expiresAt,
    scope,
    sessionId: session.id,
    isBound: request.thumbprint !== undefined,
  };
}

const authenticationOf = ({ acr, amr = [], authTime }: GrantedLogin): Authentication | undefined =>
  acr === undefined || !isAcr(acr) || authTime === undefined ? undefined : { acr, amr, authTime };

function issueIdToken({ context }: GrantRequest, { provider }: TokenGrantDeps, login: GrantedLogin): Promise<string> {
  const token = new provider.IdToken({ sub: login.accountId }, { ctx: context });
  // Without it the claims have no subject.
  Object.assign(token, { scope: login.scope });
  if (login.authTime !== undefined) token.set('auth_time', login.authTime);
  if (login.acr !== undefined) token.set('acr', login.acr);
  if (login.amr !== undefined) token.set('amr', login.amr);
  if (login.nonce !== undefined) token.set('nonce', login.nonce);
  if (login.sid !== undefined) token.set('sid', login.sid);
  return token.issue({ use: 'idtoken' });
}
