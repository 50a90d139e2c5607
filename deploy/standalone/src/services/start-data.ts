import { randomBytes } from 'node:crypto';
import { attachInvalidation } from '@lintel/cache';
import { createDataService, createHttpSessionLocales, type DataConfig, type DataService } from '@lintel/data';
import { createIdSource } from '@lintel/entities';
import { createOutboxRelay } from '@lintel/events';
import { hashPassword } from '@lintel/passwords';
import { createOutboxStore, observeOutbox } from '@lintel/persistence';
import { monotonicClock } from '@lintel/timing';
import type { Shared } from './open-shared.ts';
import type { StandaloneHost } from './standalone-host.ts';

/** Starts the data service, the relay of its outbox, and the invalidation of shared caches. */
export async function startData(host: StandaloneHost, shared: Shared, config: DataConfig): Promise<DataService> {
  const { metrics, clock, bus } = host;
  const { platform, sessions, database, application, reportDatabase, resultMemory, currentRoles, currentMessages } =
    shared;
  const logger = host.loggerOf('data');
  const data = createDataService(
    {
      application,
      database,
      reportDatabase,
      resultMemory,
      currentRoles,
      currentMessages,
      verifier: shared.verifier,
      loadSession: shared.loadSession,
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
  // Without the caches of the verifier, which all services share: the gateway attaches them.
  await attachInvalidation(bus.forService('standalone'), 'standalone', [...shared.caches, ...data.caches], metrics);
  await data.start();
  await data.follow(bus.forService('data'));
  host.onClose(() => data.close());
  observeOutbox(database, metrics);
  const store = createOutboxStore(database);
  const relay = createOutboxRelay({ store, bus: bus.forService('data'), logger, metrics, clock });
  relay.start();
  host.onClose(() => relay.stop());
  host.setProperty('svc.gateway.data-url', await host.serve(data.app, 'data'));
  host.setProperty('svc.data.internal-url', await host.serve(data.internalApp, 'data-internal'));
  return data;
}
