import type { OptionalPackages } from '@lintel/errors';

/** The versions are those of `package.json`, which a test compares. */
export const TRACING: OptionalPackages = {
  purpose: 'Traces that are sent to a collector',
  packages: [
    '@opentelemetry/sdk-node@0.301.0',
    '@opentelemetry/instrumentation-http@0.301.0',
    '@opentelemetry/instrumentation-undici@0.34.0',
  ],
};

/** The exporter of metrics over one protocol. */
export const metricsOver = (protocol: 'grpc' | 'http' | 'proto'): OptionalPackages => ({
  purpose: 'Metrics that are sent to a collector',
  packages: [`@opentelemetry/exporter-metrics-otlp-${protocol}@0.301.0`],
});
