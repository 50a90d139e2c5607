export { createLogger, type LogDestination, type LoggerOptions, type LogLevel } from './create-logger.ts';
export type { Logger } from './logger.ts';
export { type Counter, createMetrics, type Histogram, type Metrics } from './metrics.ts';
export {
  currentTrace,
  currentTraceId,
  parseTraceparent,
  runInTrace,
  type TraceContext,
  traceOfRequest,
  traceparentOf,
} from './trace-context.ts';
export { withSpan } from './with-span.ts';
