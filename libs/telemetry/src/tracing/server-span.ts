import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { knownMethodOf, numberOfMethod } from '../http-method.ts';
import { spanNameOfMethod } from './spans.ts';
import { runInTrace, type TraceContext, traceOfRequest } from './trace-context.ts';
import { isTracing } from './tracing-state.ts';

const tracer = trace.getTracer('lintel');
const OPTIONS = Object.freeze({ kind: SpanKind.SERVER });

/** Probes are so frequent that their spans would outnumber all others. */
const isProbe = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/health/');

/**
 * Serves a request in its trace: in a span if the SDK runs and its sampler records the trace, else in the trace
 * alone. The sampler is called first: a request that is not recorded must cost no more than without the SDK, which
 * the instrumentation of `node:http` does not ensure (figures in docs/performance.md).
 *
 * @param isTrusted false for external callers: without the SDK their flag is not propagated (`traceOfRequest`)
 */
export function serveInTrace(
  request: IncomingMessage,
  response: ServerResponse,
  isTrusted: boolean,
  serve: (trace: TraceContext) => void,
): void {
  if (isTracing() && !isProbe(request)) {
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const span = tracer.startSpan(spanNameOfMethod(request.method), OPTIONS, parent);
    const { traceId, spanId, traceFlags } = span.spanContext();
    const own: TraceContext = { traceId, spanId, flags: traceFlags };
    if (span.isRecording()) {
      describe(span, request, response);
      context.with(trace.setSpan(parent, span), () => runInTrace(own, () => serve(own)));
    } else runInTrace(own, () => serve(own));
    return;
  }
  const header = request.headers['traceparent'];
  const own = traceOfRequest(typeof header === 'string' ? header : undefined, isTrusted);
  runInTrace(own, () => serve(own));
}

/**
 * The value of `error.type` of a request that was served.
 *
 * @param status undefined if the client has disconnected before there was a response
 */
export function serverErrorTypeOf(status: number | undefined): string | undefined {
  if (status === undefined) return 'disconnected';
  return status >= 500 ? String(status) : undefined;
}

/**
 * Paths and queries contain ids, filters, names of files and, in requests to the gateway, tokens; addresses and
 * browsers identify people. The span contains none of them: it is named later by the route, which suffices.
 */
function describe(span: Span, request: IncomingMessage, response: ServerResponse): void {
  span.setAttributes({
    'http.request.method': knownMethodOf(request.method),
    'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
    'network.protocol.version': request.httpVersion,
  });
  // Node accepts a fixed list of methods: it is no text of the client.
  if (numberOfMethod(request.method) === 0) span.setAttribute('http.request.method_original', request.method ?? '');
  response.once('close', () => {
    const { statusCode, headersSent } = response;
    if (headersSent) span.setAttribute('http.response.status_code', statusCode);
    const error = serverErrorTypeOf(headersSent ? statusCode : undefined);
    if (error !== undefined) {
      span.setAttribute('error.type', error);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  });
}
