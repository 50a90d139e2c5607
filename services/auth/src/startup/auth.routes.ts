import { ConfigurationError } from '@lintel/config';
import { createProofCheck, PROOF_MEMORY_SECONDS } from '@lintel/http';
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
import { registerDeviceRoutes } from '../login/device.routes.ts';
import { goOn, type LoginRoutesDeps, registerLoginRoutes } from '../login/login.routes.ts';
import { registerLogoutRoutes } from '../login/logout.routes.ts';
import { createPasswordStep } from '../login/passwords/password-step.routes.ts';
import { registerPasswordRoutes } from '../login/passwords/passwords.routes.ts';
import { FORGOT_PATH } from '../login/passwords/reset.routes.ts';
import { createPendingLogins } from '../login/second-factor/pending-logins.ts';
import { createSecondFactorStep } from '../login/second-factor/second-factor.routes.ts';
import { registerSecurityRoutes } from '../login/second-factor/security/security.routes.ts';
import { registerSignUp } from '../login/sign-up/sign-up.routes.ts';
import { SIGN_UP_PATH } from '../passwords/create-passwords.ts';
import { registerRequireChangeRoute } from '../passwords/require-change.routes.ts';
import type { AuthPorts } from '../ports.ts';
import { createFormReceiver } from '../receive-form.ts';
import { ClientRegistration } from '../registration/client-registration.ts';
import { registerRegistrationRoutes } from '../registration/registration.routes.ts';
import { REGISTRATION_PATH } from '../registration/registration-metadata.ts';
import { createFactorAdministration } from '../second-factor/factors/factor-administration.ts';
import { registerFactorRoutes } from '../second-factor/factors.routes.ts';
import { registerSecurityEventRoutes } from '../security-events/security-events.routes.ts';
import { registerSeeAsRoutes } from '../see-as/see-as.routes.ts';
import { registerUserSessionRoutes } from '../sessions/user-sessions.routes.ts';
import { endUserSessions } from '../sessions/user-sessions.ts';
import { createTickets } from '../tickets/create-tickets.ts';
import { registerTicketRoutes } from '../tickets/tickets.routes.ts';
import { registerResourceMetadata } from '../tokens/discovery/resource-metadata.routes.ts';
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
  const loginDeps: LoginRoutesDeps = {
    ...services,
    forms,
    interactions: () => server().interactions,
    secondFactor: createSecondFactorStep({
      ...services,
      ...services.secondFactors,
      interactions: () => server().interactions,
      pending: createPendingLogins(ports.keyValues, services.secondFactors.cipher),
      goOn,
    }),
    authorize: (...given) => server().authorize(...given),
    passwordStep: createPasswordStep({ ...services.ownPasswords, ...config.passwords }),
    tokens,
    apiScope,
    endExternal: federation.endExternal,
    providers: {
      hasPasswords: config.passwordLogin,
      forgotPath: services.ownPasswords.resets && FORGOT_PATH,
      signUpPath: services.ownPasswords.signUps && SIGN_UP_PATH,
      all: federation.providers,
    },
    secret: config.keyEncryptionSecret,
    proofs,
  };
  registerLoginRoutes(router, loginDeps);
  registerSecurityRoutes(router, {
    ...loginDeps,
    ...services.secondFactors,
    accounts: services.accounts,
    administration: createFactorAdministration({ ...ports, ...services, ...services.secondFactors }),
    clock: ports.clock,
  });
  federation.register(router, createProviderPages(loginDeps));
  registerPasswordRoutes(router, { ports, config, services, issuing }, loginDeps);
  registerSignUp(router, { ports, config, services, issuing }, forms);
  registerLogoutRoutes(router, {
    show: (...given) => server().showLogout(...given),
    hasSession: (...given) => server().hasSession(...given),
    submit: (...given) => server().submitLogout(...given),
    forms,
  });
  registerUserInfo(router, { tokens, sessions: ports.sessions, accounts: services.accounts, proofs });
  registerDeviceRoutes(router, {
    showDevice: (...given) => server().showDevice(...given),
    hasSession: (...given) => server().hasSession(...given),
    submitDevice: (...given) => server().submitDevice(...given),
    forms,
    // Codes have no names: only guesses of one address are limited.
    guard: services.nameless('device'),
  });
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
  registerFactorRoutes(router, createFactorAdministration({ ...ports, ...services, ...services.secondFactors }));
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
  registerRequireChangeRoute(router, {
    accounts: services.accounts,
    changes: services.ownPasswords.changes,
    endSessions: (request) => endUserSessions(request, userSessions),
  });
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
