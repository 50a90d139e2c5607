export { applyHeapOptions } from './heap-options.ts';
export { knownMethodOf, numberOfMethod } from './http-method.ts';
export { createLogger, type LogDestination, type LoggerOptions, type LogLevel } from './logging/create-logger.ts';
export { isoTime } from './logging/iso-time.ts';
export type { Logger, RequestLine, RequestLogger } from './logging/logger.ts';
export {
  createSecurityLog,
  SECURITY_EVENTS,
  type SecurityEventName,
  type SecurityFacts,
  type SecurityLog,
  type SecurityRecord,
} from './logging/security-log.ts';
export { type LabelsOf, METRICS, type MetricName } from './metrics/catalogue.ts';
export type { MetricRow } from './metrics/metric-row.ts';
export { type Counter, type Histogram, type Metrics, NO_METRICS } from './metrics/metrics.ts';
export { plainName, prometheusNameOf } from './metrics/prometheus-name.ts';
export { type RunningMetrics, startMetrics } from './metrics/start-metrics.ts';
export { errorTypeOf, sqlStateOf } from './tracing/error-type.ts';
export { serveInTrace, serverErrorTypeOf } from './tracing/server-span.ts';
export { SPAN_ATTRIBUTES } from './tracing/span-attributes.ts';
export { activeSpan, beginSpan, type EndSpan, nameServerSpan, withRemoteSpan, withSpan } from './tracing/spans.ts';
export {
  ACTOR_HEADER,
  type Actor,
  actorHeaders,
  currentActor,
  currentChangeReason,
  currentOperation,
  currentTrace,
  currentTraceId,
  isRecorded,
  noteActor,
  noteChangeReason,
  noteOperation,
  parseTraceparent,
  runInTrace,
  type TraceContext,
  TraceSnapshot,
  traceHeaders,
  traceOfRequest,
  traceparentOf,
} from './tracing/trace-context.ts';
export { isTracing } from './tracing/tracing-state.ts';
export { collectWhenIdle, type IdleOptions } from './watchdog/collect-when-idle.ts';
export { type EventLoopBlock, watchEventLoop } from './watchdog/watch-event-loop.ts';
export { beginWork, endWork, type SuspectedWork, suspectedWork, type Work } from './watchdog/work-under-way.ts';
