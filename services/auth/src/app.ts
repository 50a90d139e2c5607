import { PlatformError } from '@lintel/errors';
import type { Subscription } from '@lintel/events';
import { createRouter, createServiceApp, type Readiness } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { Express, RequestHandler } from 'express';
import { countLogins } from './accounts/count-logins.ts';
import { createAccountDirectory } from './accounts/create-account-directory.ts';
import { createLoginCheck } from './accounts/login-check.ts';
import { createLoginGuard } from './accounts/login-guard.ts';
import type { ClientRegistry } from './clients/client.ts';
import type { GrantType } from './clients/client-settings.ts';
import { createClientRegistry } from './clients/create-client-registry.ts';
import type { AuthConfig } from './config.ts';
import { createEventPublisher } from './event-publisher.ts';
import { registerInternalRoutes } from './exchange/internal.routes.ts';
import { registerJwksRoute } from './keys/jwks.routes.ts';
import { loadKeyRing, RELOAD_INTERVAL_MS } from './keys/key-ring.ts';
import { createKeyRotation, followRotations } from './keys/rotate-keys.ts';
import { createTokenSigner } from './keys/sign-token.ts';
import { registerLoginRoutes } from './login/login.routes.ts';
import type { AuthPorts } from './ports.ts';
import { createOAuthServer } from './provider/create-oauth-server.ts';
import { createGrantStore } from './provider/storage/grant-store.ts';
import type { TokenLookup } from './provider/token-lookup.ts';
import { createLoginStore } from './sessions/create-login-store.ts';
import { followChanges } from './sessions/follow-changes.ts';
import { SessionKeeper } from './sessions/session-keeper.ts';
import { registerTokenRoutes } from './tokens/token.routes.ts';
import { waitForSchema } from './wait-for-schema.ts';

/** The auth service, ready to be listened to. */
export interface AuthService {
  /** The checks of `/health/ready`. */
  readonly readiness: Readiness;
  /** Token endpoints, keys and discovery; the gateway routes to it. */
  readonly app: Express;
  /** Token exchange and service tokens; on a port of its own that the gateway never routes to. */
  readonly internalApp: Express;
  /**
   * Waits for the database schema, loads or makes the signing keys and follows the changes of users. Until
   * then every request is answered with 503.
   *
   * @throws ConfigurationError where the key encryption secret does not fit the stored keys
   */
  start(): Promise<void>;
  /** Ends what `start` began. The ports belong to the caller. */
  close(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;

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
  const uncounted = createLoginCheck({
    accounts,
    logins,
    guard: createLoginGuard({
      keyValues,
      isEnabled: config.bruteForce.enabled,
      maxAttempts: config.bruteForce.maxAttempts,
      blockMs: config.bruteForce.blockMs,
    }),
  });
  const checkLogin = countLogins(uncounted, ports.metrics);
  const events = createEventPublisher(ports);
  const grants = createGrantStore({
    database,
    keyValues,
    events: {
      onTokenGone: (tokenHash, sessionId) =>
        events.publish('auth.token.revoked.v1', sessionId, { tokenHash, sessionId }),
    },
  });
  const sessions = new SessionKeeper({
    ...ports,
    logins,
    accounts,
    clients,
    events,
    endGrant: grants.endGrant,
    availableLocales: config.availableLocales,
  });

  const open = createRouter();
  const internal = createRouter();
  let isStarted = false;
  const subscriptions: Subscription[] = [];
  let purging: NodeJS.Timeout | undefined;

  async function start(): Promise<void> {
    await waitForSchema(database, logger);
    if (!isHardened) warnOfLeniency(clients, logger);
    const keys = await loadKeyRing({ ...ports, secret: config.keyEncryptionSecret });
    if (ports.metrics !== undefined) keys.meter.reportTo(ports.metrics);
    const signer = createTokenSigner({ keys, issuer, clock: ports.clock, ids: ports.ids });
    const serverDeps = {
      ...ports,
      issuer,
      keys,
      clients,
      accounts,
      checkLogin,
      grants,
      sessions,
      signer,
      cookieSecret: config.keyEncryptionSecret,
      requiresPkce: isHardened,
    };
    // oidc-provider takes its keys when it is made; it keeps nothing in memory that would be lost.
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
      clients,
      sessions,
      isHardened,
      tokens,
      issue: (...given) => server.issue(...given),
    });
    registerLoginRoutes(open, {
      interactions: () => server.interactions,
      authorize: (...given) => server.authorize(...given),
      checkLogin,
      tokens,
      sessions,
      secret: config.keyEncryptionSecret,
    });
    registerJwksRoute(open, keys);
    open.get(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'], (...given) =>
      server.discover(...given),
    );
    registerInternalRoutes(internal, internalSecret, {
      rotation,
      findAccessToken: tokens.findAccessToken,
      sessions: ports.sessions,
      keeper: sessions,
      signer,
      accounts,
      clients,
      clock: ports.clock,
    });
    subscriptions.push(
      await followChanges(ports.bus, sessions),
      await followRotations(ports.bus, rotation, { meter: keys.meter, logger }),
    );
    purging = setInterval(() => {
      grants.purgeExpired().catch((error: unknown) => logger.warn({ error }, 'expired grants were not removed'));
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
      configure: (app) => app.use(requireStart, open),
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
      for (const subscription of subscriptions) await subscription.close();
    },
  };
}

/** What the compatible profile lets clients do for the sake of older ones (RFC 9700 §§2.1.1, 2.4). */
function warnOfLeniency(clients: ClientRegistry, logger: Logger): void {
  const having = (grant: GrantType): string =>
    clients
      .all()
      .filter(({ grantTypes }) => grantTypes.has(grant))
      .map(({ clientId }) => clientId)
      .join(', ');
  const [password, code] = [having('password'), having('authorization_code')];
  if (password !== '') logger.warn({ clients: password }, 'compatible profile: clients may use the password grant');
  if (code !== '') logger.warn({ clients: code }, 'compatible profile: codes need no PKCE');
}
