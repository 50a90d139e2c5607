import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { watchEventLoop } from '../watchdog/watch-event-loop.ts';
import type { Metrics } from './metrics.ts';

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
/** Readers of one moment, Prometheus and a collector, see one window. */
const SAME_WINDOW_MS = 1_000;

const GC_TYPES: ReadonlyMap<unknown, 'minor' | 'major' | 'incremental' | 'weakcb'> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/** Observes event loop, memory, garbage and processor time of this process, until the returned function is called. */
export function observeRuntime(metrics: Metrics): () => void {
  const stopLoop = observeEventLoop(metrics);
  const stopGarbage = observeGarbage(metrics);
  const blocked = metrics.histogram('lintel.eventloop.blocked');
  const stopWatching = watchEventLoop(({ durationMs }) => blocked.record(durationMs / 1_000));
  metrics.observe('v8js.memory.heap.used', () => process.memoryUsage().heapUsed);
  metrics.observe('v8js.memory.heap.limit', () => getHeapStatistics().heap_size_limit);
  metrics.observe('process.memory.usage', () => process.memoryUsage.rss());
  metrics.observe('process.memory.external', () => process.memoryUsage().external);
  metrics.observe('process.uptime', () => process.uptime());
  for (const mode of ['user', 'system'] as const)
    metrics.observe('process.cpu.time', () => process.cpuUsage()[mode] / 1e6, { 'cpu.mode': mode });
  return () => {
    stopLoop();
    stopGarbage();
    stopWatching();
  };
}

function observeEventLoop(metrics: Metrics): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let since = performance.eventLoopUtilization();
  let window = { atMs: Number.NEGATIVE_INFINITY, p50: 0, p99: 0, max: 0, utilization: 0 };
  const look = () => {
    const atMs = performance.now();
    if (atMs - window.atMs < SAME_WINDOW_MS) return window;
    const now = performance.eventLoopUtilization();
    // The histogram measures from one tick of its timer to the next; only the time above the interval is delay.
    const late = (ns: number) => Math.max(0, (Number.isFinite(ns) ? ns : 0) / NANOSECONDS - RESOLUTION_MS / 1_000);
    window = {
      atMs,
      p50: late(delays.percentile(50)),
      p99: late(delays.percentile(99)),
      max: late(delays.max),
      utilization: performance.eventLoopUtilization(now, since).utilization,
    };
    delays.reset();
    since = now;
    return window;
  };
  metrics.observe('nodejs.eventloop.delay.p50', () => look().p50);
  metrics.observe('nodejs.eventloop.delay.p99', () => look().p99);
  metrics.observe('nodejs.eventloop.delay.max', () => look().max);
  metrics.observe('nodejs.eventloop.utilization', () => look().utilization);
  return () => void delays.disable();
}

function observeGarbage(metrics: Metrics): () => void {
  const series = new Map(
    [...GC_TYPES].map(([kind, type]) => [kind, metrics.histogram('v8js.gc.duration', { 'v8js.gc.type': type })]),
  );
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as readonly (PerformanceEntry & { readonly detail?: { kind?: number } })[])
      series.get(entry.detail?.kind)?.record(entry.duration / 1_000);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}
