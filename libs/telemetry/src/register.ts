/**
 * Entry for `node --import @lintel/telemetry/register`: starts the OpenTelemetry SDK before any driver is
 * imported, when `OTEL_EXPORTER_OTLP_ENDPOINT` or `SVC_TELEMETRY_ENDPOINT` names a collector. Otherwise
 * nothing is loaded.
 * First, options of the heap are set aside until the process has started: what is imported here statically is compiled
 * before that.
 */
import { isMainThread } from 'node:worker_threads';
import { setHeapOptionsAside } from './heap-options.ts';
import { openCollector } from './watchdog/open-collector.ts';

/**
 * Collects garbage when the process exits. Node then waits for its compiler threads, and a compiler thread whose
 * allocation exceeds the limit of the heap waits for a collection by the main thread, which would never come
 * (nodejs/node#54918): the process would hang. A collection raises the limit far above what compilers allocate.
 */
const collectAtExit = (): void => void process.once('exit', () => void openCollector()());

// The options are those of the process, and its threads start when it has started.
if (isMainThread) {
  setHeapOptionsAside();
  collectAtExit();
}
await import('./tracing/start-tracing.ts');
