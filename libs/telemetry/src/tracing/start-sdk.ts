import { ClientRequest, type IncomingMessage } from 'node:http';
import { register } from 'node:module';
import type { Span } from '@opentelemetry/api';
import { AmqplibInstrumentation } from '@opentelemetry/instrumentation-amqplib';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';

export interface SdkOptions {
  /** Name of the resource: the service, or `lintel` in standalone mode. */
  readonly serviceName: string;
}

/**
 * Starts the only OpenTelemetry SDK of the process; exporters are configured by the standard `OTEL_*`
 * variables. Only http, amqplib and undici are instrumented; SQL, S3 and stages get spans from our own ports.
 */
export function startSdk(options: SdkOptions): void {
  // Drivers are imported as ES modules; without the hook amqplib would not be seen.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const sdk = new NodeSDK({
    serviceName: options.serviceName,
    instrumentations: [
      // Probes would drown everything else.
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (request) => request.url?.startsWith('/health/') ?? false,
        requestHook: hideQuery,
      }),
      new AmqplibInstrumentation(),
      new UndiciInstrumentation({
        requestHook: (span, { origin, path }) => {
          span.setAttributes({ 'url.full': `${origin}${withoutQuery(path)}`, 'url.query': '' });
        },
      }),
    ],
  });
  sdk.start();
  // When the event loop has nothing left, after the drain: spans of the last requests are still sent.
  process.once('beforeExit', () => {
    sdk.shutdown().catch((error: unknown) => console.error('telemetry could not be flushed', error));
  });
}

/** Query strings hold filters and, on the way to the gateway, tokens: no span keeps one. */
function hideQuery(span: Span, request: ClientRequest | IncomingMessage): void {
  if (request instanceof ClientRequest)
    span.setAttribute('url.full', `${request.protocol}//${request.host}${withoutQuery(request.path)}`);
  else span.setAttribute('url.query', '');
}

const withoutQuery = (path: string): string => path.split('?', 1)[0] ?? '';
