import { availableParallelism } from 'node:os';
import { insecureSettings, warnOfInsecurity } from '@lintel/config';
import { PlatformError } from '@lintel/errors';
import type { Subscription } from '@lintel/events';
import { createRouter, createServiceApp, FairQueue, type Readiness } from '@lintel/http';
import { createSecurityLog, type Logger } from '@lintel/telemetry';
import type { Express, RequestHandler } from 'express';
import { countLogins } from './accounts/count-logins.ts';
import { createAccountDirectory } from './accounts/create-account-directory.ts';
import { createLoginCheck, type DirectoryCheck, type LoginCheck } from './accounts/login-check.ts';
import { createLoginHistory, recordLogins } from './accounts/login-history.ts';
import { createAttemptGuard } from './attempts/attempt-guard.ts';
import { createNameDigest } from './attempts/name-digest.ts';
import type { ClientRegistry } from './clients/client.ts';
import type { GrantType } from './clients/client-settings.ts';
import { createClientRegistry } from './clients/create-client-registry.ts';
import { type AuthConfig, safetyOf } from './config.ts';
import { createConsents } from './consents/consents.ts';
import { createEventPublisher } from './event-publisher.ts';
import { registerInternalRoutes } from './exchange/internal.routes.ts';
import { createFederation } from './federation/create-federation.ts';
import { registerOpenIdRoutes } from './federation/openid/openid.routes.ts';
import { groupFacts } from './group-facts.ts';
import { registerJwksRoute } from './keys/jwks.routes.ts';
import { loadKeyRing, RELOAD_INTERVAL_MS } from './keys/key-ring.ts';
import { createKeyRotation, followRotations } from './keys/rotate-keys.ts';
import { createTokenSigner } from './keys/sign-token.ts';
import { registerDeviceRoutes } from './login/device.routes.ts';
import { type LoginRoutesDeps, registerLoginRoutes } from './login/login.routes.ts';
import { LOGIN_PATH } from './login/login-path.ts';
import { registerLogoutRoutes } from './login/logout.routes.ts';
import type { AuthPorts } from './ports.ts';
import { createOAuthServer } from './provider/create-oauth-server.ts';
import { createLogoutClient } from './provider/logout-client.ts';
import { createPendingInteractions } from './provider/pending-interactions.ts';
import { createGrantStore } from './provider/storage/grant-store.ts';
import type { TokenLookup } from './provider/token-lookup.ts';
import { createFormReceiver } from './receive-form.ts';
import { createLoginStore } from './sessions/create-login-store.ts';
import { followChanges, followRoles } from './sessions/follow-changes.ts';
import { createLoginSessions } from './sessions/login-sessions.ts';
import { SessionService } from './sessions/session-service.ts';
import { registerUserSessionRoutes } from './sessions/user-sessions.routes.ts';
import { verifyAssertion } from './tokens/client-assertion.ts';
import { registerResourceMetadata } from './tokens/resource-metadata.routes.ts';
import { forbidCaching } from './tokens/send-oauth.ts';
import { registerTokenRoutes } from './tokens/token.routes.ts';
import type { ClientAuthentication } from './tokens/token-request.ts';
import { registerUserInfo } from './tokens/userinfo.routes.ts';
import { waitForSchema } from './wait-for-schema.ts';

/** The applications of the auth service. */
export interface AuthService {
  /** The checks of `/health/ready`. */
  readonly readiness: Readiness;
  /** Token endpoints, keys and discovery. The gateway routes to it. */
  readonly app: Express;
  /** Token exchange and service tokens, for a port that the gateway never routes to. */
  readonly internalApp: Express;
  /**
   * Waits for the database schema, loads or creates the signing keys and subscribes to changes of users. Until then
   * the response to all requests is 503.
   *
   * @throws ConfigurationError if the key encryption secret does not fit the stored keys
   */
  start(): Promise<void>;
  /** Stops what `start` started. Does not close the ports. */
  close(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
/** Concurrent hashes: each uses one of the four threads that file system and name lookups need as well. */
const MAX_HASHING = 3;
/** About ten seconds of hashing on two processors. */
const MAX_HASHING_WAITING = 1_000;
const MAX_HASHING_WAIT_MS = 30_000;

/**
 * Builds the service from its ports.
 *
 * @throws ConfigurationError naming every contradiction between the clients
 */
export function createAuthService(ports: AuthPorts, config: AuthConfig): AuthService {
  const { database, keyValues, logger } = ports;
  const { issuer, internalSecret, securityProfile } = config.platform;
  const isHardened = securityProfile === 'hardened';
  const clients = createClientRegistry(config);
  const accounts = createAccountDirectory(database);
  const logins = createLoginStore(database);
  const events = createEventPublisher(ports);
  const security = createSecurityLog({
    logger,
    publish: (record) => events.offer('auth.security.recorded.v1', record.name, { ...record }),
  });
  const { enabled: isEnabled, ...limits } = config.bruteForce;
  const nameDigest = createNameDigest(config.keyEncryptionSecret);
  const guards = { ...limits, isEnabled, keyValues, clock: ports.clock, nameDigest };
  const capacity = Math.min(MAX_HASHING, availableParallelism());
  const hashing = new FairQueue({
    name: 'password-hashing',
    capacity,
    heavyCapacity: capacity,
    isUndivided: true,
    maxWaitingPerCaller: MAX_HASHING_WAITING / 10,
    maxWaiting: MAX_HASHING_WAITING,
    makesRoom: true,
    maxWaitMs: MAX_HASHING_WAIT_MS,
    metrics: ports.metrics,
  });
  let checkDirectories: DirectoryCheck | undefined;
  const uncounted = createLoginCheck({
    accounts,
    logins,
    guard: createAttemptGuard({ ...guards, kind: 'user', maxPerName: limits.maxPerUser }),
    hashing,
    nameDigest,
    security,
    directories: async (username, password) => checkDirectories?.(username, password),
  });
  const history = createLoginHistory(database, config.loginHistoryMs);
  // Attempts that are refused without a check have no limit: they are not recorded.
  const recorded = config.passwordLogin ? recordLogins(uncounted, history, logger) : refuseLogins;
  const checkLogin = countLogins(recorded, ports.metrics);
  const authentication: ClientAuthentication = {
    clients,
    guard: createAttemptGuard({
      ...guards,
      kind: 'client',
      // One pair of client and address may use the limit of the whole address: a wrong deployment must not lock others
      // out.
      maxAttempts: limits.maxPerAddress,
      maxPerName: limits.maxPerClient,
    }),
    hashing,
    nameDigest,
    security,
    verifyAssertion: (assertion) => verifyAssertion(assertion, { issuer, clients, keyValues, clock: ports.clock }),
  };
  const forms = createFormReceiver();
  const pending = createPendingInteractions(config.keyEncryptionSecret);
  const grants = createGrantStore({
    pending,
    database,
    keyValues,
    events: {
      onTokensGone: (tokens) =>
        events.publishAll(
          'auth.token.revoked.v1',
          groupFacts(tokens).map(({ first, group }) => ({
            subject: first.sessionId,
            data: { ...first, ...(group.length > 1 && { tokenHashes: group.map(({ tokenHash }) => tokenHash) }) },
          })),
        ),
    },
  });
  const sessions = new SessionService({
    ...ports,
    logins,
    accounts,
    clients,
    events,
    endGrants: grants.endGrants,
    endClientToken: (tokenId) => grants.endAccessToken('ClientCredentials', tokenId),
    maxSessionsPerUser: config.maxSessionsPerUser,
    maxTokensPerClient: config.maxTokensPerClient,
    security,
    availableLocales: config.availableLocales,
  });

  const loginSessions = createLoginSessions({
    keyValues,
    accounts,
    ids: ports.ids,
    isEnabled: config.singleSignOn.isEnabled,
    lifeMs: config.singleSignOn.lifeMs,
    grantLifeMs: Math.max(...clients.all().map(({ refreshTokenTtlMs }) => refreshTokenTtlMs), config.refreshTokenTtlMs),
  });
  const logoutClient = createLogoutClient(config.logoutNetworks);

  const open = createRouter();
  const internal = createRouter();
  let isStarted = false;
  const subscriptions: Subscription[] = [];
  let purging: NodeJS.Timeout | undefined;

  async function start(): Promise<void> {
    warnOfInsecurity(insecureSettings(config, safetyOf), logger);
    await waitForSchema(database, logger);
    if (!isHardened) warnOfLeniency(clients, logger);
    warnOfScopes(clients, config.platform.apiScope, logger);
    const keys = await loadKeyRing({ ...ports, secret: config.keyEncryptionSecret });
    if (ports.metrics !== undefined) keys.meter.reportTo(ports.metrics);
    const signer = createTokenSigner({ keys, issuer, clock: ports.clock, ids: ports.ids });
    const federation = await createFederation({
      ports,
      config,
      database,
      accounts,
      logins,
      sessions,
      signer,
      security,
      logger,
      ids: ports.ids,
      longestTokenMs: Math.max(
        ...clients.all().map(({ accessTokenTtlMs, refreshTokenTtlMs }) => accessTokenTtlMs + refreshTokenTtlMs),
      ),
      endBrowserSession: (uid) => server.endBrowserSession(uid),
    });
    checkDirectories = federation.checkDirectories;
    const serverDeps = {
      ...ports,
      issuer,
      keys,
      clients,
      accounts,
      checkLogin,
      grants,
      pending,
      sessions,
      signer,
      security,
      bindLogin: federation.binding.bind,
      mayRefresh: (grantId: string) => federation.checks.mayRefresh(grantId),
      cookieSecret: config.keyEncryptionSecret,
      requiresPkce: isHardened,
      hasPasswordGrant: !isHardened,
      loginSessions,
      loginLifeMs: config.singleSignOn.lifeMs,
      consents: createConsents(database, config.consentLifeMs),
      send: logoutClient.send,
    };
    // oidc-provider reads its keys when it is created; it has no state in memory that would be lost.
    let server = await createOAuthServer(serverDeps);
    const tokens: TokenLookup = {
      findAccessToken: (token) => server.tokens.findAccessToken(token),
      find: (token, hint) => server.tokens.find(token, hint),
    };
    const rotation = createKeyRotation({
      keys,
      events,
      logger,
      intervalMs: config.keyRotationIntervalMs,
      longestTokenMs: Math.max(DAY_MS, ...clients.all().map(({ accessTokenTtlMs }) => accessTokenTtlMs)),
      async onChanged() {
        server = await createOAuthServer(serverDeps);
      },
    });
    registerTokenRoutes(open, {
      issuer,
      authentication,
      forms,
      sessions,
      security,
      isHardened,
      tokens,
      issue: (...given) => server.issue(...given),
      authorizeDevice: (...given) => server.authorizeDevice(...given),
    });
    const loginDeps: LoginRoutesDeps = {
      interactions: () => server.interactions,
      authorize: (...given) => server.authorize(...given),
      checkLogin,
      forms,
      isHardened,
      tokens,
      sessions,
      loginSessions,
      apiScope: config.platform.apiScope,
      security,
      endExternal: federation.endExternal,
      providers: { hasPasswords: config.passwordLogin, all: federation.providers },
      secret: config.keyEncryptionSecret,
    };
    registerLoginRoutes(open, loginDeps);
    registerOpenIdRoutes(open, { ...ports, ...loginDeps, ...federation.openId });
    await federation.checks.endUnknown();
    registerLogoutRoutes(open, {
      show: (...given) => server.showLogout(...given),
      hasSession: (...given) => server.hasSession(...given),
      submit: (...given) => server.submitLogout(...given),
      forms,
    });
    registerUserInfo(open, { tokens, sessions: ports.sessions, accounts });
    registerDeviceRoutes(open, {
      showDevice: (...given) => server.showDevice(...given),
      hasSession: (...given) => server.hasSession(...given),
      submitDevice: (...given) => server.submitDevice(...given),
      forms,
      // Codes have no names: only guesses of one address are limited.
      guard: createAttemptGuard({ ...guards, kind: 'device', maxPerName: Number.MAX_SAFE_INTEGER }),
    });
    registerJwksRoute(open, keys);
    registerResourceMetadata(open, { issuer, apiScope: config.platform.apiScope, isHardened });
    open.get(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'], (...given) =>
      server.discover(...given),
    );
    registerInternalRoutes(internal, internalSecret, {
      rotation,
      findAccessToken: tokens.findAccessToken,
      sessions: ports.sessions,
      sessionService: sessions,
      signer,
      external: federation.external,
      isAlive: federation.isAlive,
      accounts,
      clients,
      clock: ports.clock,
    });
    registerUserSessionRoutes(internal, {
      logins,
      loginSessions,
      sessions: ports.sessions,
      sessionService: {
        // Otherwise the browser of an ended session would get a new one without a password.
        async endLogins(username, ended, reason) {
          for (const { grantId } of ended) await loginSessions.endOfGrant(grantId);
          return sessions.endLogins(username, ended, reason);
        },
      },
      history,
    });
    subscriptions.push(
      await followChanges(ports.bus, sessions, security),
      await followRoles(ports.bus, security),
      await followRotations(ports.bus, rotation, { meter: keys.meter, logger }),
    );
    purging = setInterval(() => {
      grants.purgeExpired().catch((error: unknown) => logger.warn({ error }, 'expired grants were not removed'));
      federation.purgeExpired().catch((error: unknown) => logger.warn({ error }, 'ended logins were not removed'));
      history.prune().catch((error: unknown) => logger.warn({ error }, 'expired attempts to log in were not removed'));
      rotation.tick().catch((error: unknown) => logger.warn({ error }, 'the signing keys were not looked after'));
    }, RELOAD_INTERVAL_MS);
    purging.unref();
    isStarted = true;
  }

  const requireStart: RequestHandler = (_request, _response, next) => {
    if (!isStarted) throw new PlatformError('AUTH_UNAVAILABLE', 'The auth service is starting');
    next();
  };
  const readiness = {
    start: () => isStarted,
    database: () => database.assertReady().then(() => true),
    store: () => keyValues.assertReady().then(() => true),
  };
  return {
    readiness,
    app: createServiceApp({
      service: 'auth',
      logger,
      metrics: ports.metrics,
      readiness,
      configure: (app) =>
        app.use([/^\/oauth2?\/(?!jwks$).*$/, LOGIN_PATH, '/logout'], uncached).use(requireStart, open),
    }),
    internalApp: createServiceApp({
      service: 'auth-internal',
      logger,
      metrics: ports.metrics,
      readiness,
      configure: (app) => app.use('/internal', requireStart, internal),
    }),
    start,
    async close() {
      clearInterval(purging);
      await logoutClient.close();
      security.close();
      for (const subscription of subscriptions) await subscription.close();
    },
  };
}

/** Without passwords each attempt fails as one with a wrong password. */
const refuseLogins: LoginCheck = async () => ({ kind: 'refused', refusal: 'bad-credentials' });

/** Responses with tokens, codes and forms must not be stored, and neither must their errors. */
const uncached: RequestHandler = (_request, response, next) => {
  forbidCaching(response);
  next();
};

/** Logs what the compatible profile allows for older clients (RFC 9700 §§2.1.1, 2.4). */
function warnOfLeniency(clients: ClientRegistry, logger: Logger): void {
  const having = (grant: GrantType): string =>
    clients
      .all()
      .filter(({ grantTypes, isPublic }) => grantTypes.has(grant) && !isPublic)
      .map(({ clientId }) => clientId)
      .join(', ');
  const [password, code] = [having('password'), having('authorization_code')];
  if (password !== '') logger.warn({ clients: password }, 'compatible profile: clients may use the password grant');
  if (code !== '') logger.warn({ clients: code }, 'compatible profile: codes need no PKCE');
}

/** Logs clients without the scope of the API: the API refuses their tokens. */
function warnOfScopes(clients: ClientRegistry, apiScope: string, logger: Logger): void {
  const without = clients.all().filter(({ scopes }) => !scopes.includes(apiScope));
  if (without.length > 0)
    logger.warn(
      { clients: without.map(({ clientId }) => clientId).join(', '), scope: apiScope },
      'tokens of these clients have not the scope of the API',
    );
}
