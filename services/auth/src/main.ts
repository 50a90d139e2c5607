import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createRedisStore, createSessionStore } from '@lintel/cache';
import { backendSettings, defineSettings, readConfiguration } from '@lintel/config';
import { isStartError } from '@lintel/errors';
import { createAmqpBus } from '@lintel/events';
import { listen, runUntilSignal } from '@lintel/http';
import { createDatabase } from '@lintel/persistence';
import { createLogger } from '@lintel/telemetry';
import { createAuthService } from './app.ts';
import { settings } from './config.ts';

const shape = defineSettings({ ...settings, backends: backendSettings });

/** The auth service as a process of its own: builds the drivers, the clock and the ids, nothing else does. */
async function main(): Promise<void> {
  const { config } = await readConfiguration(shape);
  const { backends } = config;
  const logger = createLogger({ service: 'auth', level: config.platform.logLevel });
  const clock = { now: () => Date.now() };
  const database = createDatabase({
    url: config.database.url,
    maxConnections: config.database.poolSize,
    statementTimeoutMs: config.database.statementTimeoutMs,
    applicationName: 'lintel-auth',
    logger,
  });
  const keyValues = createRedisStore({ url: backends.redisUrl, keyPrefix: backends.redisKeyPrefix, logger });
  const bus = await createAmqpBus({
    urls: backends.brokerUrls,
    service: 'auth',
    instanceId: `${hostname()}-${process.pid}`,
    clock,
    logger,
  });
  const auth = createAuthService(
    {
      database,
      keyValues,
      sessions: createSessionStore(keyValues),
      bus,
      logger,
      clock,
      ids: { next: () => randomUUID() },
    },
    config,
  );
  await auth.start();
  const { host, port, internalHost, internalPort } = config;
  const { shutdown } = config.platform;
  const server = await listen(auth.app, { host, port, ...shutdown });
  const internalServer = await listen(auth.internalApp, { host: internalHost, port: internalPort, ...shutdown });
  logger.info({ url: server.url, internalUrl: internalServer.url }, 'ready');
  runUntilSignal({
    logger,
    ...shutdown,
    async close() {
      await Promise.all([server.close(), internalServer.close()]);
      await auth.close();
      await bus.close();
      await keyValues.close();
      await database.close();
    },
  });
}

main().catch((error: unknown) => {
  console.error(isStartError(error) ? error.message : error);
  process.exit(1);
});
