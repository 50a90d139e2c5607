import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Attributes } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { envDetector, hostDetector, serviceInstanceIdDetector } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { isUnrecorded } from './trace-context.ts';
import { setTracing } from './tracing-state.ts';

export interface SdkOptions {
  /** Name of the resource: the service, or `lintel` in standalone mode. */
  readonly serviceName: string;
}

/** Paths and queries contain ids, filters and names of files; the names of servers suffice to identify a call. */
const NOT_OF_CALLS: Attributes = { 'url.full': undefined, 'url.path': undefined, 'url.query': undefined };

/**
 * Starts the only OpenTelemetry SDK of the process; exporters are configured by the standard `OTEL_*`
 * variables. Only calls over http and undici are instrumented; requests that are served (`serveInTrace`), SQL, events, S3
 * and stages get spans from our own ports.
 * It does not produce the metrics (`startMetrics` does).
 */
export function startSdk(options: SdkOptions): void {
  const sdk = new NodeSDK({
    serviceName: options.serviceName,
    // Not the process: its arguments and its user are not exported.
    resourceDetectors: [serviceInstanceIdDetector, hostDetector, envDetector],
    metricReaders: [],
    instrumentations: [
      new HttpInstrumentation({
        disableIncomingRequestInstrumentation: true,
        ignoreOutgoingRequestHook: isUnrecorded,
        startOutgoingSpanHook: () => NOT_OF_CALLS,
      }),
      new UndiciInstrumentation({ ignoreRequestHook: isUnrecorded, startSpanHook: () => NOT_OF_CALLS }),
    ],
  });
  sdk.start();
  instrumentCalls();
  setTracing(true);
  // Runs when the event loop is empty, after the drain, so that spans of the last requests are sent.
  process.once('beforeExit', () => {
    sdk.shutdown().catch((error: unknown) => console.error('telemetry could not be flushed', error));
  });
}

/**
 * The SDK patches modules when they are required, but drivers are ES modules: this updates the named exports of
 * `node:http` that they import. (The SDK's own hook for ES modules processes every import in a second thread, which
 * costs memory.)
 */
function instrumentCalls(): void {
  const require = createRequire(import.meta.url);
  for (const name of ['node:http', 'node:https']) require(name);
  syncBuiltinESMExports();
}
