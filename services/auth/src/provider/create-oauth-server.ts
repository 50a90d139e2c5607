import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../ports.ts';
import type { LoginStore } from '../sessions/login.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import type { CheckedTokenRequest } from '../tokens/token.routes.ts';
import { type CreateProviderDeps, createProvider, TOKEN_PATH } from './create-provider.ts';
import { registerGrants } from './register-grants.ts';
import { replayTokenRequest } from './replayed-request.ts';
import { createTokenLookup, type TokenLookup } from './token-lookup.ts';

/** What the rest of the service sees of oidc-provider. */
export interface OAuthServer {
  readonly tokens: TokenLookup;
  /** Answers a token request whose client and grant were checked. */
  issue(request: Request, response: Response, checked: CheckedTokenRequest): Promise<void>;
  /** Answers discovery requests (decisions.md 24). */
  readonly discover: RequestHandler;
}

export interface OAuthServerDeps extends CreateProviderDeps {
  readonly sessions: SessionKeeper;
  readonly logins: LoginStore;
  readonly reuseRefreshTokens: boolean;
  readonly clock: Clock;
}

/** @throws Error where oidc-provider refuses the metadata of a client */
export async function createOAuthServer(deps: OAuthServerDeps): Promise<OAuthServer> {
  const provider = createProvider(deps);
  registerGrants({ ...deps, provider });
  // oidc-provider reads a client's metadata when it is first used; a mistake shall show at the start.
  for (const { clientId } of deps.clients.all()) await provider.Client.find(clientId);
  const handle = provider.callback();
  return {
    tokens: createTokenLookup(provider),
    issue: (request, response, { line, client, form }) =>
      handle(
        replayTokenRequest(request, TOKEN_PATH, form.toString(), {
          line,
          client,
          acceptLanguage: request.headers['accept-language'],
        }),
        response,
      ),
    discover: (request, response) => void handle(request, response),
  };
}
