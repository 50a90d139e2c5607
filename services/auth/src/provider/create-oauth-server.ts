import { PlatformError } from '@lintel/errors';
import { clientAddressOf } from '@lintel/http';
import { DEVICE_PATH, type Interactions, type LoginCheck, type LoginHistory, type LoginRecords } from '@lintel/login';
import type { SecurityLog } from '@lintel/telemetry';
import type { Request, RequestHandler, Response } from 'express';
import { errors } from 'oidc-provider';
import type { Client } from '../clients/client.ts';
import type { TokenSigner } from '../keys/sign-token.ts';
import type { Clock } from '../ports.ts';
import type { NotifyClients } from '../sessions/login.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { TokenLookup } from '../tokens/token-lookup.ts';
import type { CheckedTokenRequest } from '../tokens/token-request.ts';
import { toMetadata } from './client-metadata.ts';
import { type CreateProviderDeps, createProvider, DEVICE_AUTHORIZATION_PATH, TOKEN_PATH } from './create-provider.ts';
import { createTokenLookup } from './create-token-lookup.ts';
import { hasWrongCode } from './device-flow.ts';
import type { TokenGrantDeps } from './grants/token-grant-deps.ts';
import { createInteractions } from './interactions.ts';
import { createLogoutNotifier } from './notify-clients.ts';
import { registerGrants } from './register-grants.ts';
import { replayForm, replayTokenRequest } from './replayed-request.ts';

/** The interface of oidc-provider for the rest of the service. */
export interface OAuthServer {
  readonly tokens: TokenLookup;
  /** Responds to a token request whose client and grant were checked. */
  issue(request: Request, response: Response, checked: CheckedTokenRequest): Promise<void>;
  /** Responds to the request of a device for a code; the client may use the grant. */
  authorizeDevice(request: Request, response: Response, checked: CheckedTokenRequest, scope: string): Promise<void>;
  /** Shows the pages on which a user connects a device, and resumes them after the login page. */
  readonly showDevice: RequestHandler;
  /** Whether the browser has a session, which forms of oidc-provider's pages need. */
  hasSession(request: Request, response: Response): Promise<boolean>;
  /** Shows the pages of a logout. */
  readonly showLogout: RequestHandler;
  /** Receives the form of such a page from a browser with a session. */
  submitLogout(request: Request, response: Response, path: string, body: Buffer): Promise<void>;
  /** Receives the form of such a page from a browser with a session. False if its code was wrong. */
  submitDevice(request: Request, response: Response, body: Buffer): Promise<boolean>;
  readonly interactions: Interactions;
  /** Why oidc-provider does not accept a client; undefined if it does. */
  problemOf(client: Client): Promise<string | undefined>;
  /** Ends the login session of a browser. */
  endBrowserSession(uid: string): Promise<void>;
  /** Sends logout tokens to the clients of logins that have ended. */
  readonly notifyClients: NotifyClients;
  /** Handles authorization requests, and resumes them after the login page. */
  readonly authorize: RequestHandler;
  /** Responds to discovery requests (contract/decisions.md#24). */
  readonly discover: RequestHandler;
}

export interface OAuthServerDeps extends CreateProviderDeps {
  readonly keyValues: TokenGrantDeps['keyValues'];
  readonly reuseIntervalMs: TokenGrantDeps['reuseIntervalMs'];
  readonly sessions: SessionService;
  readonly checkLogin: LoginCheck;
  readonly records: LoginRecords;
  readonly signer: TokenSigner;
  readonly clock: Clock;
  /** Whether the identity provider of a grant confirms a refresh. */
  readonly mayRefresh: (grantId: string) => Promise<boolean>;
  readonly security: SecurityLog;
  readonly history: Pick<LoginHistory, 'note'>;
}

/** The URL of the login page contains the request, encrypted: together with cookies it fits into a head of 16 KB. */
const MAX_AUTHORIZATION_LENGTH = 4_096;

/** @throws Error if oidc-provider refuses the metadata of a client */
export async function createOAuthServer(deps: OAuthServerDeps): Promise<OAuthServer> {
  const provider = createProvider(deps);
  registerGrants({ ...deps, provider });
  // oidc-provider reads the metadata of a client at its first use; an error must be reported at the start.
  for (const { clientId } of deps.clients.configured()) await provider.Client.find(clientId);
  const handle = provider.callback();
  const factsFrom = (request: Request, { receivedAtMs, family, client, thumbprint }: CheckedTokenRequest) => ({
    receivedAtMs,
    family,
    client,
    thumbprint,
    acceptLanguage: request.headers['accept-language'],
    address: clientAddressOf(request),
    userAgent: request.headers['user-agent'],
  });
  return {
    tokens: createTokenLookup({ ...deps, provider }),
    issue: (request, response, checked) =>
      handle(replayTokenRequest(request, TOKEN_PATH, checked.form.toString(), factsFrom(request, checked)), response),
    authorizeDevice: (request, response, checked, scope) =>
      handle(
        replayTokenRequest(
          request,
          DEVICE_AUTHORIZATION_PATH,
          String(new URLSearchParams({ client_id: checked.client.clientId, scope })),
          factsFrom(request, checked),
        ),
        response,
      ),
    async problemOf(client) {
      try {
        // Scopes that no client has had before are known when the server is created again.
        const { scope: _, ...metadata } = toMetadata(client, deps);
        await provider.Client.validate(metadata);
        return undefined;
      } catch (error) {
        if (error instanceof errors.InvalidClientMetadata) return error.error_description ?? error.message;
        throw error;
      }
    },
    async endBrowserSession(uid) {
      await deps.loginSessions.end(uid);
      await (await provider.Session.findByUid(uid))?.destroy();
    },
    notifyClients: createLogoutNotifier(provider, deps.logger),
    async showDevice(request, response) {
      // With the code in its URL oidc-provider would show a page that sends itself, by a script.
      request.url = new URL(request.url, 'http://localhost').pathname;
      await deps.pending.serve(undefined, () => handle(request, response));
    },
    async hasSession(request, response) {
      const session = await provider.Session.get(provider.createContext(request, response));
      return session.exp !== undefined;
    },
    showLogout: (request, response) => handle(request, response),
    submitLogout: (request, response, path, body) => handle(replayForm(request, path, body), response),
    async submitDevice(request, response, body) {
      const replayed = replayForm(request, DEVICE_PATH, body);
      await deps.pending.serve(undefined, () => handle(replayed, response));
      return !hasWrongCode(replayed);
    },
    interactions: createInteractions({ ...deps, provider }),
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
