/**
 * Entry for `node --import @lintel/telemetry/register`: starts the OpenTelemetry SDK before any driver is
 * imported, when `OTEL_EXPORTER_OTLP_ENDPOINT` or `SVC_TELEMETRY_ENDPOINT` names a collector. Otherwise
 * nothing is loaded.
 * First, options of the heap are set aside until the process has started: what is imported here statically is compiled
 * before that.
 */
import { isMainThread } from 'node:worker_threads';
import { setHeapOptionsAside } from './heap-options.ts';
import { collectAtExit } from './watchdog/collect-at-exit.ts';

// The options are those of the process, and its threads start when it has started.
if (isMainThread) {
  setHeapOptionsAside();
  collectAtExit();
}
await import('./tracing/start-tracing.ts');
