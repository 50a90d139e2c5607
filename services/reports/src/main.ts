import { randomUUID } from 'node:crypto';
import { loadMessages, messageReader } from '@lintel/application';
import { attachInvalidation, createOwnWrites, createProcessDirectory, createSessionStore } from '@lintel/cache';
import { datasourceOf, findResource, readResourceBytes } from '@lintel/config';
import {
  connectEarly,
  createDatabase,
  createLiveMessages,
  createLiveReports,
  createLiveRoles,
  reachDatabase,
  slowStatements,
} from '@lintel/persistence';
import { roleReader } from '@lintel/security';
import { beginEarly, createAuthentication, runService } from '@lintel/service';
import { createReportsService } from './app.ts';
import { createRunStore } from './background/create-run-store.ts';
import { processSettings } from './config.ts';
import { storedReportReader } from './definitions/stored-reports.ts';
import { createExecutionHistory } from './history/create-execution-history.ts';
import { openClients } from './open-clients.ts';
import { createVersionReader } from './versions/create-version-reader.ts';

/** The reports service as a process of its own: builds the drivers and the ids, nothing else does. */
await runService({
  name: 'reports',
  settings: processSettings,
  async start(context) {
    const { config, logger, metrics, clock, own, openStore, connectBus } = context;
    const { platform, backends } = config;
    const limits = { maxConnections: 4, statementTimeoutMs: 10_000 };
    const options = {
      ...config.database,
      ...datasourceOf(config.database),
      ...limits,
      applicationName: 'lintel-reports',
    };
    const openBus = connectBus(backends.brokerUrls);
    const database = own(createDatabase({ ...options, logger, metrics }));
    const reachingDatabase = beginEarly(reachDatabase(options, { logger }));
    const connecting = connectEarly(database);
    const application = await loadMessages(context.application, config.availableLocales, findResource);
    const clients = openClients(context);
    const { documents } = clients;
    const store = openStore(backends.redis);
    const sessionStore = createSessionStore(store);
    const processes = createProcessDirectory(store);
    const { verifier, sessions, loadSession } = createAuthentication({ platform, sessionStore, clock });
    await reachingDatabase;
    await connecting;
    const live = { database, maxStalenessMs: platform.cacheMaxStaleness, logger };
    const [storedReports, messages, roles, bus] = await Promise.all([
      own(createLiveReports({ ...live, read: storedReportReader(application) })),
      own(createLiveMessages({ ...live, read: messageReader(application.messages) })),
      own(createLiveRoles({ ...live, read: roleReader(application) })),
      openBus(),
    ]);
    const service = createReportsService(
      {
        background: { store: createRunStore(database), bus, documents },
        ...(config.history.enabled && {
          history: createExecutionHistory({ ...config.history, database, documents, newId: randomUUID, logger }),
        }),
        application,
        currentRoles: () => roles.current(),
        storedReports: () => storedReports.current(),
        readVersion: createVersionReader(database),
        currentMessages: () => messages.current(),
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
    const caches = [sessions, ...verifier.caches, roles, messages, storedReports];
    const ownWrites = createOwnWrites({ service: 'reports', store, newId: randomUUID, logger });
    await Promise.all([attachInvalidation(bus, 'reports', caches, { metrics, ownWrites }), service.start()]);
    return { ...service, processes, slowStatements };
  },
});
