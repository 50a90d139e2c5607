import { ConfigurationError } from '@lintel/config';
import { createProofCheck, PROOF_MEMORY_SECONDS } from '@lintel/http';
import { createFormReceiver } from '@lintel/login';
import type { Router } from 'express';
import { registerApiKeyRoutes } from '../api-keys/api-keys.routes.ts';
import { ClientAdministration } from '../clients/stored/administer-clients.ts';
import { registerClientRoutes } from '../clients/stored/clients.routes.ts';
import type { AuthConfig } from '../config.ts';
import { registerConsentRoutes } from '../consents/consents.routes.ts';
import { registerInternalRoutes } from '../exchange/internal.routes.ts';
import { registerIdentityProviderRoutes } from '../federation/identity-providers.routes.ts';
import { createProviderPages } from '../federation/provider-pages.routes.ts';
import { registerJwksRoute } from '../keys/jwks.routes.ts';
import type { AuthPorts } from '../ports.ts';
import { ClientRegistration } from '../registration/client-registration.ts';
import { registerRegistrationRoutes } from '../registration/registration.routes.ts';
import { REGISTRATION_PATH } from '../registration/registration-metadata.ts';
import { registerSecurityEventRoutes } from '../security-events/security-events.routes.ts';
import { registerSeeAsRoutes } from '../see-as/see-as.routes.ts';
import { registerUserSessionRoutes } from '../sessions/user-sessions.routes.ts';
import { endUserSessions } from '../sessions/user-sessions.ts';
import { createTickets } from '../tickets/create-tickets.ts';
import { registerTicketRoutes } from '../tickets/tickets.routes.ts';
import { registerResourceMetadata } from '../tokens/discovery/resource-metadata.routes.ts';
import { registerTokenLogout } from '../tokens/introspection/logout.routes.ts';
import { registerUserInfo } from '../tokens/introspection/userinfo.routes.ts';
import { receiveProof } from '../tokens/proofs/receive-proof.ts';
import { registerTokenRoutes } from '../tokens/token.routes.ts';
import type { AuthServices } from './create-services.ts';
import type { Issuing } from './issuing.feature.ts';

export interface RoutesDeps {
  readonly ports: AuthPorts;
  readonly config: AuthConfig;
  readonly services: AuthServices;
  readonly issuing: Issuing;
}

/** Routes that the gateway forwards: tokens, keys, discovery, and the pages of logins. */
export function registerPublicRoutes(router: Router, { ports, config, services, issuing }: RoutesDeps): void {
  const { issuer, apiScope } = config.platform;
  const { isHardened } = services;
  const forms = createFormReceiver();
  const { keys, tokens, federation, server } = issuing;
  const isFirstUse = async (key: string): Promise<boolean> =>
    (await ports.keyValues.increment(`dpop:${key}`, PROOF_MEMORY_SECONDS * 1_000)) === 1;
  const proofs = createProofCheck({ issuer, isFirstUse, clock: ports.clock });
  registerTokenRoutes(router, {
    ...services,
    forms,
    clock: ports.clock,
    issuer,
    tokens,
    loadSession: (id) => ports.sessions.load(id),
    thumbprintOf: (request) => receiveProof(request, { issuer, isFirstUse, clock: ports.clock }),
    issue: (...given) => server().issue(...given),
    authorizeDevice: (...given) => server().authorizeDevice(...given),
  });
  const loginPages = services.login.registerPages(router, {
    interactions: () => server().interactions,
    authorize: (...given) => server().authorize(...given),
    forms,
    tokens,
    sessions: ports.sessions,
    proofs,
    device: {
      showDevice: (...given) => server().showDevice(...given),
      hasSession: (...given) => server().hasSession(...given),
      submitDevice: (...given) => server().submitDevice(...given),
      // Codes have no names: only guesses of one address are limited.
      guard: services.nameless('device'),
    },
    logout: {
      show: (...given) => server().showLogout(...given),
      hasSession: (...given) => server().hasSession(...given),
      submit: (...given) => server().submitLogout(...given),
    },
    providers: federation.providers,
  });
  registerTokenLogout(router, { ...services, tokens, proofs, endExternal: federation.endExternal });
  federation.register(router, createProviderPages(loginPages));
  registerUserInfo(router, { tokens, sessions: ports.sessions, accounts: services.accounts, proofs });
  const registration = registrationOf({ ports, config, services, issuing });
  if (registration !== undefined) registerRegistrationRoutes(router, registration);
  issuing.scim?.register(router);
  registerJwksRoute(router, keys);
  registerResourceMetadata(router, { issuer, apiScope, isHardened });
  router.get(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'], (...given) =>
    server().discover(...given),
  );
}

/** Routes of the listener that the gateway never routes to. */
export function registerPrivateRoutes(router: Router, { ports, config, services, issuing }: RoutesDeps): void {
  const { sessions, loginSessions } = services;
  const { tokens, federation, seeAs } = issuing;
  const tickets = createTickets(ports.keyValues, config.ticketLifeMs);
  registerInternalRoutes(router, config.platform.internalSecret, {
    ...services,
    rotation: issuing.rotation,
    findAccessToken: tokens.findAccessToken,
    sessions: ports.sessions,
    sessionService: sessions,
    receivesChanges: () => ports.bus.isConnected(),
    signer: issuing.signer,
    external: federation.external,
    apiKeys: issuing.apiKeys,
    seeAs,
    isAlive: federation.isAlive,
    tickets,
    clock: ports.clock,
  });
  registerConsentRoutes(router, services);
  registerApiKeyRoutes(router, issuing.apiKeys);
  registerSeeAsRoutes(router, seeAs);
  registerSecurityEventRoutes(router, services.securityEvents);
  registerIdentityProviderRoutes(router, federation.administration);
  registerClientRoutes(router, administrationOf({ ports, config, services, issuing }));
  registerTicketRoutes(router, {
    tickets,
    ticketLifeMs: config.ticketLifeMs,
    signer: issuing.signer,
    sessions: ports.sessions,
    isAlive: federation.isAlive,
  });
  const userSessions = {
    ...services,
    sessions: ports.sessions,
    sessionService: {
      // Otherwise the browser of an ended session would get a new one without a password.
      async endLogins(...[username, ended, reason]: Parameters<typeof sessions.endLogins>) {
        for (const { grantId } of ended) await loginSessions.endOfGrant(grantId);
        return sessions.endLogins(username, ended, reason);
      },
    },
  };
  registerUserSessionRoutes(router, userSessions);
  services.login.registerAdministration(router, (request) => endUserSessions(request, userSessions));
}

const administrationOf = ({ ports, config, services, issuing }: RoutesDeps): ClientAdministration =>
  new ClientAdministration({
    ...services,
    store: services.clientStore,
    stored: services.storedClients,
    defaults: config,
    maxClients: config.maxClients,
    problemOf: (client) => issuing.server().problemOf(client),
    clock: ports.clock,
    ids: ports.ids,
  });

/** Undefined where it is switched off. */
function registrationOf(deps: RoutesDeps): ClientRegistration | undefined {
  const { ports, config, services } = deps;
  const { isEnabled, initialToken, scopes, clientLifeMs } = config.registration;
  if (!isEnabled) return undefined;
  if (initialToken === undefined)
    throw new ConfigurationError(['svc.auth.registration.enabled: needs svc.auth.registration.initial-access-token']);
  return new ClientRegistration({
    administration: administrationOf(deps),
    store: services.clientStore,
    initialToken,
    scopes: scopes ?? [config.platform.apiScope],
    clientLifeMs,
    guard: services.nameless('registration'),
    endpoint: `${config.platform.issuer}${REGISTRATION_PATH}`,
    now: () => ports.clock.now(),
  });
}
