import { urlPatternsOf } from '@lintel/application';
import { createMemoryRateLimits } from '@lintel/cache';
import {
  createGateway,
  createHttpTokenExchange,
  type Gateway,
  type GatewayConfig,
  openCertificate,
  serverOptionsOf,
  settings,
  systemLookup,
} from '@lintel/gateway';
import type { Shared } from './open-shared.ts';
import type { StandaloneHost } from './standalone-host.ts';

/** Starts the gateway on its configured port; the others listen already. */
export async function startGateway(
  host: StandaloneHost,
  { application, platform, verifier }: Shared,
): Promise<{ readonly gateway: Gateway; readonly config: GatewayConfig; readonly url: string }> {
  const { config } = await host.configurationOf(settings);
  const logger = host.loggerOf('gateway');
  const gateway = createGateway(
    {
      controllerPatterns: urlPatternsOf(application.controllers ?? []),
      exchange: createHttpTokenExchange({
        authInternalUrls: platform.authInternalUrls,
        internalSecret: platform.internalSecret,
      }),
      verifier,
      bus: host.bus.forService('gateway'),
      rateLimits: createMemoryRateLimits(),
      logger,
      metrics: host.metrics,
      clock: host.clock,
      lookup: systemLookup,
    },
    config,
  );
  await gateway.start();
  host.onClose(() => gateway.close());
  const certificate = openCertificate(config.tls, logger);
  host.onClose(() => certificate?.close());
  // No load balancer chooses between this gateway and another one.
  const url = await host.serve(gateway.app, 'gateway', {
    ...serverOptionsOf(config, certificate, logger, host.metrics),
    delayMs: 0,
  });
  return { gateway, config, url };
}
