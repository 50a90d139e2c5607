import '@lintel/config/decorators';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createRedisStore, createSessionStore } from '@lintel/cache';
import { readConfiguration, redisAddressOf } from '@lintel/config';
import { isStartError } from '@lintel/errors';
import { createAmqpBus } from '@lintel/events';
import { openListeners, runUntilSignal } from '@lintel/http';
import { createDatabase } from '@lintel/persistence';
import { createLogger, startMetrics } from '@lintel/telemetry';
import { createAuthService } from './app.ts';
import { processSettings } from './config.ts';

/** The auth service as a process of its own: builds the drivers, the clock and the ids, nothing else does. */
async function main(): Promise<void> {
  const { config } = await readConfiguration(processSettings);
  const { backends } = config;
  const logger = createLogger({ service: 'auth', level: config.platform.logLevel });
  const running = await startMetrics('lintel-auth');
  const { metrics } = running;
  const clock = { now: () => Date.now() };
  const database = createDatabase({
    ...config.database,
    applicationName: 'lintel-auth',
    logger,
    metrics,
  });
  const keyValues = createRedisStore({
    address: redisAddressOf(backends.redis),
    keyPrefix: backends.redis.keyPrefix,
    logger,
  });
  const bus = await createAmqpBus({
    urls: backends.brokerUrls,
    service: 'auth',
    instanceId: `${hostname()}-${process.pid}`,
    clock,
    logger,
    metrics,
  });
  const auth = createAuthService(
    {
      database,
      keyValues,
      sessions: createSessionStore(keyValues),
      bus,
      logger,
      metrics,
      clock,
      ids: { next: () => randomUUID() },
    },
    config,
  );
  await auth.start();
  const { shutdown } = config.platform;
  const listeners = await openListeners({
    service: 'auth',
    public: { app: auth.app, host: config.host, port: config.port },
    internal: { app: auth.internalApp, host: config.internalHost, port: config.internalPort },
    management: config.management,
    readiness: auth.readiness,
    shutdown,
    running,
    logger,
  });
  runUntilSignal({
    logger,
    ...shutdown,
    async close() {
      await listeners.close();
      await auth.close();
      await bus.close();
      await keyValues.close();
      await database.close();
      await listeners.closeManagement();
      await running.close();
    },
  });
}

main().catch((error: unknown) => {
  console.error(isStartError(error) ? error.message : error);
  process.exit(1);
});
