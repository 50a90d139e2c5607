import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { type Application, loadResources, messageReader, urlPatternsOf } from '@lintel/application';
import { settings as authSettings, createAuthService } from '@lintel/auth';
import {
  attachInvalidation,
  createMemoryRateLimits,
  createMemoryStore,
  createSessionCache,
  createSessionStore,
  steadyClock,
} from '@lintel/cache';
import { findResource, readConfiguration, readResource, readResourceBytes, type SettingsShape } from '@lintel/config';
import { createDataService, createHttpSessionLocales, createIdSource, settings as dataSettings } from '@lintel/data';
import { createInProcessBus, createOutboxRelay } from '@lintel/events';
import { createFilesService, settings as filesSettings, openFileStorages } from '@lintel/files';
import {
  createGateway,
  createHttpTokenExchange,
  settings as gatewaySettings,
  openCertificate,
  serverOptionsOf,
  systemLookup,
} from '@lintel/gateway';
import {
  createTokenVerifier,
  type ListenOptions,
  listen,
  listenForOperators,
  type Readiness,
  type RunningServer,
} from '@lintel/http';
import { hashPassword } from '@lintel/passwords';
import {
  createDatabase,
  createLiveMessages,
  createLiveReports,
  createLiveRoles,
  createOutboxStore,
  createReportLogin,
  observeOutbox,
  runMigrations,
} from '@lintel/persistence';
import {
  createConverters,
  createExecutionHistory,
  createHttpDatasetClient,
  createHttpDocumentStore,
  createHttpFileReader,
  createOutsideReader,
  createReportsService,
  createRunStore,
  createServiceTokenSource,
  settings as reportsSettings,
  storedReportReader,
} from '@lintel/reports';
import { roleReader } from '@lintel/security';
import { type Logger, startMetrics } from '@lintel/telemetry';
import type { PasswordClient } from './demo-requests.ts';

export interface StartOptions {
  readonly databaseUrl: string;
  /** Folder of files, where no storage is configured. */
  readonly home: string;
  /** Properties that the start decides; they win over files and the environment. */
  readonly properties: Readonly<Record<string, string>>;
  /** Properties that files and the environment win over. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly onProgress: (step: string) => void;
}

export interface RunningServices {
  /** Address of the gateway. */
  readonly url: string;
  /** Address of `/metrics` and `/health/…` for operators. */
  readonly managementUrl: string;
  readonly application: Application;
  /** Whether the demo users are there. */
  readonly isDemo: boolean;
  /** A client of the configuration that may ask for tokens with passwords. */
  readonly passwordClient: PasswordClient | undefined;
  close(): Promise<void>;
}

const LOOPBACK = { host: '127.0.0.1', port: 0 } as const;

/**
 * Builds the five services in this process, each on a loopback port of its own and the gateway on its
 * configured one: other adapters than in the five processes, the same code.
 *
 * @throws ConfigurationError, MigrationError and what the services throw at start
 */
export async function startServices(options: StartOptions): Promise<RunningServices> {
  const { databaseUrl, onProgress } = options;
  const clock = { now: () => Date.now() };
  const closing: (() => Promise<unknown>)[] = [];
  // The last thing opened is the first one closed.
  const closeAll = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  const loggerOf = (service: string): Logger => options.logger.child({ service });
  const serve = async (app: RequestListener, listener: string, at: ListenOptions = LOOPBACK): Promise<string> => {
    const server: RunningServer = await listen(app, { ...at, observed: { metrics, listener } });
    closing.push(() => server.close());
    return server.url;
  };
  const urls: Record<string, string> = {};
  const configurationOf = <const S extends SettingsShape>(shape: S) =>
    readConfiguration<S, Application>(shape, {
      defaults: options.defaults,
      overrides: { ...options.properties, 'svc.datasource.url': databaseUrl, ...urls },
      mapKeys: ({ model }) => ({ 'svc.rest.entity-max-fetch-size': [...model.entities.keys()] }),
    });

  const running = await startMetrics('lintel');
  const { metrics } = running;
  closing.push(() => running.close());

  try {
    const store = createMemoryStore({ clock });
    const sessionStore = createSessionStore(store);
    const bus = createInProcessBus({ logger: loggerOf('events'), metrics });
    closing.push(() => bus.close());
    const open = (applicationName: string, maxConnections: number, statementTimeoutMs: number) => {
      const logger = loggerOf(applicationName);
      const database = createDatabase({
        url: databaseUrl,
        maxConnections,
        statementTimeoutMs,
        applicationName,
        logger,
        metrics,
        slowQueries: firstConfig.slowQueries,
      });
      closing.push(() => database.close());
      return database;
    };

    onProgress('Reading the application');
    const { application: bare, config: firstConfig } = await configurationOf(dataSettings);
    const application = await loadResources(bare, firstConfig, { readResource, findResource });
    onProgress('Bringing the database up to date');
    await runMigrations({
      url: databaseUrl,
      migrations: application.migrations ?? [],
      onProgress: (progress) =>
        loggerOf('standalone')[progress.kind === 'ran' ? 'info' : 'warn'](progress, 'migrations'),
    });

    onProgress('Starting the services');
    const { config: authConfig } = await configurationOf(authSettings);
    const auth = createAuthService(
      {
        database: open('lintel-auth', authConfig.database.poolSize, authConfig.database.statementTimeoutMs),
        keyValues: store,
        sessions: sessionStore,
        bus: bus.forService('auth'),
        logger: loggerOf('auth'),
        metrics,
        clock,
        ids: { next: () => randomUUID() },
      },
      authConfig,
    );
    await auth.start();
    closing.push(() => auth.close());
    const authUrl = await serve(auth.app, 'auth');
    urls['svc.authserver.jwks-url'] = `${authUrl}/oauth2/jwks`;
    urls['svc.authserver.internal-url'] = await serve(auth.internalApp, 'auth-internal');

    const { config: dataConfig } = await configurationOf(dataSettings);
    const { platform } = dataConfig;
    const verifier = createTokenVerifier({ jwksUrl: platform.jwksUrl, issuer: platform.issuer, clock });
    const sessions = createSessionCache({
      sessions: sessionStore,
      maxStalenessMs: platform.cacheMaxStaleness,
      clock: steadyClock,
    });
    const loadSession = (id: string) => sessions.get(id);
    const database = open('lintel-data', dataConfig.database.poolSize, dataConfig.database.statementTimeoutMs);
    const roles = await createLiveRoles({
      database,
      read: roleReader(application, (problem) =>
        loggerOf('standalone').warn({ problem }, 'a stored role cannot be used as it is'),
      ),
      maxStalenessMs: platform.cacheMaxStaleness,
      clock: steadyClock,
      logger: loggerOf('standalone'),
    });
    closing.push(async () => roles.close());
    const currentRoles = () => roles.current();
    const messages = await createLiveMessages({
      database,
      read: messageReader(application.messages),
      maxStalenessMs: platform.cacheMaxStaleness,
      clock: steadyClock,
      logger: loggerOf('standalone'),
    });
    closing.push(async () => messages.close());
    const currentMessages = () => messages.current();
    const storedReports = await createLiveReports({
      database,
      read: storedReportReader(application),
      maxStalenessMs: platform.cacheMaxStaleness,
      clock: steadyClock,
      logger: loggerOf('standalone'),
    });
    closing.push(async () => storedReports.close());
    // The database server belongs to this process alone: nobody else needs to know the password.
    const reportUrl =
      dataConfig.database.reportUrl ??
      (await createReportLogin(database, databaseUrl, randomBytes(24).toString('base64url')));
    const reportDatabase = createDatabase({
      url: reportUrl,
      maxConnections: dataConfig.database.reportPoolSize,
      statementTimeoutMs: dataConfig.database.reportStatementTimeoutMs,
      applicationName: 'lintel-data-reports',
      readOnly: true,
      logger: loggerOf('data'),
      metrics,
      slowQueries: firstConfig.slowQueries,
    });
    closing.push(() => reportDatabase.close());
    const data = createDataService(
      {
        application,
        database,
        reportDatabase,
        currentRoles,
        currentMessages,
        verifier,
        loadSession,
        sessionLocales: createHttpSessionLocales({
          authInternalUrls: platform.authInternalUrls,
          internalSecret: platform.internalSecret,
          onChanged: (id) => sessions.evict(id),
        }),
        clock,
        ids: createIdSource(clock, randomBytes),
        hashPassword,
        logger: loggerOf('data'),
        metrics,
      },
      dataConfig,
    );
    // Without those of the verifier, which all services share: the gateway attaches them.
    await attachInvalidation(
      bus.forService('standalone'),
      'standalone',
      [sessions, roles, ...data.caches, messages, storedReports],
      metrics,
    );
    await data.start();
    closing.push(() => data.close());
    const outbox = createOutboxStore(database);
    observeOutbox(database, metrics);
    const relay = createOutboxRelay({
      store: outbox,
      bus: bus.forService('data'),
      logger: loggerOf('data'),
      metrics,
      clock,
    });
    relay.start();
    closing.push(() => relay.stop());
    urls['svc.gateway.data-url'] = await serve(data.app, 'data');
    urls['svc.data.internal-url'] = await serve(data.internalApp, 'data-internal');

    const { config: filesConfig } = await configurationOf(filesSettings);
    const storages = await openFileStorages(filesConfig, loggerOf('files'), join(options.home, 'files'));
    closing.push(() => Promise.all(storages.all.map((storage) => storage.store.close())));
    const files = createFilesService(
      {
        currentRoles,
        storages,
        verifier,
        loadSession,
        logger: loggerOf('files'),
        metrics,
        clock,
        newId: randomUUID,
        collectYoung: () => {},
      },
      filesConfig,
    );
    await files.start();
    urls['svc.gateway.files-url'] = await serve(files.app, 'files');
    urls['svc.files.internal-url'] = await serve(files.internalApp, 'files-internal');

    const { config: reportsConfig } = await configurationOf(reportsSettings);
    const datasets = createHttpDatasetClient({
      dataInternalUrls: reportsConfig.dataInternalUrls,
      silenceMs: reportsConfig.dataSilenceMs,
    });
    closing.push(() => datasets.close());
    const outside = createOutsideReader(reportsConfig.outside);
    closing.push(() => outside.close());
    const serviceTokens = createServiceTokenSource({
      authInternalUrls: platform.authInternalUrls,
      secret: platform.internalSecret,
      clock,
      timeoutMs: reportsConfig.authTimeoutMs,
    });
    const documents = createHttpDocumentStore({
      filesInternalUrl: reportsConfig.filesInternalUrl,
      internalSecret: platform.internalSecret,
      timeoutMs: reportsConfig.dataSilenceMs,
    });
    closing.push(() => documents.close());
    const fileReader = createHttpFileReader({
      filesInternalUrl: reportsConfig.filesInternalUrl,
      timeoutMs: reportsConfig.filesTimeoutMs,
      maxBytes: reportsConfig.maxFileBytes,
    });
    closing.push(() => fileReader.close());
    const converters = createConverters(reportsConfig.converters, {
      readOutside: outside.read,
      logger: loggerOf('reports'),
    });
    closing.push(() => converters.close());
    const reports = createReportsService(
      {
        background: { store: createRunStore(database), bus: bus.forService('reports'), documents },
        ...(reportsConfig.history.enabled && {
          history: createExecutionHistory({
            ...reportsConfig.history,
            database,
            documents,
            newId: randomUUID,
            logger: loggerOf('reports'),
          }),
        }),
        application,
        storedReports: () => storedReports.current(),
        currentRoles,
        currentMessages,
        readTemplate: (file) => readResourceBytes(application, file),
        datasets,
        outside,
        converters,
        files: fileReader,
        serviceTokens,
        verifier,
        loadSession,
        logger: loggerOf('reports'),
        metrics,
        clock,
        newId: randomUUID,
      },
      reportsConfig,
    );
    await reports.start();
    closing.push(() => reports.close());
    urls['svc.gateway.reports-url'] = await serve(reports.app, 'reports');
    urls['svc.gateway.auth-url'] = authUrl;

    const { config: gatewayConfig } = await configurationOf(gatewaySettings);
    const exchange = createHttpTokenExchange({
      authInternalUrls: platform.authInternalUrls,
      internalSecret: platform.internalSecret,
    });
    const gateway = createGateway(
      {
        controllerPatterns: urlPatternsOf(application.controllers ?? []),
        exchange,
        verifier,
        bus: bus.forService('gateway'),
        rateLimits: createMemoryRateLimits(),
        logger: loggerOf('gateway'),
        metrics,
        clock,
        lookup: systemLookup,
      },
      gatewayConfig,
    );
    await gateway.start();
    closing.push(() => gateway.close());
    const certificate = openCertificate(gatewayConfig.tls, loggerOf('gateway'));
    closing.push(async () => certificate?.close());
    const listening = serverOptionsOf(gatewayConfig, certificate, loggerOf('gateway'));
    // Nobody chooses between this gateway and another one.
    const url = await serve(gateway.app, 'gateway', { ...listening, delayMs: 0 });
    const services = { auth, data, files, reports, gateway };
    const management = await listenForOperators({
      service: 'standalone',
      at: gatewayConfig.management,
      readiness: readinessOfAll(services),
      apps: Object.values(services).map(({ app }) => app),
      metrics: running,
      askServices: () => gateway.askServices(),
    });
    // After everything that it tells about, before the metrics.
    closing.splice(1, 0, () => management.close());
    const client = Object.values(authConfig.clients).find((known) => known['grant-types'].includes('password'));
    const passwordClient = client && { clientId: client['client-id'], clientSecret: client['client-secret'] };
    const isDemo = dataConfig.demoEnabled;
    return { url, managementUrl: management.url, application, isDemo, passwordClient, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The checks of all services, `auth: database` and so on. */
const readinessOfAll = (services: Readonly<Record<string, { readonly readiness: Readiness }>>): Readiness =>
  Object.fromEntries(
    Object.entries(services).flatMap(([service, { readiness }]) =>
      Object.entries(readiness).map(([check, ask]) => [`${service}: ${check}`, ask]),
    ),
  );
