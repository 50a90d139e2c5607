import { createAddressList, type ListenOptions } from '@lintel/http';
import { type Logger, type Metrics, NO_METRICS } from '@lintel/telemetry';
import type { GatewayConfig } from './config.ts';
import { STREAM_SILENCE_MS } from './routing/routes.ts';
import type { Certificate } from './tls/open-certificate.ts';

/** So much longer than the timeout of a service: its 504 is sent before the connection of the client is closed. */
const AFTER_RESPONSE_MS = 10_000;

/** How the gateway's server listens. */
export const serverOptionsOf = (
  config: GatewayConfig,
  certificate: Certificate | undefined,
  logger: Logger,
  metrics: Metrics = NO_METRICS,
): ListenOptions => ({
  host: config.host,
  port: config.port,
  maxHeaderBytes: config.maxHeaderBytes,
  maxUrlLength: config.maxUrlLength,
  headersTimeoutMs: config.headersTimeoutMs,
  silenceMs: longestSilenceMs(config) + AFTER_RESPONSE_MS,
  endsEmptyRequests: true,
  logger,
  connectionLimit: {
    maxPerAddress: config.maxConnectionsPerAddress,
    isExempt: createAddressList('svc.gateway.trusted-proxies', config.trustedProxies),
    onRefused: countedIn(metrics),
  },
  ...config.platform.shutdown,
  ...(certificate && { tls: certificate }),
});

const longestSilenceMs = ({ upstreamTimeoutMs }: GatewayConfig): number =>
  Math.max(STREAM_SILENCE_MS, upstreamTimeoutMs);

const countedIn = (metrics: Metrics): (() => void) => {
  const refusals = metrics.counter('lintel.gateway.connection_refusals');
  return () => refusals.add(1);
};
