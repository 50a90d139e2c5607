import { insecureSettings, warnOfInsecurity } from '@lintel/config';
import { PlatformError } from '@lintel/errors';
import type { Subscription } from '@lintel/events';
import { clientAddressOf, createRouter, createServiceApp, forbidCaching, type Readiness } from '@lintel/http';
import { LOGIN_PATH } from '@lintel/login';
import { beginEarly } from '@lintel/service';
import { noteActor } from '@lintel/telemetry';
import type { Express, RequestHandler } from 'express';
import { apiKeysFeature } from './api-keys/api-keys.feature.ts';
import { clientsFeature } from './clients/stored/clients.feature.ts';
import { type AuthConfig, safetyOf } from './config.ts';
import { consentsFeature } from './consents/consents.feature.ts';
import { exchangeFeature } from './exchange/exchange.feature.ts';
import { requireInternalCaller } from './exchange/internal.routes.ts';
import type { AuthParts, FeatureFactory } from './feature.ts';
import { keysFeature } from './keys/keys.feature.ts';
import { openKeys } from './keys/open-keys.ts';
import { loginFeature } from './login/login.feature.ts';
import type { AuthPorts } from './ports.ts';
import { registrationFeature } from './registration/registration.feature.ts';
import { scimFeature } from './scim/scim.feature.ts';
import { securityEventsFeature } from './security-events/security-events.feature.ts';
import { seeAsFeature } from './see-as/see-as.feature.ts';
import { sessionsFeature } from './sessions/sessions.feature.ts';
import { createServices } from './startup/create-services.ts';
import { createIssuing } from './startup/issuing.feature.ts';
import { recordClientNames } from './startup/record-client-names.ts';
import { repeatWork } from './startup/repeat-work.feature.ts';
import { warnOfFirstParty, warnOfLeniency, warnOfScopes, warnOfShadowed } from './startup/warn-of-clients.ts';
import { ticketsFeature } from './tickets/tickets.feature.ts';
import { tokensFeature } from './tokens/tokens.feature.ts';
import { workSessionsFeature } from './work-sessions/work-sessions.feature.ts';

/** The features, in the order in which they are registered and started. */
const FEATURES: readonly FeatureFactory<keyof AuthParts>[] = [
  exchangeFeature,
  tokensFeature,
  loginFeature,
  registrationFeature,
  scimFeature,
  keysFeature,
  consentsFeature,
  apiKeysFeature,
  seeAsFeature,
  workSessionsFeature,
  securityEventsFeature,
  clientsFeature,
  ticketsFeature,
  sessionsFeature,
];

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
   * @throws ConfigurationError if the key encryption secret does not fit the stored keys, or a client has the name of a user
   */
  start(): Promise<void>;
  /** Stops what `start` started. Does not close the ports. */
  close(): Promise<void>;
}

/**
 * Builds the service from its ports.
 *
 * @throws ConfigurationError naming every contradiction between the clients
 */
export function createAuthService(ports: AuthPorts, config: AuthConfig): AuthService {
  const { database, keyValues, logger, metrics } = ports;
  const services = createServices(ports, config);
  const { clients, security } = services;
  const open = createRouter();
  const internal = createRouter();
  requireInternalCaller(internal, config.platform.internalSecret);
  let isStarted = false;
  const subscriptions: Subscription[] = [];
  let endRepeatedWork: (() => void) | undefined;

  async function start(): Promise<void> {
    warnOfInsecurity(insecureSettings(config, safetyOf), logger);
    const { schema, keys: loadingKeys } =
      ports.openingKeys ?? openKeys({ ...ports, secret: config.keyEncryptionSecret });
    await schema;
    const asserting = beginEarly(services.login.passwords.assertRights());
    const readingClients = beginEarly(services.storedClients.look());
    await asserting;
    await readingClients;
    await recordClientNames({ database, clients }, logger);
    warnOfShadowed(services, logger);
    warnOfFirstParty(services.storedClients, logger);
    if (!services.isHardened) warnOfLeniency(clients, logger);
    warnOfScopes(clients, config.platform.apiScope, logger);
    const issuing = await createIssuing(ports, config, services, await loadingKeys);
    const features = FEATURES.map((create) => create({ ...services, ...issuing, ports, config }));
    for (const feature of features) feature.register?.({ open, internal });
    for (const feature of features) await feature.start?.();
    // Each subscription is kept as soon as it exists, so that all are closed even if one fails.
    const following = features
      .flatMap(({ follow = [] }) => follow)
      .map(async (begin) => void subscriptions.push(await begin()));
    await Promise.all(following);
    endRepeatedWork = repeatWork(features, services.storedClients, logger);
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
      internalSecret: config.platform.internalSecret,
      logger,
      metrics,
      readiness,
      configure: (app) =>
        app
          .use([/^\/oauth2?\/(?!jwks$).*$/, LOGIN_PATH, '/logout'], uncached)
          .use(noteAddress)
          .use(requireStart, open),
    }),
    internalApp: createServiceApp({
      service: 'auth-internal',
      internalSecret: config.platform.internalSecret,
      logger,
      metrics,
      readiness,
      configure: (app) => app.use('/internal', requireStart, internal),
    }),
    start,
    async close() {
      endRepeatedWork?.();
      await services.logoutClient.close();
      security.close();
      for (const subscription of subscriptions) await subscription.close();
      await services.securityEventWriter.close();
    },
  };
}

/** For security events. */
const noteAddress: RequestHandler = (request, _response, next) => {
  noteActor(() => ({ address: clientAddressOf(request) }));
  next();
};

/** Responses with tokens, codes and forms must not be stored, and neither must their errors. */
const uncached: RequestHandler = (_request, response, next) => {
  forbidCaching(response);
  next();
};
