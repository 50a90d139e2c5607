import { urlPatternsOf } from '@lintel/application';
import { createMemoryRateLimits } from '@lintel/cache';
import {
  consoleFolder,
  createGateway,
  createHttpTokenExchange,
  type Gateway,
  type GatewayConfig,
  type GatewayPorts,
  openCertificate,
  serverOptionsOf,
  settings,
  systemLookup,
} from '@lintel/gateway';
import type { Shared } from './open-shared.ts';
import type { StandaloneHost } from './standalone-host.ts';

/**
 * Starts the gateway on its configured port; the others listen already.
 *
 * @param services to which it hands requests without a connection
 */
export async function startGateway(
  host: StandaloneHost,
  { application, platform, verifier }: Shared,
  services: GatewayPorts['services'],
): Promise<{ readonly gateway: Gateway; readonly config: GatewayConfig; readonly url: string }> {
  const { config, bus, logger, metrics, clock } = await host.contextOf('gateway', settings);
  const { authInternalUrls, internalSecret } = platform;
  const gateway = createGateway(
    {
      controllerPatterns: urlPatternsOf(application.controllers ?? []),
      exchange: createHttpTokenExchange({ authInternalUrls, internalSecret }),
      verifier,
      bus,
      rateLimits: createMemoryRateLimits(),
      logger,
      metrics,
      clock,
      lookup: systemLookup,
      services,
      consoleFolder,
      ...(application.resources !== undefined && { resources: application.resources }),
    },
    config,
  );
  await gateway.start();
  host.own(gateway);
  const certificate = openCertificate(config.tls, logger);
  if (certificate !== undefined) host.own(certificate);
  // There is no other gateway to choose.
  const url = await host.serve(gateway.app, 'gateway', {
    ...serverOptionsOf(config, certificate, logger, metrics),
    delayMs: 0,
  });
  return { gateway, config, url };
}
