import '@lintel/config/decorators';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type Application, loadMessages, messageReader } from '@lintel/application';
import { attachInvalidation, createRedisStore, createSessionCache, createSessionStore } from '@lintel/cache';
import { findResource, readConfiguration, readResourceBytes, redisAddressOf } from '@lintel/config';
import { isStartError } from '@lintel/errors';
import { createAmqpBus } from '@lintel/events';
import { createTokenVerifier, openListeners, runUntilSignal } from '@lintel/http';
import { createDatabase, createLiveMessages, createLiveReports, createLiveRoles } from '@lintel/persistence';
import { roleReader } from '@lintel/security';
import { createLogger, startMetrics } from '@lintel/telemetry';
import { monotonicClock } from '@lintel/timing';
import { createReportsService } from './app.ts';
import { createRunStore } from './background/create-run-store.ts';
import { createHttpDocumentStore } from './background/http-document-store.ts';
import { processSettings } from './config.ts';
import { createHttpDatasetClient } from './datasets/http-dataset-client.ts';
import { createServiceTokenSource } from './datasets/service-tokens.ts';
import { storedReportReader } from './definitions/stored-reports.ts';
import { createHttpFileReader } from './files/http-file-reader.ts';
import { createExecutionHistory } from './history/create-execution-history.ts';
import { createRemoteReader } from './remote-documents/fetch-document.ts';
import { createConverters } from './rendering/converting/create-converters.ts';

/** The reports service as a process of its own: builds the drivers, the clock and the ids, nothing else does. */
async function main(): Promise<void> {
  // Rows of long lists are garbage at once: a heap that grows slowly keeps the process small, at no cost in time.
  setFlagsFromString('--heap-growing-percent=20');
  const { application: bare, config } = await readConfiguration<typeof processSettings, Application>(processSettings);
  const application = await loadMessages(bare, config.availableLocales, findResource);
  const { platform, backends } = config;
  const logger = createLogger({ service: 'reports', level: platform.logLevel });
  const running = await startMetrics('lintel-reports');
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
    maxConnections: 4,
    statementTimeoutMs: 10_000,
    applicationName: 'lintel-reports',
    logger,
    metrics,
  });
  const live = { database, maxStalenessMs: platform.cacheMaxStaleness, logger };
  const [bus, roles, messages, storedReports] = await Promise.all([
    createAmqpBus({ urls: backends.brokerUrls, service: 'reports', instanceId, clock, logger, metrics }),
    createLiveRoles({ ...live, read: roleReader(application) }),
    createLiveMessages({ ...live, read: messageReader(application.messages) }),
    createLiveReports({ ...live, read: storedReportReader(application) }),
  ]);
  await attachInvalidation(bus, 'reports', [sessions, ...verifier.caches, roles, messages, storedReports], metrics);
  const datasets = createHttpDatasetClient({
    dataInternalUrls: config.dataInternalUrls,
    silenceMs: config.dataSilenceMs,
  });
  const remote = createRemoteReader(config.remote);
  const documents = createHttpDocumentStore({
    filesInternalUrl: config.filesInternalUrl,
    internalSecret: platform.internalSecret,
    timeoutMs: config.dataSilenceMs,
  });
  const files = createHttpFileReader({
    filesInternalUrl: config.filesInternalUrl,
    timeoutMs: config.filesTimeoutMs,
    maxBytes: config.maxFileBytes,
  });
  const converters = createConverters(config.converters, { readRemote: remote.read, logger });
  const service = createReportsService(
    {
      background: { store: createRunStore(database), bus, documents },
      ...(config.history.enabled && {
        history: createExecutionHistory({ ...config.history, database, documents, newId: randomUUID, logger }),
      }),
      application,
      currentRoles: () => roles.current(),
      storedReports: () => storedReports.current(),
      currentMessages: () => messages.current(),
      readTemplate: (file) => readResourceBytes(application, file),
      datasets,
      remote,
      converters,
      files,
      serviceTokens: createServiceTokenSource({
        authInternalUrls: platform.authInternalUrls,
        secret: platform.internalSecret,
        clock,
        timeoutMs: config.authTimeoutMs,
      }),
      verifier,
      loadSession: (id) => sessions.get(id),
      logger,
      metrics,
      clock,
      newId: randomUUID,
    },
    config,
  );
  await service.start();
  const { shutdown } = platform;
  const listeners = await openListeners({
    service: 'reports',
    public: { app: service.app, host: config.host, port: config.port },
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
      messages.close();
      storedReports.close();
      await database.close();
      await store.close();
      await converters.close();
      await datasets.close();
      await remote.close();
      await documents.close();
      await files.close();
      await listeners.closeManagement();
      await running.close();
    },
  });
}

main().catch((error: unknown) => {
  console.error(isStartError(error) ? error.message : error);
  process.exit(1);
});
