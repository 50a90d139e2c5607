import { randomUUID } from 'node:crypto';
import { readResourceBytes } from '@lintel/config';
import {
  createConverters,
  createExecutionHistory,
  createHttpDatasetClient,
  createHttpDocumentStore,
  createHttpFileReader,
  createRemoteReader,
  createReportsService,
  createRunStore,
  createServiceTokenSource,
  type ReportsConfig,
  type ReportsService,
  settings,
} from '@lintel/reports';
import type { Shared } from './open-shared.ts';
import type { StandaloneHost } from './standalone-host.ts';

/** Starts the reports service with its workers. */
export async function startReports(host: StandaloneHost, shared: Shared): Promise<ReportsService> {
  const { metrics, clock, bus } = host;
  const { application, database, currentRoles, currentMessages, storedReports, verifier, loadSession } = shared;
  const { config } = await host.configurationOf(settings);
  const logger = host.loggerOf('reports');
  const clients = openClients(host, shared, config);
  const { documents } = clients;
  const reports = createReportsService(
    {
      background: { store: createRunStore(database), bus: bus.forService('reports'), documents },
      ...(config.history.enabled && {
        history: createExecutionHistory({ ...config.history, database, documents, newId: randomUUID, logger }),
      }),
      application,
      storedReports,
      currentRoles,
      currentMessages,
      readTemplate: (file) => readResourceBytes(application, file),
      ...clients,
      verifier,
      loadSession,
      logger,
      metrics,
      clock,
      newId: randomUUID,
    },
    config,
  );
  await reports.start();
  host.onClose(() => reports.close());
  host.setProperty('svc.gateway.reports-url', await host.serve(reports.app, 'reports'));
  return reports;
}

/** Clients for the data and pictures of reports, and for the storage of their documents. */
function openClients(host: StandaloneHost, { platform }: Shared, config: ReportsConfig) {
  const { filesInternalUrl, dataSilenceMs } = config;
  const clients = {
    datasets: createHttpDatasetClient({ dataInternalUrls: config.dataInternalUrls, silenceMs: dataSilenceMs }),
    remote: createRemoteReader(config.remote),
    documents: createHttpDocumentStore({
      filesInternalUrl,
      internalSecret: platform.internalSecret,
      timeoutMs: dataSilenceMs,
    }),
    files: createHttpFileReader({
      filesInternalUrl,
      timeoutMs: config.filesTimeoutMs,
      maxBytes: config.maxFileBytes,
    }),
  };
  const logger = host.loggerOf('reports');
  const converters = createConverters(config.converters, { readRemote: clients.remote.read, logger });
  for (const client of [...Object.values(clients), converters]) host.onClose(() => client.close());
  const serviceTokens = createServiceTokenSource({
    authInternalUrls: platform.authInternalUrls,
    secret: platform.internalSecret,
    clock: host.clock,
    timeoutMs: config.authTimeoutMs,
  });
  return { ...clients, converters, serviceTokens };
}
