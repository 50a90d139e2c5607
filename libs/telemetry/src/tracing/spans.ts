import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { knownMethodOf, numberOfMethod } from '../http-method.ts';
import { errorTypeOf, sqlStateOf } from './error-type.ts';
import { isUnrecorded, parseTraceparent, runInTrace, traceOfRequest } from './trace-context.ts';
import { isTracing } from './tracing-state.ts';

const tracer = trace.getTracer('lintel');

/** Ends a span; with an error its status is failed. */
export type EndSpan = (error?: unknown) => void;

export type SpanKindName = 'internal' | 'client' | 'producer' | 'consumer' | 'server';

const KINDS: Readonly<Record<SpanKindName, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  server: SpanKind.SERVER,
};

/**
 * Begins a span under the one in progress, for work whose callbacks run elsewhere. Without the SDK, and outside of
 * any trace (e.g. periodic tasks of the process), there is none. Names and attributes contain no values of
 * requests.
 */
export function beginSpan(name: string, kind: SpanKindName, attributes: Attributes): EndSpan | undefined {
  if (!isTracing() || trace.getActiveSpan() === undefined) return undefined;
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes });
  return (error) => endSpan(span, error);
}

/**
 * Runs `work` in a child span of the current one; without a span in a trace that is not recorded. A rejection sets the
 * status of the span to failed and is rethrown.
 */
export function withSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind: SpanKindName = 'internal',
): Promise<T> {
  return isTracing() && !isUnrecorded() ? runInSpan(name, kind, attributes, context.active(), work) : work();
}

/**
 * Continues the trace of a received message: `work` runs in a span whose parent is the sender's, or without the
 * SDK in the trace alone.
 */
export function withRemoteSpan<T>(
  name: string,
  attributes: Attributes,
  traceparent: string | undefined,
  work: () => Promise<T>,
  kind: SpanKindName = 'consumer',
): Promise<T> {
  if (isTracing()) return runInSpan(name, kind, attributes, remoteContextOf(traceparent), work);
  return runInTrace(traceOfRequest(traceparent), work);
}

function runInSpan<T>(
  name: string,
  kind: SpanKindName,
  attributes: Attributes,
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
  if (!span.isRecording()) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    // Under no span, not even one that happens to be in progress here.
    return context.with(ROOT_CONTEXT, () => runInTrace({ traceId, spanId, flags: traceFlags }, work));
  }
  return context.with(trace.setSpan(parent, span), async () => {
    try {
      const result = await work();
      endSpan(span, undefined);
      return result;
    } catch (error) {
      endSpan(span, error);
      throw error;
    }
  });
}

/** A sender that recorded nothing (flag 0) does not decide what is recorded here: the sampler does. */
function remoteContextOf(traceparent: string | undefined): Context {
  const parsed = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  if (parsed === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parsed;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags & TraceFlags.SAMPLED,
    isRemote: true,
  });
}

/** Messages of errors contain data of clients: only the kind of the error is recorded. */
function endSpan(span: Span, error: unknown): void {
  if (error !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    const sqlState = sqlStateOf(error);
    span.setAttribute('error.type', sqlState ?? errorTypeOf(error));
    if (sqlState !== undefined) span.setAttribute('db.response.status_code', sqlState);
  }
  span.end();
}

/** The beginning of the name of a span of HTTP. */
export const spanNameOfMethod = (method: string | undefined): string =>
  numberOfMethod(method) === 0 ? 'HTTP' : knownMethodOf(method);

/**
 * Names the span of the current request by its route, which is unknown when the span begins.
 *
 * @param route undefined where no route matched
 */
export function nameServerSpan(span: Span | undefined, method: string, route: string | undefined): void {
  if (span === undefined || route === undefined || !isTracing()) return;
  span.updateName(`${spanNameOfMethod(method)} ${route}`);
  span.setAttribute('http.route', route);
}

/** The span in progress, to be named later. */
export const activeSpan = (): Span | undefined => (isTracing() ? trace.getActiveSpan() : undefined);
