import { clientTokenBody } from '../../tokens/answer.ts';
import { scopesOf } from '../../tokens/token-request.ts';
import { issueAccessToken } from './issue-access-token.ts';
import type { TokenGrant } from './token-grant-deps.ts';

/** A token for the client itself, with the client's roles (specification 5.4). */
export const clientCredentialsGrant: TokenGrant = async (request, deps) => {
  const { context, line, client, acceptLanguage, param } = request;
  const { provider, sessions, clock } = deps;
  const scope = scopesOf(line, { get: param }, client).join(' ');
  const session = await sessions.openForClient(client, acceptLanguage);
  const token = new provider.ClientCredentials({ client: context.oidc.client, scope });
  token.extra = { sid: session.id };
  const { value, expiresAt } = await issueAccessToken(token, session.id, request, deps);
  return clientTokenBody(value, expiresAt, clock.now());
};
