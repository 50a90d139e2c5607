import { PlatformError } from '@lintel/errors';
import { clientAddressOf } from '@lintel/http';
import type { SecurityLog } from '@lintel/telemetry';
import type { Request, RequestHandler, Response } from 'express';
import type { LoginCheck } from '../accounts/login-check.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { CheckedTokenRequest } from '../tokens/token.routes.ts';
import { type CreateProviderDeps, createProvider, TOKEN_PATH } from './create-provider.ts';
import { createInteractions, type Interactions } from './interactions.ts';
import { registerGrants } from './register-grants.ts';
import { replayTokenRequest } from './replayed-request.ts';
import { createTokenLookup, type TokenLookup } from './token-lookup.ts';

/** The interface of oidc-provider for the rest of the service. */
export interface OAuthServer {
  readonly tokens: TokenLookup;
  /** Responds to a token request whose client and grant were checked. */
  issue(request: Request, response: Response, checked: CheckedTokenRequest): Promise<void>;
  readonly interactions: Interactions;
  /** Handles authorization requests, and resumes them after the login page. */
  readonly authorize: RequestHandler;
  /** Responds to discovery requests (contract/decisions.md#24). */
  readonly discover: RequestHandler;
}

export interface OAuthServerDeps extends CreateProviderDeps {
  readonly sessions: SessionService;
  readonly checkLogin: LoginCheck;
  readonly signer: TokenSigner;
  readonly clock: Clock;
  readonly security: SecurityLog;
}

/** The URL of the login page contains the request, encrypted: together with cookies it fits into a head of 16 KB. */
const MAX_AUTHORIZATION_LENGTH = 4_096;

/** @throws Error if oidc-provider refuses the metadata of a client */
export async function createOAuthServer(deps: OAuthServerDeps): Promise<OAuthServer> {
  const provider = createProvider(deps);
  registerGrants({ ...deps, provider });
  // oidc-provider reads the metadata of a client at its first use; an error must be reported at the start.
  for (const { clientId } of deps.clients.all()) await provider.Client.find(clientId);
  const handle = provider.callback();
  return {
    tokens: createTokenLookup({ ...deps, provider }),
    issue: (request, response, { family, client, form }) =>
      handle(
        replayTokenRequest(request, TOKEN_PATH, form.toString(), {
          family,
          client,
          acceptLanguage: request.headers['accept-language'],
          address: clientAddressOf(request),
        }),
        response,
      ),
    interactions: createInteractions(provider, deps.pending),
    async authorize(request, response) {
      if (request.url.length > MAX_AUTHORIZATION_LENGTH)
        throw new PlatformError(
          'REQ_URL_TOO_LONG',
          `An authorization request has at most ${MAX_AUTHORIZATION_LENGTH} characters`,
        );
      request.url = withScope(request.url, deps.clients);
      await deps.pending.serve(undefined, () => handle(request, response));
    },
    discover: (request, response) => void handle(request, response),
  };
}

/** A request without a scope requests all scopes of its client; oidc-provider needs them to be named. */
function withScope(path: string, clients: CreateProviderDeps['clients']): string {
  const url = new URL(path, 'http://localhost');
  const client = clients.find(url.searchParams.get('client_id') ?? '');
  if (client === undefined || (url.searchParams.get('scope') ?? '') !== '') return path;
  url.searchParams.set('scope', client.scopes.join(' '));
  return `${url.pathname}${url.search}`;
}
