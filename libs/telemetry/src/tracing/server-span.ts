import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
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
    const span = tracer.startSpan(request.method ?? 'GET', OPTIONS, parent);
    const { traceId, spanId, traceFlags } = span.spanContext();
    const own: TraceContext = { traceId, spanId, flags: traceFlags };
    if (span.isRecording()) {
      describe(span, request, response);
      context.with(trace.setSpan(parent, span), () => serve(own));
    } else runInTrace(own, () => serve(own));
    return;
  }
  const header = request.headers['traceparent'];
  const own = traceOfRequest(typeof header === 'string' ? header : undefined, isTrusted);
  runInTrace(own, () => serve(own));
}

/**
 * Paths and queries contain ids, filters, names of files and, in requests to the gateway, tokens; addresses and
 * browsers identify people. The span contains none of them: it is named later by the route, which suffices.
 */
function describe(span: Span, request: IncomingMessage, response: ServerResponse): void {
  span.setAttributes({
    'http.request.method': request.method ?? 'GET',
    'url.scheme': 'encrypted' in request.socket ? 'https' : 'http',
    'network.protocol.version': request.httpVersion,
  });
  response.once('close', () => {
    const { statusCode } = response;
    span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) {
      span.setAttribute('error.type', String(statusCode));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  });
}
