import { register } from 'node:module';
import type { Attributes } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { envDetector, hostDetector, serviceInstanceIdDetector } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { setTracing } from './tracing-state.ts';

export interface SdkOptions {
  /** Name of the resource: the service, or `lintel` in standalone mode. */
  readonly serviceName: string;
}

/**
 * Paths and queries hold ids, filters, names of files and, on the way to the gateway, tokens; addresses tell where
 * people are. No span keeps them: routes and the names of servers say what happened.
 */
const NOT_OF_CLIENTS: Attributes = {
  'url.path': undefined,
  'url.query': undefined,
  'client.address': undefined,
  'network.peer.address': undefined,
  'user_agent.original': undefined,
};
const NOT_OF_CALLS: Attributes = { 'url.full': undefined, 'url.path': undefined, 'url.query': undefined };

/**
 * Starts the only OpenTelemetry SDK of the process; exporters are configured by the standard `OTEL_*`
 * variables. Only http and undici are instrumented; SQL, events, S3 and stages get spans from our own ports.
 * Metrics are not of its making (`startMetrics`).
 */
export function startSdk(options: SdkOptions): void {
  // Drivers are imported as ES modules; without the hook those that take `request` by its name would not be seen.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const sdk = new NodeSDK({
    serviceName: options.serviceName,
    // Not the process: its arguments and its user are nobody's business.
    resourceDetectors: [serviceInstanceIdDetector, hostDetector, envDetector],
    metricReaders: [],
    instrumentations: [
      new HttpInstrumentation({
        // Probes would drown everything else.
        ignoreIncomingRequestHook: ({ url = '' }) => url.startsWith('/health/') || url === '/metrics',
        startIncomingSpanHook: () => NOT_OF_CLIENTS,
        startOutgoingSpanHook: () => NOT_OF_CALLS,
      }),
      new UndiciInstrumentation({ startSpanHook: () => NOT_OF_CALLS }),
    ],
  });
  sdk.start();
  setTracing(true);
  // When the event loop has nothing left, after the drain: spans of the last requests are still sent.
  process.once('beforeExit', () => {
    sdk.shutdown().catch((error: unknown) => console.error('telemetry could not be flushed', error));
  });
}
