import { randomUUID } from 'node:crypto';
import { createProcessDirectory, createSessionStore } from '@lintel/cache';
import { datasourceOf } from '@lintel/config';
import { connectEarly, createDatabase, reachDatabase, slowStatements } from '@lintel/persistence';
import { runService } from '@lintel/service';
import { createAuthService } from './app.ts';
import { processSettings } from './config.ts';
import { openKeys } from './keys/open-keys.ts';

/** The auth service as a process of its own: builds the drivers and the ids, nothing else does. */
await runService({
  name: 'auth',
  settings: processSettings,
  async start({ application, config, logger, metrics, clock, own, openStore, connectBus }) {
    const options = { ...config.database, ...datasourceOf(config.database), applicationName: 'lintel-auth' };
    const openBus = connectBus(config.backends.brokerUrls);
    const database = own(createDatabase({ ...options, logger, metrics }));
    const connecting = connectEarly(database);
    const keyValues = openStore(config.backends.redis);
    const sessions = createSessionStore(keyValues);
    await reachDatabase(options, { logger });
    await connecting;
    const ids = { next: () => randomUUID() };
    const openingKeys = openKeys({ database, logger, clock, ids, secret: config.keyEncryptionSecret });
    const bus = await openBus();
    const service = createAuthService(
      {
        database,
        keyValues,
        sessions,
        bus,
        logger,
        metrics,
        clock,
        ids,
        openingKeys,
        applicationNames: [application.id, application.name],
        messages: application.messages,
      },
      config,
    );
    await service.start();
    return { ...service, processes: createProcessDirectory(keyValues), slowStatements };
  },
});
