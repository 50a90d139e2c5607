import { randomUUID } from 'node:crypto';
import { attachInvalidation, createOwnWrites, createProcessDirectory, createSessionStore } from '@lintel/cache';
import { datasourceOf } from '@lintel/config';
import { connectEarly, createDatabase, createLiveRoles, reachDatabase, slowStatements } from '@lintel/persistence';
import { roleReader } from '@lintel/security';
import { beginEarly, createAuthentication, runService } from '@lintel/service';
import { createHttpFileAccess } from './access/file-access.ts';
import { createFilesService } from './app.ts';
import { processSettings } from './config.ts';
import { openFileStorages } from './storage/settings/open-file-storages.ts';

/** The files service as a process of its own: builds the drivers and the ids, nothing else does. */
await runService({
  name: 'files',
  settings: processSettings,
  async start({ application, config, logger, metrics, clock, own, openStore, connectBus }) {
    const { platform, backends } = config;
    const openBus = connectBus(backends.brokerUrls);
    const openingStorages = beginEarly(own(openFileStorages(config, logger)));
    const store = openStore(backends.redis);
    const sessionStore = createSessionStore(store);
    const processes = createProcessDirectory(store);
    const { verifier, sessions, loadSession } = createAuthentication({ platform, sessionStore, clock });
    const limits = { maxConnections: 1, statementTimeoutMs: 10_000 };
    const options = {
      ...config.database,
      ...datasourceOf(config.database),
      ...limits,
      applicationName: 'lintel-files',
    };
    const database = own(createDatabase({ ...options, logger, metrics }));
    const connecting = connectEarly(database);
    await reachDatabase(options, { logger });
    await connecting;
    const [storages, roles, bus] = await Promise.all([
      openingStorages,
      own(
        createLiveRoles({
          database,
          read: roleReader(application),
          maxStalenessMs: platform.cacheMaxStaleness,
          logger,
        }),
      ),
      openBus(),
    ]);
    const ownWrites = createOwnWrites({ service: 'files', store, newId: randomUUID, logger });
    await attachInvalidation(bus, 'files', [sessions, ...verifier.caches, roles], { metrics, ownWrites });
    const fileAccess = own(createHttpFileAccess({ ...config, clock, metrics }));
    const service = createFilesService(
      {
        currentRoles: () => roles.current(),
        storages,
        fileAccess,
        verifier,
        loadSession,
        logger,
        metrics,
        clock,
        newId: randomUUID,
        // There with `--expose-gc`.
        runMinorGc: () => globalThis.gc?.({ type: 'minor' }),
      },
      config,
    );
    await service.start();
    return { ...service, processes, slowStatements };
  },
});
