import { scopesOf } from '../../tokens/token-request.ts';
import { clientTokenBody } from '../../tokens/token-response.ts';
import { issueAccessToken } from './issue-access-token.ts';
import type { TokenGrant } from './token-grant-deps.ts';

/** A token for the client itself, with the client's roles (contract/tokens.md#clients). */
export const clientCredentialsGrant: TokenGrant = async (request, deps) => {
  const { context, family, client, acceptLanguage, param } = request;
  const { provider, sessions, clock } = deps;
  const scope = scopesOf(family, { get: param }, client).join(' ');
  const session = await sessions.openForClient(client, acceptLanguage);
  const token = new provider.ClientCredentials({ client: context.oidc.client, scope });
  token.extra = { sid: session.id };
  const { value, id, expiresAt } = await issueAccessToken(token, session, request, deps);
  await sessions.limitTokens(client, { sessionId: session.id, tokenId: id });
  return clientTokenBody(value, expiresAt, clock.now(), request.thumbprint !== undefined);
};
