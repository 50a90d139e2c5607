import '@lintel/config/decorators';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type Application, loadResources, messageReader } from '@lintel/application';
import {
  attachInvalidation,
  createRedisSessionPositions,
  createRedisStore,
  createSessionCache,
  createSessionStore,
} from '@lintel/cache';
import {
  backendSettings,
  defineSettings,
  findResource,
  readConfiguration,
  readResource,
  redisAddressOf,
  type SettingsOf,
} from '@lintel/config';
import type { ReplicaPorts } from '@lintel/entities';
import { createIdSource } from '@lintel/entities';
import { isStartError } from '@lintel/errors';
import { createAmqpBus, createOutboxRelay } from '@lintel/events';
import { createTokenVerifier, openListeners, runUntilSignal } from '@lintel/http';
import { hashPassword } from '@lintel/passwords';
import {
  createDatabase,
  createLiveMessages,
  createLiveRoles,
  createOutboxStore,
  createReplicas,
  observeOutbox,
} from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { roleReader } from '@lintel/security';
import { createLogger, type Logger, type Metrics, startMetrics } from '@lintel/telemetry';
import { monotonicClock } from '@lintel/timing';
import { createDataService } from './app.ts';
import { settings } from './config.ts';
import { createDatabaseLimits, type DatabaseLimits } from './database-limits.ts';
import { createHttpSessionLocales } from './user-session/http-session-locales.ts';

const shape = defineSettings({ ...settings, backends: backendSettings });

/** The data service as a separate process: the only file that creates drivers, the clock and ids. */
async function main(): Promise<void> {
  const { application: bare, config } = await readConfiguration<typeof shape, Application>(shape, {
    mapKeys: ({ model }) => ({ 'svc.rest.entity-max-fetch-size': [...model.entities.keys()] }),
  });
  const { platform, backends } = config;
  const logger = createLogger({ service: 'data', level: platform.logLevel });
  const running = await startMetrics('lintel-data');
  const { metrics } = running;
  const clock = { now: () => Date.now() };
  const application = await loadResources(bare, config, { readResource, findResource });
  const { url, poolSize, statementTimeoutMs } = config.database;
  const limits = createDatabaseLimits(config);
  if (config.database.migrate) {
    const steps = await runMigrations({
      url,
      migrations: application.migrations ?? [],
      onProgress: (progress) => logger[progress.kind === 'ran' ? 'info' : 'warn'](progress, 'migrations'),
    });
    logger.info({ steps }, 'the database is up to date');
  }
  const database = createDatabase({
    url,
    maxConnections: poolSize,
    statementTimeoutMs,
    ...limits,
    applicationName: 'lintel-data',
    logger,
    metrics,
    slowQueries: config.slowQueries,
  });
  const replicas = openReplicas(config, limits, logger, metrics);
  const { reportUrl, reportPoolSize, reportStatementTimeoutMs } = config.database;
  const reportDatabase =
    reportUrl === undefined
      ? undefined
      : createDatabase({
          url: reportUrl,
          maxConnections: reportPoolSize,
          statementTimeoutMs: reportStatementTimeoutMs,
          ...limits,
          applicationName: 'lintel-data-reports',
          readOnly: true,
          logger,
          metrics,
          slowQueries: config.slowQueries,
        });
  const store = createRedisStore({
    address: redisAddressOf(backends.redis),
    keyPrefix: backends.redis.keyPrefix,
    logger,
  });
  const sessions = createSessionCache({
    sessions: createSessionStore(store),
    maxStalenessMs: platform.cacheMaxStaleness,
    clock: monotonicClock,
  });
  const instanceId = `${hostname()}-${process.pid}`;
  const verifier = createTokenVerifier({ jwksUrl: platform.jwksUrl, issuer: platform.issuer, clock });
  const live = { database, maxStalenessMs: platform.cacheMaxStaleness, clock: monotonicClock, logger };
  const warn = (problem: string) => logger.warn({ problem }, 'a stored role cannot be used as it is');
  const [bus, roles, messages] = await Promise.all([
    createAmqpBus({ urls: backends.brokerUrls, service: 'data', instanceId, clock, logger, metrics }),
    createLiveRoles({ ...live, read: roleReader(application, warn) }),
    createLiveMessages({ ...live, read: messageReader(application.messages) }),
  ]);
  const outbox = createOutboxStore(database);
  const relay = createOutboxRelay({ store: outbox, bus, logger, metrics, clock });
  observeOutbox(database, metrics);
  const service = createDataService(
    {
      application,
      database,
      resultMemory: limits.resultMemory,
      replicas,
      reportDatabase,
      currentRoles: () => roles.current(),
      currentMessages: () => messages.current(),
      verifier,
      loadSession: (id) => sessions.get(id),
      sessionLocales: createHttpSessionLocales({
        authInternalUrls: platform.authInternalUrls,
        internalSecret: platform.internalSecret,
        onChanged: (id) => sessions.evict(id),
      }),
      clock,
      monotonicClock,
      ids: createIdSource(clock, randomBytes),
      hashPassword,
      logger,
      metrics,
    },
    config,
  );
  await attachInvalidation(bus, 'data', [sessions, ...verifier.caches, roles, ...service.caches, messages], metrics);
  await service.start();
  await service.follow(bus);
  relay.start();
  const { shutdown } = platform;
  const listeners = await openListeners({
    service: 'data',
    public: { app: service.app, host: config.host, port: config.port },
    internal: { app: service.internalApp, host: config.internalHost, port: config.internalPort },
    management: config.management,
    readiness: service.readiness,
    shutdown,
    running,
    logger,
  });
  runUntilSignal({
    logger,
    ...shutdown,
    async close() {
      await listeners.close();
      await service.close();
      await relay.stop();
      await bus.close();
      roles.close();
      messages.close();
      await store.close();
      await replicas?.positions.close();
      await replicas?.replicas.close();
      await reportDatabase?.close();
      await database.close();
      await listeners.closeManagement();
      await running.close();
    },
  });
}

/** Positions are kept longer than the maximum lag of a replica. */
const POSITION_LIVES_PER_LAG = 2;

function openReplicas(
  { database, backends, slowQueries }: SettingsOf<typeof shape>,
  limits: DatabaseLimits,
  logger: Logger,
  metrics: Metrics,
): ReplicaPorts | undefined {
  const { url, readUrls, maxReplicaLagMs, poolSize, statementTimeoutMs } = database;
  if (readUrls.length === 0) return undefined;
  const replicas = createReplicas({
    primaryUrl: url,
    urls: readUrls,
    maxLagMs: maxReplicaLagMs,
    maxConnections: poolSize,
    statementTimeoutMs,
    ...limits,
    applicationName: 'lintel-data',
    logger,
    metrics,
    slowQueries,
  });
  const positions = createRedisSessionPositions({
    address: redisAddressOf(backends.redis),
    keyPrefix: backends.redis.keyPrefix,
    lifeMs: POSITION_LIVES_PER_LAG * maxReplicaLagMs,
    clock: monotonicClock,
    logger,
  });
  return { replicas, positions };
}

main().catch((error: unknown) => {
  console.error(isStartError(error) ? error.message : error);
  process.exit(1);
});
