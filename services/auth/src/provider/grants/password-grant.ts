import { ACR_ONE_FACTOR } from '@lintel/contracts';
import { originOf } from '../../sessions/origin-of.ts';
import { loginRefused, passwordChangeRequired, secondFactorRequired } from '../../tokens/oauth/refusals.ts';
import { scopesOf } from '../../tokens/token-request.ts';
import { userTokenBody } from '../../tokens/token-response.ts';
import { bindingOf } from './binding-of.ts';
import { issueAccessToken } from './issue-access-token.ts';
import type { TokenGrant } from './token-grant-deps.ts';

const GRANT_TYPE = 'password';

/** Exchanges user name and password for tokens and a new session (contract/tokens.md#request). */
export const passwordGrant: TokenGrant = async (request, deps) => {
  const { context, family, client, address, acceptLanguage, param } = request;
  const { provider, checkLogin, records, sessions, clock } = deps;
  const scope = scopesOf(family, { get: param }, client).join(' ');
  const username = param('username') ?? '';
  const verdict = await checkLogin({
    username,
    password: param('password') ?? '',
    address,
    clientId: client.clientId,
  });
  if (verdict.kind === 'refused') throw loginRefused(family, verdict.refusal, acceptLanguage);
  const { account } = verdict;
  const from = { clientId: client.clientId, address };
  if (verdict.loginId === undefined && (await deps.isPasswordChangeRequired(account))) {
    records.refused(from, verdict, 'password-change-required');
    throw passwordChangeRequired(acceptLanguage);
  }
  const methods = ['pwd'];
  const acr = await deps.requiredAcr({ account, clientAcr: client.requiredAcr, acrValues: [], methods });
  if (acr !== ACR_ONE_FACTOR) {
    records.refused(from, verdict, 'second-factor-required');
    throw secondFactorRequired(acceptLanguage);
  }
  records.noteRight(from, verdict);
  const grant = new provider.Grant({ accountId: account.username, clientId: client.clientId });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  if (verdict.loginId !== undefined && !(await deps.bindLogin(grantId, undefined, verdict.loginId)))
    throw loginRefused(family, 'bad-credentials', acceptLanguage);
  const session = await sessions.open(account, client, grantId, acceptLanguage, {
    origin: originOf(request),
    authentication: { acr, amr: methods, authTime: Math.floor(clock.now() / 1000) },
  });
  const parts = {
    client: context.oidc.client,
    accountId: account.username,
    grantId,
    gty: GRANT_TYPE,
    scope,
    sid: session.id,
  };
  const [accessToken, refreshValue] = await Promise.all([
    issueAccessToken(new provider.AccessToken(parts), session, request, deps),
    client.grantTypes.has('refresh_token')
      ? new provider.RefreshToken({ ...parts, ...bindingOf(request) }).save()
      : undefined,
  ]);
  if (!(await sessions.confirm(session))) {
    await sessions.endGrant(grantId);
    throw loginRefused(family, 'bad-credentials', acceptLanguage);
  }
  records.succeeded(from, { username: account.username, provider: verdict.provider });
  return userTokenBody(
    {
      accessToken: accessToken.value,
      refreshToken: refreshValue,
      expiresAt: accessToken.expiresAt,
      scope,
      sessionId: session.id,
      isBound: request.thumbprint !== undefined,
    },
    clock.now(),
  );
};
