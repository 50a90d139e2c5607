import { randomUUID } from 'node:crypto';
import { readResourceBytes } from '@lintel/config';
import {
  createExecutionHistory,
  createReportsService,
  createRunStore,
  createVersionReader,
  openClients,
  type ReportsService,
  settings,
} from '@lintel/reports';
import type { Shared } from './open-shared.ts';
import type { StandaloneHost } from './standalone-host.ts';

/** Starts the reports service with its workers. */
export async function startReports(
  host: StandaloneHost,
  shared: Shared,
): Promise<ReportsService & { readonly url: string }> {
  const { application, database, currentRoles, currentMessages, storedReports, verifier, loadSession } = shared;
  const context = await host.contextOf('reports', settings);
  const { config, logger, metrics, clock, bus } = context;
  const clients = openClients(context);
  const { documents } = clients;
  const reports = createReportsService(
    {
      background: { store: createRunStore(database), bus, documents },
      ...(config.history.enabled && {
        history: createExecutionHistory({ ...config.history, database, documents, newId: randomUUID, logger }),
      }),
      application,
      storedReports,
      readVersion: createVersionReader(database),
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
  host.own(reports);
  const url = await host.serve(reports.app, 'reports');
  host.setProperty('svc.gateway.reports-url', url);
  return { ...reports, url };
}
