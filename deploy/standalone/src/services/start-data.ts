import { randomBytes, randomUUID } from 'node:crypto';
import { attachInvalidation, createOwnWrites } from '@lintel/cache';
import {
  createDataService,
  createHttpAuthAdministration,
  createHttpReports,
  createHttpSecondFactors,
  createHttpSessionLocales,
  createHttpStoredFiles,
  createHttpTickets,
  createHttpUserSessions,
  type DataConfig,
  type DataPorts,
  type DataService,
  startOutboxRelay,
} from '@lintel/data';
import { createIdSource } from '@lintel/entities';
import { hashPassword } from '@lintel/passwords';
import { monotonicClock } from '@lintel/timing';
import type { Shared } from './open-shared.ts';
import type { StandaloneContext, StandaloneHost } from './standalone-host.ts';

/** Starts the data service, the relay of its outbox, and the invalidation of what all services share. */
export async function startData(
  host: StandaloneHost,
  shared: Shared,
  context: StandaloneContext<DataConfig>,
  urls: { readonly filesInternalUrl: string; readonly reportsUrl: () => string },
  options: Pick<DataPorts, 'mailbox' | 'runsJobsOnDemand'> = {},
): Promise<DataService> {
  const { config, logger, metrics, clock, bus } = context;
  const {
    platform,
    sessions,
    database,
    applicationDatabase,
    accessLogDatabase,
    application,
    reportDatabase,
    resultMemory,
    currentRoles,
    currentMessages,
  } = shared;
  const auth = {
    authInternalUrls: platform.authInternalUrls,
    internalSecret: platform.internalSecret,
    metrics,
  };
  const ownWrites = createOwnWrites({ service: 'data', store: host.store, newId: randomUUID, logger });
  const data = createDataService(
    {
      application,
      database,
      applicationDatabase,
      accessLogDatabase,
      reportDatabase,
      resultMemory,
      currentRoles,
      currentMessages,
      verifier: shared.verifier,
      loadSession: shared.loadSession,
      sessionLocales: createHttpSessionLocales({ ...auth, onChanged: (id) => sessions.evict(id) }),
      tickets: createHttpTickets(auth),
      userSessions: createHttpUserSessions(auth),
      secondFactors: createHttpSecondFactors(auth),
      processes: host.processes,
      ownWrites,
      events: host.bus.administration,
      authAdministration: createHttpAuthAdministration(auth),
      storedFiles: createHttpStoredFiles({
        filesInternalUrl: urls.filesInternalUrl,
        internalSecret: platform.internalSecret,
        metrics,
      }),
      mailbox: config.mail.host === undefined ? options.mailbox : undefined,
      reports: createHttpReports(() => [urls.reportsUrl()], metrics),
      runsJobsOnDemand: options.runsJobsOnDemand,
      clock,
      monotonicClock,
      ids: createIdSource(clock, randomBytes),
      hashPassword,
      logger,
      metrics,
    },
    config,
  );
  // Without those of the verifier, which all services share: the gateway attaches them.
  await attachInvalidation(host.bus.forService('standalone'), 'standalone', [...shared.caches, ...data.caches], {
    metrics,
    ownWrites,
  });
  await data.start();
  await data.follow(bus);
  host.own(data);
  startOutboxRelay(context, database, bus);
  host.setProperty('svc.gateway.data-url', await host.serve(data.app, 'data'));
  host.setProperty('svc.data.internal-url', await host.serve(data.internalApp, 'data-internal'));
  return data;
}
