import type { ControllerDefinition } from '@lintel/application';
import { createMemo, type InvalidatedCache } from '@lintel/cache';
import { insecureSettings, warnOfInsecurity } from '@lintel/config';
import type { Principal } from '@lintel/contracts';
import { AUDIENCE_INTERNAL, AUDIENCE_REST, createUrlMatcher } from '@lintel/contracts';
import {
  createCursorCodec,
  createListenerData,
  createModelSource,
  createPruner,
  createReadDependencies,
  createReadYourWrites,
  createReplicaReads,
  createRequestLimits,
  createTokenCodec,
  createWriteDependencies,
  loadDemoData,
  PASSWORD_MIN_LENGTH,
  reportListeners,
  roleListeners,
} from '@lintel/entities';
import { StartError } from '@lintel/errors';
import type { EventBus } from '@lintel/events';
import { authenticate, countRefusals, createRouter, createServiceApp, type Readiness } from '@lintel/http';
import { createDocuments, DOCUMENTS, type Documents } from '@lintel/openapi';
import { createIdempotencyStore } from '@lintel/persistence';
import { assertTables, grantReportReader } from '@lintel/schema';
import { createAccessDirectory } from '@lintel/security';
import { createSecurityLog } from '@lintel/telemetry';
import type { Express } from 'express';
import { registerAboutRoutes } from './about/about.routes.ts';
import { requireJsonAcceptable } from './access/json-acceptable.ts';
import { requireRestEnabled } from './access/rest-enabled.ts';
import { registerChangeRoutes } from './changes/feed/changes.routes.ts';
import { createChangeFeed } from './changes/feed/create-change-feed.ts';
import { type DataConfig, safetyOf } from './config.ts';
import { assertFreePaths } from './controllers/assert-free-path.ts';
import { registerControllerRoutes } from './controllers/controllers.routes.ts';
import { listenerErrorHandler } from './controllers/listener-error-handler.ts';
import { registerDatasetRoutes } from './datasets/datasets.routes.ts';
import { createDeclaredSql } from './datasets/declared-sql.ts';
import { joinCompositeIds } from './entities/join-composite-ids.ts';
import { registerReadRoutes } from './entities/read-entities.routes.ts';
import { registerWriteRoutes } from './entities/write-entities.routes.ts';
import { createFairShares } from './fair-shares/create-fair-shares.ts';
import { createLargeBodies } from './fair-shares/large-bodies.ts';
import { shareRequests } from './fair-shares/share-requests.ts';
import { createMessageTexts, MESSAGE_TEXTS, type MessageTexts } from './messages/create-message-texts.ts';
import { registerMessageRoutes } from './messages/messages.routes.ts';
import { byVersionAndLocale } from './metadata/by-version-and-locale.ts';
import { createMetadataSource } from './metadata/create-metadata-source.ts';
import { registerMetadataRoutes } from './metadata/metadata.routes.ts';
import { registerMethodRoutes } from './methods/methods.routes.ts';
import { registerExplorerRoutes } from './openapi/explorer/explorer.routes.ts';
import { registerOpenApiRoutes } from './openapi/openapi.routes.ts';
import { registerPermissionRoutes } from './permissions/permissions.routes.ts';
import type { DataPorts } from './ports.ts';
import { registerQueryRoutes } from './queries/queries.routes.ts';
import { QueryCache } from './queries/query-cache.ts';
import { replicaHealth } from './replicas/replica-health.ts';
import { registerUserInfoRoutes } from './user-info/user-info.routes.ts';
import { registerUserSessionRoutes } from './user-session/user-session.routes.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

/** The data service, ready to be listened to. */
export interface DataService {
  /** The checks of `/health/ready`. */
  readonly readiness: Readiness;
  /** The public API; the gateway routes to it. */
  readonly app: Express;
  /** `POST /internal/datasets`; on a port of its own. */
  readonly internalApp: Express;
  /** Loads the demo data, in demo mode and into an empty database; before the first request. */
  start(): Promise<void>;
  /** Subscribes to the events that the service works at. */
  follow(bus: Pick<EventBus, 'subscribe'>): Promise<void>;
  /** What the service keeps in memory between requests: for `attachInvalidation`. */
  readonly caches: readonly InvalidatedCache[];
  /** Ends what `start` began. The ports belong to the caller. */
  close(): Promise<void>;
}

function tokenKeyOf({ tokenKey }: DataConfig): string {
  if (tokenKey !== undefined && tokenKey.trim() !== '') return tokenKey;
  throw new StartError(
    'svc.core.entity-serialization-token-required needs svc.core.entity-serialization-token-encryption-key: there is no default',
  );
}

/** Middleware order: authenticate → `rest.enabled` → feature routers. */
export function createDataService(ports: DataPorts, config: DataConfig): DataService {
  const { application, database, logger } = ports;
  const { paths, platform } = config;
  const shares = createFairShares(config, ports.metrics);
  const largeBodies = createLargeBodies(config, ports.metrics);
  /** For what requests ask; what they share, such as caches, is loaded by the service itself. */
  const sharedDatabase = shares.primary(database);
  const { currentRoles } = ports;
  const accessOf = createAccessDirectory(currentRoles);
  const { availableLocales } = config;
  const identity = { verifier: ports.verifier, loadSession: ports.loadSession, availableLocales };
  const isAnonymousUrl = createUrlMatcher([
    ...platform.anonymousUrlPatterns,
    ...platform.resourceServerAnonymousUrlPatterns,
  ]);
  const isOpenToEveryUser = createUrlMatcher([
    `${paths.basePath}${paths.docsPath}/**`,
    `${paths.basePath}${paths.capabilitiesPath}`,
    `${paths.basePath}/version`,
  ]);

  const hasSpecific = (principal: Principal, name: string): boolean => accessOf(principal).hasSpecific(name);
  const rest = createRouter();
  rest.use(authenticate({ ...identity, audience: AUDIENCE_REST, scope: platform.apiScope, isAnonymousUrl }));
  rest.use(shareRequests(false, largeBodies));
  rest.use(
    requireRestEnabled({
      hasSpecific,
      isExempt: (path) => isAnonymousUrl(path) || isOpenToEveryUser(path),
    }),
  );
  rest.use(
    [
      ...[paths.entitiesPath, paths.metadataPath, paths.messagesPath],
      ...[paths.userInfoPath, paths.permissionsPath, paths.capabilitiesPath],
    ],
    requireJsonAcceptable,
  );
  const currentMessages = ports.currentMessages ?? (() => application.messages);
  const modelSource = createModelSource({
    model: application.model,
    database,
    maxStalenessMs: platform.cacheMaxStaleness,
    clock: ports.monotonicClock,
  });
  const read = createReadDependencies({
    modelWithDynamicAttributes: modelSource.current,
    application,
    currentRoles,
    currentMessages,
    accessOf,
    onUnknownRole: (role) =>
      logger
        .child({}, { everyLevel: true })
        .warn({ event: 'security.role.unknown', role }, 'an unknown row-level role hides everything from its users'),
    database: sharedDatabase,
    replicaReads:
      ports.replicas &&
      createReplicaReads({
        ...ports.replicas,
        primary: sharedDatabase,
        fair: shares.replica,
        metrics: ports.metrics,
      }),
    cursors: createCursorCodec({ secret: config.cursorSecret ?? platform.internalSecret, ids: ports.ids }),
    tokens: config.tokensRequired ? createTokenCodec(tokenKeyOf(config)) : undefined,
    limits: {
      maxFetchSize: (entity) => config.entityMaxFetchSize[entity] ?? config.defaultMaxFetchSize,
      inlineFetchPlansEnabled: config.inlineFetchPlanEnabled,
      negationsFindNull: config.negationsFindNull,
      serverTimingEnabled: config.serverTimingEnabled,
      maxQueryCost: config.maxQueryCost,
      timeLimitMs: config.database.statementTimeoutMs > 0 ? config.database.statementTimeoutMs : undefined,
      maxBodyBytes: config.maxBodyBytes,
    },
    limitsOf: createRequestLimits(config.limits),
    bounds: config.resultBounds,
  });
  const webhooks = createWebhooks({
    config: config.webhooks,
    internalSecret: platform.internalSecret,
    maxStalenessMs: platform.cacheMaxStaleness,
    model: application.model,
    database,
    read,
    accessOf,
    clock: ports.clock,
    monotonicClock: ports.monotonicClock,
    logger,
    metrics: ports.metrics,
  });
  const queryCache = new QueryCache({
    model: application.model,
    clock: ports.monotonicClock,
    maxStalenessMs: platform.cacheMaxStaleness,
  });
  const idempotency = createIdempotencyStore(database, { retentionMs: config.idempotencyRetentionMs });
  const pruning = createPruner(idempotency, config.idempotencyPruneIntervalMs, logger);
  const write = createWriteDependencies({
    application,
    currentRoles,
    database: sharedDatabase,
    read,
    accessOf,
    clock: ports.clock,
    ids: ports.ids,
    hashPassword: ports.hashPassword,
    platformListeners: [
      ...roleListeners(application),
      ...reportListeners(application),
      ...modelSource.listeners,
      ...webhooks.listeners,
    ],
    dataFor: createListenerData(read),
    onCommitted: (entities) => queryCache.dropEntities(entities),
    readYourWrites: ports.replicas && createReadYourWrites({ ...ports.replicas, primary: database }),
    idempotency,
    retries: config.retries,
    logger,
    optimisticLockingEnabled: config.optimisticLockingEnabled,
    responseFetchPlanEnabled: config.responseFetchPlanEnabled,
    readPoliciesBindWrites: platform.securityProfile === 'hardened',
    passwordMinLength: config.passwordMinLength ?? PASSWORD_MIN_LENGTH[platform.securityProfile],
    maxBodyBytes: config.maxBodyBytes,
  });
  rest.use(paths.entitiesPath, joinCompositeIds(application.model));
  // First, since routes are tried in their order, and most requests are for these.
  const versions = application.modelVersions;
  const { resultMemory } = ports;
  registerReadRoutes(rest, { ...read, path: paths.entitiesPath, versions, resultMemory });
  registerWriteRoutes(rest, { ...write, path: paths.entitiesPath, versions });
  rest.use(paths.entitiesPath, listenerErrorHandler(application, write.environment));
  const messageTexts = createMemo<string, MessageTexts>(MESSAGE_TEXTS);
  registerMessageRoutes(rest, {
    path: paths.messagesPath,
    texts: byVersionAndLocale(messageTexts, () => application.model, currentMessages, createMessageTexts),
  });
  registerUserSessionRoutes(rest, {
    path: paths.userSessionPath,
    availableLocales,
    sessions: ports.sessionLocales,
  });
  registerUserInfoRoutes(rest, { path: paths.userInfoPath, defaultLocale: availableLocales[0] ?? 'en' });
  registerChangeRoutes(rest, createChangeFeed(ports, read, accessOf, config));
  registerPermissionRoutes(rest, { path: paths.permissionsPath, currentModel: () => application.model, accessOf });
  registerAboutRoutes(rest, {
    capabilitiesPath: paths.capabilitiesPath,
    inlineFetchPlansEnabled: config.inlineFetchPlanEnabled,
  });
  const metadataSource = createMetadataSource(modelSource.current, read.currentMessages);
  registerMetadataRoutes(rest, {
    path: paths.metadataPath,
    metadata: metadataSource.metadata,
    defaultLocale: availableLocales[0] ?? 'en',
  });
  const documentOptions = { application, paths, isDemo: config.demoEnabled };
  const documents = createMemo<string, Documents>(DOCUMENTS);
  registerOpenApiRoutes(rest, {
    path: paths.docsPath,
    documents: byVersionAndLocale(documents, modelSource.current, read.currentMessages, (model, messages, locale) =>
      createDocuments(documentOptions, model, messages, locale),
    ),
    defaultLocale: availableLocales[0] ?? 'en',
  });
  registerExplorerRoutes(rest, { path: paths.docsPath });
  registerQueryRoutes(rest, {
    ...read,
    queries: application.predefinedQueries,
    cached: queryCache.before(sharedDatabase),
    path: paths.queriesPath,
    versions,
    resultMemory,
  });
  const contexts = { application, write, defaultLocale: availableLocales[0] ?? 'en' };
  registerMethodRoutes(rest, { ...contexts, path: paths.servicesPath, versions, clock: ports.clock });
  const controllers = application.controllers ?? [];
  const { basePath, ...ownPaths } = paths;
  assertFreePaths(controllers, basePath, [...Object.values(ownPaths), '/version']);
  const isInRest = ({ path }: ControllerDefinition): boolean => path.startsWith(`${basePath}/`);
  registerControllerRoutes(rest, {
    ...contexts,
    controllers: controllers.filter(isInRest),
    mountPath: basePath,
    before: [],
  });
  // Outside the REST API a token is needed where no anonymous list opens the path, and the permission to use the API
  // where a list says that the path is protected like it (contract/decisions.md#68).
  const isProtectedUrl = createUrlMatcher([
    ...platform.authenticatedUrlPatterns,
    ...platform.resourceServerAuthenticatedUrlPatterns,
  ]);
  const beside = createRouter();
  registerControllerRoutes(beside, {
    ...contexts,
    controllers: controllers.filter((each) => !isInRest(each)),
    mountPath: '',
    before: [
      authenticate({ ...identity, audience: AUDIENCE_REST, scope: platform.apiScope, isAnonymousUrl }),
      shareRequests(false, largeBodies),
      requireRestEnabled({ hasSpecific, isExempt: (path) => isAnonymousUrl(path) || !isProtectedUrl(path) }),
    ],
  });

  const internal = createRouter();
  internal.use(authenticate({ ...identity, audience: AUDIENCE_INTERNAL }));
  internal.use(shareRequests(true));

  registerDatasetRoutes(internal, {
    ...read,
    model: application.model,
    reportDatabase: ports.reportDatabase && shares.reports(ports.reportDatabase),
    isDeclaredSql: createDeclaredSql(application.reports ?? [], database),
  });

  const replicas = ports.replicas?.replicas;
  const readiness = {
    database: () => database.assertReady().then(() => true),
    ...(replicas !== undefined && { replicas: () => replicaHealth(replicas.states()) }),
  };
  return {
    readiness,
    app: createServiceApp({
      service: 'data',
      onRefused: countRefusals(createSecurityLog({ logger })),
      logger,
      metrics: ports.metrics,
      readiness,
      configure: (app) => app.use(basePath, rest).use(beside),
    }),
    internalApp: createServiceApp({
      service: 'data-internal',
      logger,
      metrics: ports.metrics,
      readiness,
      configure: (app) => app.use('/internal', internal),
    }),
    async start() {
      warnOfInsecurity(insecureSettings(config, safetyOf), logger);
      await assertTables(database, application.model);
      if (ports.reportDatabase !== undefined) await grantReportReader(database, application.model);
      pruning.start();
      webhooks.start();
      const { demoData } = application;
      if (!config.demoEnabled || demoData === undefined) return;
      const loaded = await loadDemoData(demoData, write);
      if (loaded > 0) logger.info({ instances: loaded }, 'demo data loaded');
    },
    caches: [
      modelSource.cache,
      queryCache,
      read.statements.cache,
      messageTexts,
      metadataSource.cache,
      documents,
      webhooks.cache,
    ],
    async follow(bus) {
      if (!config.webhooks.enabled) return;
      await bus.subscribe({
        queue: { kind: 'work', name: 'webhooks' },
        types: ['data.entity.changed.v1'],
        handle: webhooks.handle,
      });
    },
    async close() {
      await pruning.stop();
      await webhooks.stop();
    },
  };
}
