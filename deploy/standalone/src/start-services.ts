import { join } from 'node:path';
import { type Application, type ApplicationData, loadResources } from '@lintel/application';
import { type AuthConfig, settings as authSettings } from '@lintel/auth';
import { CONSOLE_PATH, ConfigurationError, findResource, readResource, sessionUrlOf } from '@lintel/config';
import {
  createMailbox,
  type DataConfig,
  type DataService,
  settings as dataSettings,
  type Mailbox,
  migrateDatabase,
} from '@lintel/data';
import { StartError } from '@lintel/errors';
import type { EventBus } from '@lintel/events';
import { settings as filesSettings } from '@lintel/files';
import { settings as gatewaySettings } from '@lintel/gateway';
import { type Readiness, startManagementListener } from '@lintel/http';
import { slowStatements } from '@lintel/persistence';
import { settings as reportsSettings } from '@lintel/reports';
import { startProcessReports } from '@lintel/service';
import { clientRoleWarnings } from './client-role-warnings.ts';
import type { PasswordClient } from './demo-requests.ts';
import { openShared } from './services/open-shared.ts';
import { createHost, type HostOptions, type StandaloneHost } from './services/standalone-host.ts';
import { startAuth } from './services/start-auth.ts';
import { startData } from './services/start-data.ts';
import { startFiles } from './services/start-files.ts';
import { startGateway } from './services/start-gateway.ts';
import { startReports } from './services/start-reports.ts';

export interface StartOptions extends HostOptions {
  /** Folder of files, where no storage is configured. */
  readonly home: string;
  /** Whether this process has started the database server, and alone uses it. */
  readonly ownsDatabase: boolean;
  readonly onProgress: (step: string) => void;
  /** Whether jobs run by `RunningServices.runDueJobs` alone, and event handlers by `handleEvents`. */
  readonly runsJobsOnDemand?: boolean;
  /** Awaited before the migrations run. */
  readonly beforeMigrations?: (database: {
    readonly url: string;
    readonly migrations: NonNullable<Application['migrations']>;
  }) => Promise<void>;
}

export interface RunningServices {
  /** Address of the gateway. */
  readonly url: string;
  /** Address of `/metrics` and `/health/…` for operators. */
  readonly managementUrl: string;
  readonly application: Application;
  /** Whether the demo users exist. */
  readonly isDemo: boolean;
  /** A configured client that may use the password grant. */
  readonly passwordClient: PasswordClient | undefined;
  /** Prefixes of the REST API, of its documents and of the entities. */
  readonly paths: { readonly rest: string; readonly docs: string; readonly entities: string };
  /** Path of the console; undefined where it is not served. */
  readonly consolePath: string | undefined;
  /** Reads and writes with all rights and without a caller. */
  readonly data: ApplicationData;
  /** Mails that were not sent: there is no SMTP server. */
  readonly mailbox: Mailbox;
  /** Runs jobs that are due, with `runsJobsOnDemand`. */
  readonly runDueJobs: DataService['runDueJobs'];
  /** Lets the event handlers handle what is published, with `runsJobsOnDemand`. */
  readonly handleEvents: DataService['handleEvents'];
  /** Publishes the events of all services. */
  readonly bus: EventBus;
  close(): Promise<void>;
}

/**
 * Starts the five services in this process, each on a loopback port of its own and the gateway on its configured one:
 * with the same code as in five processes, but other adapters.
 *
 * @throws ConfigurationError, MigrationError and what the services throw at start
 */
export async function startServices(options: StartOptions): Promise<RunningServices> {
  const host = await createHost(options);
  try {
    return await startOn(host, options);
  } catch (error) {
    await host.close();
    // The first service that refuses its settings hides those that others refuse.
    if (error instanceof ConfigurationError) await host.assertConfigurations(SETTINGS);
    throw error;
  }
}

const SETTINGS = [dataSettings, authSettings, filesSettings, reportsSettings, gatewaySettings];

async function startOn(host: StandaloneHost, options: StartOptions): Promise<RunningServices> {
  const { onProgress } = options;
  onProgress('Reading the application');
  const { application: bare, config } = await host.configurationOf(dataSettings);
  assertNoReplicas(config);
  const isReadOnly = config.readOnly || config.database.applicationUrl !== undefined;
  const names = { ...config, readOnly: isReadOnly };
  const application = await loadResources(bare, names, { readResource, findResource });
  onProgress('Bringing the database up to date');
  if (config.database.migrate) {
    const { migrations = [] } = application;
    await options.beforeMigrations?.({ url: sessionUrlOf(config.database), migrations });
    await migrateDatabase(config.database, application, host.loggerOf('standalone'));
  }

  onProgress('Starting the services');
  const { auth, config: authConfig } = await startAuth(host);
  const dataContext = await host.contextOf('data', dataSettings);
  const { config: dataConfig } = dataContext;
  const shared = await openShared(host, application, dataConfig, options.ownsDatabase);
  const logger = host.loggerOf('standalone');
  for (const warning of clientRoleWarnings(authConfig.clients, shared.currentRoles()))
    logger.warn({ warning }, 'a client has a role that gives no rights');
  const files = await startFiles(host, shared, join(options.home, 'files'));
  const mailbox = createMailbox();
  const ports = { mailbox, runsJobsOnDemand: options.runsJobsOnDemand };
  let reportsUrl = '';
  const urls = { filesInternalUrl: files.internalUrl, reportsUrl: () => reportsUrl };
  const data = await startData(host, shared, dataContext, urls, ports);
  const reports = await startReports(host, shared);
  reportsUrl = reports.url;
  const apps = { auth: auth.app, data: data.app, files: files.app, reports: reports.app };
  const { gateway, config: gatewayConfig, url } = await startGateway(host, shared, apps);
  const services = { auth, data, files, reports, gateway };
  const management = await startManagementListener({
    service: 'standalone',
    at: gatewayConfig.management,
    readiness: readinessOfAll(services),
    apps: Object.values(services).map(({ app }) => app),
    metrics: host.running,
    askServices: () => gateway.askServices(),
  });
  host.ownLast(management);
  host.own(
    startProcessReports({
      service: 'standalone',
      processes: host.processes,
      readiness: readinessOfAll(services),
      settings: host.effectiveSettings,
      slowStatements,
      clock: host.clock,
      logger,
    }),
  );
  return {
    url,
    managementUrl: management.url,
    application,
    isDemo: dataConfig.demoEnabled,
    passwordClient: passwordClientOf(authConfig),
    paths: {
      rest: dataConfig.paths.basePath,
      docs: `${dataConfig.paths.basePath}${dataConfig.paths.docsPath}`,
      entities: `${dataConfig.paths.basePath}${dataConfig.paths.entitiesPath}`,
    },
    consolePath: gatewayConfig.platform.consoleEnabled ? CONSOLE_PATH : undefined,
    data: data.data(),
    mailbox,
    runDueJobs: data.runDueJobs,
    handleEvents: data.handleEvents,
    bus: host.bus,
    close: () => host.close(),
  };
}

/** @throws StartError */
function assertNoReplicas({ database }: Pick<DataConfig, 'database'>): void {
  if (database.readUrls.length > 0)
    throw new StartError('svc.datasource.read-urls: one process reads from no replicas; run the services as processes');
}

function passwordClientOf({ clients }: AuthConfig): PasswordClient | undefined {
  for (const client of Object.values(clients)) {
    const clientSecret = client['client-secret'];
    if (clientSecret !== undefined && client['grant-types'].includes('password'))
      return { clientId: client['client-id'], clientSecret };
  }
  return undefined;
}

/** The checks of all services, `auth: database` and so on. */
const readinessOfAll = (services: Readonly<Record<string, { readonly readiness: Readiness }>>): Readiness =>
  Object.fromEntries(
    Object.entries(services).flatMap(([service, { readiness }]) =>
      Object.entries(readiness).map(([check, ask]) => [`${service}: ${check}`, ask]),
    ),
  );
