import type { Federation } from '@lintel/federation';
import type { Scim } from '@lintel/scim';
import { ApiKeys } from '../api-keys/api-keys.ts';
import { createKeyStore, type KeyStore } from '../api-keys/key-store.ts';
import { createKeyUses } from '../api-keys/key-uses.ts';
import type { ClientRegistry } from '../clients/client.ts';
import { ClientAdministration } from '../clients/stored/administer-clients.ts';
import type { AuthConfig } from '../config.ts';
import { createFederationFeature } from '../federation/federation.feature.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { createKeyRotation, type KeyRotation } from '../keys/rotate-keys.ts';
import { createTokenSigner, type TokenSigner } from '../keys/sign-token.ts';
import type { AuthPorts } from '../ports.ts';
import type { OAuthServer, OAuthServerDeps } from '../provider/create-oauth-server.ts';
import { createReplaceableServer } from '../provider/replaceable-server.feature.ts';
import { createScimFeature } from '../scim/scim.feature.ts';
import { SeeAs } from '../see-as/see-as.ts';
import { endClient } from '../sessions/end-client.ts';
import type { TokenLookup } from '../tokens/token-lookup.ts';
import type { AuthServices } from './create-services.ts';

/** Parts that need the signing keys in the database. */
export interface Issuing {
  readonly keys: KeyRing;
  readonly signer: TokenSigner;
  readonly rotation: KeyRotation;
  readonly federation: Federation;
  readonly apiKeys: ApiKeys;
  readonly keyStore: KeyStore;
  readonly tokens: TokenLookup;
  readonly clientAdministration: ClientAdministration;
  readonly scim: Scim | undefined;
  readonly seeAs: SeeAs;
  /** The current OAuth server: a change of clients replaces it. */
  readonly server: () => OAuthServer;
}

const DAY_MS = 24 * 3_600_000;

/** Creates what needs the signing keys. */
export async function createIssuing(
  ports: AuthPorts,
  config: AuthConfig,
  services: AuthServices,
  keys: KeyRing,
): Promise<Issuing> {
  const { database, logger } = ports;
  const { clients, events } = services;
  if (ports.metrics !== undefined) keys.meter.reportTo(ports.metrics);
  const signer = createTokenSigner({ keys, issuer: config.platform.issuer, clock: ports.clock, ids: ports.ids });
  const federation = await createFederationFeature({
    ...services,
    ports,
    config,
    signer,
    endBrowserSession: (uid) => server.current().endBrowserSession(uid),
  });
  services.useDirectories(federation.checkDirectories);
  const keyStore = createKeyStore(database);
  const apiKeys = new ApiKeys({
    ...services,
    store: keyStore,
    uses: createKeyUses({ ...ports, ...services }),
    recordSeen: ports.sessions.recordSeen.bind(ports.sessions),
    signer,
    apiScope: config.platform.apiScope,
    maxLifeMs: config.apiKeys.maxLifeMs,
    maxPerUser: config.apiKeys.maxPerUser,
    clock: ports.clock,
    ids: ports.ids,
  });
  const server = await createReplaceableServer(serverDepsOf(ports, config, services, { keys, signer, federation }));
  const announced = (): string => JSON.stringify(announcedOf(clients));
  let known = announced();
  services.storedClients.onChange(async () => {
    if (announced() === known) return;
    await server.replace();
    known = announced();
  });
  services.useNotifier((ended) => server.current().notifyClients(ended));
  const rotation = createKeyRotation({
    keys,
    events,
    logger,
    intervalMs: config.keyRotationIntervalMs,
    longestTokenMs: Math.max(
      DAY_MS,
      config.accessTokenTtlMs,
      ...clients.all().map(({ accessTokenTtlMs }) => accessTokenTtlMs),
    ),
    onChanged: server.replace,
  });
  const scim = await createScimFeature({ ...services, ports, config, guard: services.authentication.guard });
  const seeAs = new SeeAs({
    ...ports,
    ...services,
    sessions: ports.sessions,
    sessionService: services.sessions,
    signer,
    apiScope: config.platform.apiScope,
  });
  return {
    keys,
    signer,
    federation,
    apiKeys,
    keyStore,
    rotation,
    tokens: server.tokens,
    clientAdministration: new ClientAdministration({
      ...services,
      store: services.clientStore,
      stored: services.storedClients,
      defaults: config,
      endClient: (clientId, reason) => endClient(clientId, reason, services),
      maxClients: config.maxClients,
      problemOf: (client) => server.current().problemOf(client),
      clock: ports.clock,
      ids: ports.ids,
    }),
    scim,
    seeAs,
    server: server.current,
  };
}

/** What the server of OAuth needs of the other parts of the service. */
function serverDepsOf(
  ports: AuthPorts,
  config: AuthConfig,
  services: AuthServices,
  { keys, signer, federation }: Pick<OAuthServerDeps, 'keys' | 'signer'> & { readonly federation: Federation },
): OAuthServerDeps {
  const { loginSessions, isHardened } = services;
  return {
    ...ports,
    ...services,
    loginSessions: {
      ...loginSessions,
      isValid: async (uid: string, username: string) =>
        (await loginSessions.isValid(uid, username)) && !(await federation.checks.hasBrowserExpired(uid)),
    },
    issuer: config.platform.issuer,
    reuseIntervalMs: config.refreshTokenReuseIntervalMs,
    keys,
    signer,
    bindLogin: federation.binding.bind,
    mayRefresh: (grantId: string) => federation.checks.mayRefresh(grantId),
    cookieSecret: config.keyEncryptionSecret,
    apiScope: config.platform.apiScope,
    requiresPkce: isHardened,
    hasPasswordGrant: !isHardened,
    loginLifeMs: config.singleSignOn.lifeMs,
    send: services.logoutClient.send,
    isRegistrationOpen: config.registration.isEnabled,
  };
}

/** What oidc-provider reads of all clients when it is created. */
const announcedOf = (clients: ClientRegistry): readonly string[] =>
  [
    ...new Set(clients.all().flatMap(({ scopes, authenticationMethods }) => [...scopes, ...authenticationMethods])),
  ].sort();
