import { createHmac } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { ACR_VALUES } from '@lintel/contracts';
import { PROOF_ALGORITHMS } from '@lintel/http';
import {
  DEVICE_PATH,
  END_SESSION_PATH,
  failurePage,
  loginAddress,
  pageContextOf,
  pageHeaders,
  type RequiredAcr,
} from '@lintel/login';
import type { Logger } from '@lintel/telemetry';
import Provider, { type Configuration, errors, type JWK, type KoaContextWithOIDC } from 'oidc-provider';
import type { AccountDirectory } from '../accounts/account.ts';
import type { ClientRegistry } from '../clients/client.ts';
import { ASSERTION_ALGORITHMS } from '../clients/client-keys.ts';
import { AUTHENTICATION_METHODS } from '../clients/client-settings.ts';
import type { Consents } from '../consents/consents.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { REGISTRATION_PATH } from '../registration/registration-metadata.ts';
import type { LoginSessions } from '../sessions/login-sessions.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { isResource, resourceOf } from '../tokens/discovery/resource.ts';
import { CLAIMS_OF_SCOPES, USERINFO_PATH } from '../tokens/introspection/user-claims.ts';
import { REPLAYED_METHOD, toMetadata, withStandardScopes } from './client-metadata.ts';
import { deviceFlow } from './device-flow.ts';
import { existingGrant } from './existing-grant.ts';
import { followLogins } from './follow-logins.ts';
import type { TokenGrantDeps } from './grants/token-grant-deps.ts';
import { loginPolicy } from './login-policy.ts';
import { rpInitiatedLogout } from './logout.ts';
import type { PendingInteractions } from './pending-interactions.ts';
import { factsOf } from './replayed-request.ts';
import { createClientAdapter } from './storage/client-adapter.ts';
import type { GrantStore } from './storage/grant-store.ts';

export interface CreateProviderDeps {
  readonly issuer: string;
  readonly keys: KeyRing;
  readonly clients: ClientRegistry;
  readonly accounts: AccountDirectory;
  readonly grants: GrantStore;
  readonly pending: PendingInteractions;
  /**
   * Connects a grant and the session of the browser with a login at an identity provider.
   *
   * @param grantId undefined while there is no grant, before the consent of the user
   * @param loginId null for a login with a password, undefined for a browser that was logged in before
   * @returns false if the login has ended
   */
  readonly bindLogin: (
    grantId: string | undefined,
    browserSession: string | undefined,
    loginId: string | null | undefined,
  ) => Promise<boolean>;
  readonly cookieSecret: string;
  /** `svc.authserver.scope` */
  readonly apiScope: string;
  /** Whether a code needs a proof of possession (RFC 7636). */
  readonly requiresPkce: boolean;
  /** Whether clients may use the grant `password` (`svc.security.profile`). */
  readonly hasPasswordGrant: boolean;
  readonly loginSessions: LoginSessions;
  /** `svc.authserver.single-sign-on-time-to-live` */
  readonly loginLifeMs: number;
  readonly consents: Consents;
  /** Whether programs may register clients (`svc.auth.registration.enabled`). */
  readonly isRegistrationOpen: boolean;
  readonly requiredAcr: RequiredAcr;
  readonly isPasswordChangeRequired: TokenGrantDeps['isPasswordChangeRequired'];
  readonly sessions: Pick<SessionService, 'endGrant' | 'endNotifiedGrant'>;
  /** Sends requests of oidc-provider to other servers: logout tokens. */
  readonly send: typeof fetch;
  readonly logger: Logger;
}

/** The path of all token requests inside oidc-provider, those to `/oauth/token` included. */
export const TOKEN_PATH = '/oauth2/token';

/** The path of requests of devices for a code. */
export const DEVICE_AUTHORIZATION_PATH = '/oauth2/device_authorization';

/** oidc-provider adds the digest of its script; until then no script is allowed. */
const SELF_SENDING_PAGE = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'";

/** Lengths of the tokens of the two families: 27 and 128 characters (contract/tokens.md#response, #oauth2-response). */
const TOKEN_BITS = { oauth: 160, oauth2: 768 } as const;

/** Creates oidc-provider with our storage, keys, clients, lifetimes and opaque tokens. */
export function createProvider(deps: CreateProviderDeps): Provider {
  const { logger } = deps;
  const provider = new Provider(deps.issuer, configurationOf(deps));
  provider.proxy = true;
  provider.silent = true;
  // The routes have checked the secret in constant time; they attach the client to the request.
  provider.Client.prototype.compareClientSecret = function isCheckedClient(this: { readonly clientId: string }) {
    const request = Provider.ctx?.req;
    return request !== undefined && factsOf(request)?.client.clientId === this.clientId;
  };
  const { host, protocol } = new URL(deps.issuer);
  provider.use(async (context, next) => {
    // URLs in responses are built from the issuer, never from the Host header of a request.
    Object.assign(context.req.headers, { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) });
    // For pages of oidc-provider that send themselves; our own pages replace it.
    context.set('Content-Security-Policy', SELF_SENDING_PAGE);
    context.set('X-Frame-Options', 'DENY');
    await next();
    // Only the gateway sets CORS headers (contract/conventions.md#cors).
    for (const name of Object.keys(context.response.headers))
      if (name.toLowerCase().startsWith('access-control-')) context.remove(name);
    context.remove('Vary');
  });
  followLogins(provider, deps);
  provider.on('server_error', (_context: KoaContextWithOIDC, error: Error) => {
    logger.error({ error }, 'the OAuth provider failed');
  });
  // Errors outside oidc-provider's own handling; Koa would print them itself.
  const emitter: EventEmitter = provider;
  emitter.on('error', (error: Error) => logger.error({ error }, 'the OAuth provider failed'));
  return provider;
}

function configurationOf(deps: CreateProviderDeps): Configuration {
  const { clients, grants } = deps;
  const off = { enabled: false };
  return {
    adapter: (model: string) => (model === 'Client' ? createClientAdapter(deps) : grants.adapterOf(model)),
    jwks: { keys: deps.keys.privateJwks() as readonly JWK[] },
    clients: clients.configured().map((client) => toMetadata(client, deps)),
    scopes: withStandardScopes(clients.all().flatMap(({ scopes }) => scopes)),
    // For discovery only: the routes authenticate clients.
    clientAuthMethods: AUTHENTICATION_METHODS.filter(
      (method) => method === REPLAYED_METHOD || clients.all().some(({ authenticationMethods: of }) => of.has(method)),
    ),
    enabledJWA: {
      clientAuthSigningAlgValues: [...ASSERTION_ALGORITHMS],
      dPoPSigningAlgValues: [...PROOF_ALGORITHMS],
    },
    responseTypes: ['code'],
    acrValues: [...ACR_VALUES],
    discovery: discoveryOf(deps),
    extraParams: {
      resource(_context, value) {
        if (value !== undefined && !isResource([value], deps.issuer))
          throw new errors.InvalidTarget(`the only resource of this server is ${resourceOf(deps.issuer)}`);
      },
    },
    pkce: { required: (_context, { clientId }) => deps.requiresPkce || clients.findPublic(clientId) !== undefined },
    interactions: {
      policy: loginPolicy(deps),
      url: (_context, { uid }) => loginAddress(uid, deps.pending),
    },
    async loadExistingGrant(context) {
      const grant = await existingGrant(context, deps);
      // Without a grant, too: the browser stays logged in if the user then denies consent.
      await bindLogin(context, grant?.jti, deps.bindLogin);
      return grant;
    },
    claims: Object.fromEntries(Object.entries(CLAIMS_OF_SCOPES).map(([scope, claims]) => [scope, [...claims]])),
    fetch: deps.send,
    renderError: (context, { error, error_description: description }) => {
      const page = failurePage(pageContextOf(context.req), description ?? error);
      context.set({ ...pageHeaders() });
      context.body = page.html;
    },
    cookies: { keys: [createHmac('sha256', deps.cookieSecret).update('cookies').digest('base64url')] },
    findAccount: async (_context, subject) => {
      const account = await deps.accounts.find(subject);
      if (account === undefined || !account.isActive) return undefined;
      return { accountId: account.username, claims: () => ({ sub: account.username }) };
    },
    extraTokenClaims: (_context, token) =>
      token.kind === 'ClientCredentials' && 'extra' in token ? token.extra : undefined,
    // A grant of the consent page is created without a request of oidc-provider.
    formats: {
      bitsOfOpaqueRandomness: (context: KoaContextWithOIDC | undefined) =>
        TOKEN_BITS[(context && factsOf(context.req)?.family) ?? 'oauth2'],
    },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    features: {
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      deviceFlow: deviceFlow(deps.apiScope),
      devInteractions: off,
      // The grants bind tokens themselves; oidc-provider binds codes (`dpop_jkt`).
      dPoP: { enabled: true },
      introspection: { enabled: true },
      pushedAuthorizationRequests: off,
      resourceIndicators: off,
      revocation: { enabled: true },
      rpInitiatedLogout: rpInitiatedLogout(),
      // For discovery only: the route also accepts JWT access tokens.
      userinfo: { enabled: true },
    },
    routes: {
      authorization: '/oauth2/authorize',
      code_verification: DEVICE_PATH,
      device_authorization: DEVICE_AUTHORIZATION_PATH,
      end_session: END_SESSION_PATH,
      introspection: '/oauth2/introspect',
      jwks: '/oauth2/jwks',
      revocation: '/oauth2/revoke',
      token: TOKEN_PATH,
      userinfo: USERINFO_PATH,
    },
    ttl: lifetimesOf(deps),
  };
}

/** Members of the discovery document that oidc-provider does not know (RFC 8414 §2, RFC 9728 §4). */
function discoveryOf({ clients, issuer, isRegistrationOpen }: CreateProviderDeps): Record<string, unknown> {
  const methods = AUTHENTICATION_METHODS.filter((method) =>
    clients.all().some(({ authenticationMethods: of }) => of.has(method)),
  );
  return {
    introspection_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    protected_resources: [resourceOf(issuer)],
    ...(isRegistrationOpen && { registration_endpoint: `${issuer}${REGISTRATION_PATH}` }),
  };
}

type LifeMember = 'accessTokenTtlMs' | 'refreshTokenTtlMs' | 'authorizationCodeTtlMs';

/** Maximum time of a user for the login page, and for the consent page. */
const INTERACTION_SECONDS = 600;

/** Lifetimes of all models in seconds, by client if they are settings of the client. */
function lifetimesOf({ clients, loginLifeMs }: CreateProviderDeps): NonNullable<Configuration['ttl']> {
  const ttlOf = (clientId: string | undefined, member: LifeMember): number =>
    Math.max(1, Math.floor((clients.find(clientId ?? '')?.[member] ?? 1_000) / 1000));
  return {
    AccessToken: (_context, token) => ttlOf(token.clientId, 'accessTokenTtlMs'),
    AuthorizationCode: (_context, code) => ttlOf(code.clientId, 'authorizationCodeTtlMs'),
    DeviceCode: INTERACTION_SECONDS,
    ClientCredentials: (_context, token) => ttlOf(token.clientId, 'accessTokenTtlMs'),
    // A grant lives at least as long as its codes and tokens.
    Grant: (_context, { clientId }) =>
      ttlOf(clientId, 'authorizationCodeTtlMs') +
      Math.max(ttlOf(clientId, 'refreshTokenTtlMs'), ttlOf(clientId, 'accessTokenTtlMs')),
    IdToken: 3600,
    Interaction: INTERACTION_SECONDS,
    RefreshToken: (_context, token) => ttlOf(token.clientId, 'refreshTokenTtlMs'),
    // Before the login it only protects the forms of the pages.
    Session: (_context, { accountId }) =>
      accountId === undefined ? INTERACTION_SECONDS : Math.ceil(loginLifeMs / 1_000) + INTERACTION_SECONDS,
  };
}

/** Connects a grant and the session of the browser with the login at an identity provider that its user began with. */
async function bindLogin(
  { oidc: { result, session } }: KoaContextWithOIDC,
  grantId: string | undefined,
  bind: CreateProviderDeps['bindLogin'],
): Promise<void> {
  const loginId = result?.login?.['loginId'];
  const isSameLogin = result?.login === undefined || result.login['isStepUp'] === true;
  const given = isSameLogin ? undefined : typeof loginId === 'string' ? loginId : null;
  if (await bind(grantId, session?.uid, given)) return;
  // Else the browser would be logged in, and nothing would end that. oidc-provider does not accept other values here.
  for (const member of ['accountId', 'loginTs', 'authorizations']) if (session) Reflect.deleteProperty(session, member);
  throw new errors.AccessDenied('The login has ended');
}
