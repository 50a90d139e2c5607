import { urlPatternsOf } from '@lintel/application';
import { createProcessDirectory, createRedisStore, type ProcessDirectory } from '@lintel/cache';
import { findRedisAddress, readConfiguration } from '@lintel/config';
import { bundleFolder } from '@lintel/console';
import { createTokenVerifier } from '@lintel/http';
import { runService, type ServiceContext } from '@lintel/service';
import { createGateway } from './app.ts';
import { processSettings, rateLimitStoreSettings } from './config.ts';
import { createHttpTokenExchange } from './identity/http-token-exchange.ts';
import { connectRateLimits } from './limits/connect-rate-limits.ts';
import { serverOptionsOf } from './server-options.ts';
import { openCertificate } from './tls/open-certificate.ts';
import { systemLookup } from './upstreams/system-lookup.ts';

/** The gateway as a process of its own: builds the drivers, nothing else does. */
await runService({
  name: 'gateway',
  settings: processSettings,
  async start({ application, config, logger, metrics, clock, own, openBus }) {
    const { jwksUrl, issuer, authInternalUrls, internalSecret } = config.platform;
    const certificate = openCertificate(config.tls, logger);
    if (certificate !== undefined) process.on('SIGHUP', () => certificate.reload());
    const [rateLimits, bus] = await Promise.all([own(connectRateLimits(config, logger)), openBus(config.brokerUrls)]);
    const gateway = createGateway(
      {
        controllerPatterns: urlPatternsOf(application.controllers ?? []),
        exchange: createHttpTokenExchange({ authInternalUrls, internalSecret, metrics }),
        verifier: createTokenVerifier({ jwksUrl, issuer, clock }),
        bus,
        rateLimits,
        logger,
        metrics,
        clock,
        lookup: systemLookup,
        consoleFolder: bundleFolder,
        ...(application.resources !== undefined && { resources: application.resources }),
      },
      config,
    );
    const processes = await openProcessDirectory({ logger, own });
    await gateway.start();
    return {
      ...gateway,
      processes,
      listenOptions: serverOptionsOf(config, certificate, logger, metrics),
      async close() {
        certificate?.close();
        await gateway.close();
      },
    };
  },
});

/**
 * Where the gateway reports its state: the Redis of the rate limits. Undefined without one.
 *
 * @throws ConfigurationError if the settings of Redis contradict each other
 */
async function openProcessDirectory({
  logger,
  own,
}: Pick<ServiceContext<unknown>, 'logger' | 'own'>): Promise<ProcessDirectory | undefined> {
  const { config } = await readConfiguration(rateLimitStoreSettings);
  const address = findRedisAddress(config.redis);
  if (address === undefined) return undefined;
  return createProcessDirectory(own(createRedisStore({ address, keyPrefix: config.redis.keyPrefix, logger })));
}
