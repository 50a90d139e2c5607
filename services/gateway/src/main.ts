import '@lintel/config/decorators';
import { hostname } from 'node:os';
import { type Application, urlPatternsOf } from '@lintel/application';
import { createMemoryRateLimits, createRedisRateLimits, type RateLimits } from '@lintel/cache';
import { findRedisAddress, readConfiguration } from '@lintel/config';
import { isStartError } from '@lintel/errors';
import { createAmqpBus } from '@lintel/events';
import { createTokenVerifier, openListeners, runUntilSignal } from '@lintel/http';
import { createLogger, type Logger, startMetrics } from '@lintel/telemetry';
import { createGateway } from './app.ts';
import { type GatewayConfig, processSettings, rateLimitStoreSettings } from './config.ts';
import { createHttpTokenExchange } from './identity/http-token-exchange.ts';
import { serverOptionsOf } from './server-options.ts';
import { openCertificate } from './tls/open-certificate.ts';
import { systemLookup } from './upstreams/system-lookup.ts';

/** The gateway as a process of its own: builds the drivers and the clock, nothing else does. */
async function main(): Promise<void> {
  const { application, config } = await readConfiguration<typeof processSettings, Application>(processSettings);
  const { platform } = config;
  const logger = createLogger({ service: 'gateway', level: platform.logLevel });
  const running = await startMetrics('lintel-gateway');
  const { metrics } = running;
  const certificate = openCertificate(config.tls, logger);
  if (certificate !== undefined) process.on('SIGHUP', () => certificate.reload());
  const clock = { now: () => Date.now() };
  const instanceId = `${hostname()}-${process.pid}`;
  const [bus, rateLimits] = await Promise.all([
    createAmqpBus({ urls: config.brokerUrls, service: 'gateway', instanceId, clock, logger, metrics }),
    connectRateLimits(config, logger),
  ]);
  const gateway = createGateway(
    {
      controllerPatterns: urlPatternsOf(application.controllers ?? []),
      exchange: createHttpTokenExchange({
        authInternalUrls: platform.authInternalUrls,
        internalSecret: platform.internalSecret,
      }),
      verifier: createTokenVerifier({ jwksUrl: platform.jwksUrl, issuer: platform.issuer, clock }),
      bus,
      rateLimits,
      logger,
      metrics,
      clock,
      lookup: systemLookup,
    },
    config,
  );
  await gateway.start();
  const { shutdown } = platform;
  const listeners = await openListeners({
    service: 'gateway',
    public: { app: gateway.app, ...serverOptionsOf(config, certificate, logger, metrics) },
    management: config.management,
    readiness: gateway.readiness,
    askServices: () => gateway.askServices(),
    shutdown,
    running,
    logger,
  });
  runUntilSignal({
    logger,
    ...shutdown,
    async close() {
      await listeners.close();
      certificate?.close();
      await gateway.close();
      await bus.close();
      await rateLimits.close();
      await listeners.closeManagement();
      await running.close();
    },
  });
}

/** In Redis where one is configured; else this process counts by itself, and the limits hold for each replica. */
async function connectRateLimits({ rateLimits }: GatewayConfig, logger: Logger): Promise<RateLimits> {
  const isCounted = Object.values(rateLimits).some((rate) => rate !== undefined && Number.isFinite(rate.limit));
  if (!isCounted) return createMemoryRateLimits();
  const { config } = await readConfiguration(rateLimitStoreSettings);
  const address = findRedisAddress(config.redis);
  if (address === undefined) {
    logger.info({}, 'no Redis is configured: rate limits hold for each replica of the gateway');
    return createMemoryRateLimits();
  }
  return createRedisRateLimits({ address, keyPrefix: config.redis.keyPrefix, logger });
}

main().catch((error: unknown) => {
  console.error(isStartError(error) ? error.message : error);
  process.exit(1);
});
