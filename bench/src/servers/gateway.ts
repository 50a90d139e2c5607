/** The gateway with its real parts, in front of one upstream; the benchmark stands in for the auth service. */
import { createMemoryRateLimits } from '@lintel/cache';
import { loadSettings } from '@lintel/config';
import { createInProcessBus } from '@lintel/events';
import { createGateway, createHttpTokenExchange, settings, systemLookup } from '@lintel/gateway';
import { createTokenVerifier, listen } from '@lintel/http';
import { applyHeapOptions, createLogger, startMetrics } from '@lintel/telemetry';
import { announce } from './announce.ts';
import { ISSUER } from './identity.ts';
import { readServerSettings } from './server-settings.ts';

const given = readServerSettings();
const clock = { now: () => Date.now() };
const logger = createLogger({ service: 'gateway' });
const { metrics } = await startMetrics('lintel-gateway');
const config = loadSettings(settings, {
  sources: [
    {
      label: 'benchmark',
      kind: 'file',
      values: {
        'svc.internal.secret': given.internalSecret,
        'svc.authserver.issuer': ISSUER,
        'svc.authserver.jwks-url': `${given.issuerUrl}/oauth2/jwks`,
        'svc.authserver.internal-url': given.issuerUrl,
        'svc.gateway.data-url': given.upstreamUrl ?? '',
        // One user sends thousands of requests a second. They are counted, as in production.
        'svc.gateway.rate-limit.user': '999999999/1h',
        'svc.gateway.max-concurrent.user': '10000',
        'svc.gateway.max-connections-per-address': '100000',
      },
    },
  ],
  readSecretFile: () => '',
});
const { platform } = config;
const gateway = createGateway(
  {
    exchange: createHttpTokenExchange({
      authInternalUrls: platform.authInternalUrls,
      internalSecret: platform.internalSecret,
    }),
    verifier: createTokenVerifier({ jwksUrl: platform.jwksUrl, issuer: platform.issuer, clock }),
    bus: createInProcessBus({ logger }),
    rateLimits: createMemoryRateLimits(),
    logger,
    metrics,
    clock,
    lookup: systemLookup,
  },
  config,
);
await gateway.start();
const server = await listen(gateway.app, {
  host: '127.0.0.1',
  port: 0,
  maxHeaderBytes: config.maxHeaderBytes,
  endsEmptyRequests: true,
  observed: { metrics, listener: 'gateway' },
});
applyHeapOptions();
announce(server.url);
