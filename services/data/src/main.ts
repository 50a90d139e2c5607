import { randomBytes, randomUUID } from 'node:crypto';
import { loadResources, messageReader } from '@lintel/application';
import { attachInvalidation, createOwnWrites, createProcessDirectory, createSessionStore } from '@lintel/cache';
import { findResource, readResource } from '@lintel/config';
import { createIdSource } from '@lintel/entities';
import { handleAfter } from '@lintel/events';
import { hashPassword } from '@lintel/passwords';
import {
  assertDatabase,
  connectEarly,
  createDatabase,
  createLiveMessages,
  createLiveRoles,
  reachDatabase,
  slowStatements,
} from '@lintel/persistence';
import { hasAccessLog } from '@lintel/reading';
import { roleReader } from '@lintel/security';
import { beginEarly, createAuthentication, runService } from '@lintel/service';
import { monotonicClock } from '@lintel/timing';
import { createDataService } from './app.ts';
import { splitDatabase } from './application-database.ts';
import { mapKeysOf, processSettings } from './config.ts';
import { createDatabaseLimits } from './database-limits.ts';
import { accessLogOptions, applicationOptions, primaryOptions, reportOptions } from './database-options.ts';
import { createHttpAuthAdministration } from './identity/http-auth-administration.ts';
import { migrateDatabase, warnOfPendingMigrations } from './migrate-database.ts';
import { openEventAdministration } from './operations/open-event-administration.ts';
import { openReplicas } from './replicas/open-replicas.ts';
import { createHttpReports } from './report-deliveries/http-reports.ts';
import { startOutboxRelay } from './start-outbox-relay.ts';
import { createHttpTickets } from './tickets/http-tickets.ts';
import { createHttpStoredFiles } from './unreferenced-files/http-stored-files.ts';
import { createHttpSecondFactors } from './user-session/http-second-factors.ts';
import { createHttpSessionLocales } from './user-session/http-session-locales.ts';
import { createHttpUserSessions } from './user-session/http-user-sessions.ts';

/** The data service as a process of its own: builds the drivers and the ids, nothing else does. */
await runService({
  name: 'data',
  settings: processSettings,
  mapKeys: mapKeysOf,
  async start(context) {
    const { config, logger, metrics, clock, own, openStore, connectBus } = context;
    const { platform, backends } = config;
    const { applicationUrl } = config.database;
    const names = { ...config, readOnly: config.readOnly || applicationUrl !== undefined };
    const limits = createDatabaseLimits(config);
    const primary = primaryOptions(config, limits);
    const { reportUrl } = config.database;
    const reports = reportUrl === undefined ? undefined : reportOptions(config, limits, reportUrl);
    const openBus = connectBus(backends.brokerUrls);
    const platformDatabase = own(createDatabase({ ...primary, logger, metrics }));
    // A server that cannot be reached ends the migrations, which name it.
    const reaching = config.database.migrate ? assertDatabase(primary) : reachDatabase(primary, { logger });
    const assertingDatabase = beginEarly(reaching);
    const connecting = connectEarly(platformDatabase);
    const loading = beginEarly(loadResources(context.application, names, { readResource, findResource }));
    const checked = beginEarly(Promise.all([loading, assertingDatabase]));
    const migrating = config.database.migrate
      ? beginEarly(migrateDatabase(config.database, context.application, logger, checked))
      : undefined;
    const application = await loading;
    await assertingDatabase;
    if (reports !== undefined) await assertDatabase(reports, 'svc.data.report-datasource-url');
    if (migrating !== undefined) logger.info({ steps: await migrating }, 'the database is up to date');
    else await warnOfPendingMigrations({ database: platformDatabase, application, logger });
    await connecting;
    const applicationDatabase =
      applicationUrl === undefined
        ? undefined
        : own(createDatabase({ ...applicationOptions(config, limits, applicationUrl), logger, metrics }));
    const database =
      applicationDatabase === undefined
        ? platformDatabase
        : splitDatabase(application, {
            platform: platformDatabase,
            application: applicationDatabase,
            readUrls: config.database.readUrls,
          });
    const reportDatabase = reports && own(createDatabase({ ...reports, logger, metrics }));
    const accessLogDatabase = hasAccessLog(application.model)
      ? own(createDatabase({ ...accessLogOptions(config, limits), logger, metrics }))
      : undefined;
    const replicas = openReplicas(context, limits);
    const store = openStore(backends.redis);
    const sessionStore = createSessionStore(store);
    const ownWrites = createOwnWrites({ service: 'data', store, newId: randomUUID, logger });
    const processes = createProcessDirectory(store);
    const { verifier, sessions, loadSession } = createAuthentication({ platform, sessionStore, clock });
    const live = { database, maxStalenessMs: platform.cacheMaxStaleness, logger };
    const [messages, roles, bus] = await Promise.all([
      own(createLiveMessages({ ...live, read: messageReader(application.messages) })),
      own(createLiveRoles({ ...live, read: roleReader(application) })),
      openBus(),
    ]);
    const { authInternalUrls, internalSecret } = platform;
    const auth = { authInternalUrls, internalSecret, metrics };
    const service = createDataService(
      {
        application,
        database,
        applicationDatabase,
        accessLogDatabase,
        resultMemory: limits.resultMemory,
        replicas,
        reportDatabase,
        currentRoles: () => roles.current(),
        currentMessages: () => messages.current(),
        verifier,
        loadSession,
        sessionLocales: createHttpSessionLocales({ ...auth, onChanged: (id) => sessions.evict(id) }),
        tickets: createHttpTickets(auth),
        userSessions: createHttpUserSessions(auth),
        secondFactors: createHttpSecondFactors(auth),
        processes,
        ownWrites,
        events: openEventAdministration(backends.brokerUrls),
        authAdministration: createHttpAuthAdministration(auth),
        storedFiles: createHttpStoredFiles({ filesInternalUrl: config.filesInternalUrl, internalSecret, metrics }),
        reports: createHttpReports(() => config.reportsUrls, metrics),
        clock,
        monotonicClock,
        ids: createIdSource(clock, randomBytes),
        hashPassword,
        logger,
        metrics,
      },
      config,
    );
    const caches = [sessions, ...verifier.caches, roles, ...service.caches, messages];
    const starting = service.start();
    await Promise.all([
      attachInvalidation(bus, 'data', caches, { metrics, ownWrites }),
      starting,
      service.follow(handleAfter(starting, bus)),
    ]);
    startOutboxRelay(context, database, bus);
    return { ...service, processes, slowStatements };
  },
});
