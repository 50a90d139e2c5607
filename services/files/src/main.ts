import '@lintel/config/decorators';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Application } from '@lintel/application';
import { attachInvalidation, createRedisStore, createSessionCache, createSessionStore } from '@lintel/cache';
import { readConfiguration, redisAddressOf } from '@lintel/config';
import { isStartError } from '@lintel/errors';
import { createAmqpBus } from '@lintel/events';
import { createTokenVerifier, openListeners, runUntilSignal } from '@lintel/http';
import { createDatabase, createLiveRoles } from '@lintel/persistence';
import { roleReader } from '@lintel/security';
import { createLogger, startMetrics } from '@lintel/telemetry';
import { monotonicClock } from '@lintel/timing';
import { createFilesService } from './app.ts';
import { processSettings } from './config.ts';
import { openFileStorages } from './storage/open-file-storages.ts';

/** The files service as a process of its own: builds the drivers, the clock and the ids, nothing else does. */
async function main(): Promise<void> {
  const { application, config } = await readConfiguration<typeof processSettings, Application>(processSettings);
  const { platform, backends } = config;
  const logger = createLogger({ service: 'files', level: platform.logLevel });
  const running = await startMetrics('lintel-files');
  const { metrics } = running;
  const clock = { now: () => Date.now() };
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
  const database = createDatabase({
    ...config.database,
    maxConnections: 1,
    statementTimeoutMs: 10_000,
    applicationName: 'lintel-files',
    logger,
    metrics,
  });
  const [storages, bus, roles] = await Promise.all([
    openFileStorages(config, logger),
    createAmqpBus({ urls: backends.brokerUrls, service: 'files', instanceId, clock, logger, metrics }),
    createLiveRoles({
      database,
      read: roleReader(application, (problem) => logger.warn({ problem }, 'a stored role cannot be used as it is')),
      maxStalenessMs: platform.cacheMaxStaleness,
      clock: monotonicClock,
      logger,
    }),
  ]);
  await attachInvalidation(bus, 'files', [sessions, ...verifier.caches, roles], metrics);
  const service = createFilesService(
    {
      currentRoles: () => roles.current(),
      storages,
      verifier,
      loadSession: (id) => sessions.get(id),
      logger,
      metrics,
      clock,
      newId: randomUUID,
      // There with `--expose-gc`.
      collectYoung: () => globalThis.gc?.({ type: 'minor' }),
    },
    config,
  );
  await service.start();
  const { shutdown } = platform;
  const listeners = await openListeners({
    service: 'files',
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
      await bus.close();
      roles.close();
      await database.close();
      await store.close();
      await Promise.all(storages.all.map((storage) => storage.store.close()));
      await listeners.closeManagement();
      await running.close();
    },
  });
}

main().catch((error: unknown) => {
  console.error(isStartError(error) ? error.message : error);
  process.exit(1);
});
