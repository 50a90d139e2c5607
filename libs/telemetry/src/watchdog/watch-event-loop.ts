import { countWork, type SuspectedWork, suspectedWork } from './work-under-way.ts';

/** The event loop has done nothing else for this long. */
export interface EventLoopBlock {
  readonly durationMs: number;
  /** Processor time of the process meanwhile: where it is much less, the machine had no time for the process. */
  readonly cpuMs: number;
  /** Units of work under way at its end. */
  readonly underWay: number;
  /** Those that may be the cause, the most probable one first; some may be innocent. */
  readonly suspects: readonly SuspectedWork[];
}

export interface WatchOptions {
  /** A shorter delay is no block. */
  readonly thresholdMs?: number;
  readonly intervalMs?: number;
}

const THRESHOLD_MS = 1_000;
const INTERVAL_MS = 200;

/**
 * Calls `onBlock` after each time that the event loop was blocked for longer than a second, until the returned function is
 * called. What blocks for ever is found by those who ask for the health of the process.
 */
export function watchEventLoop(onBlock: (block: EventLoopBlock) => void, options: WatchOptions = {}): () => void {
  const { thresholdMs = THRESHOLD_MS, intervalMs = INTERVAL_MS } = options;
  let seenAtMs = performance.now();
  let cpu = process.cpuUsage();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const used = process.cpuUsage(cpu);
    const durationMs = nowMs - seenAtMs - intervalMs;
    if (durationMs > thresholdMs)
      onBlock({
        durationMs: Math.round(durationMs),
        cpuMs: Math.round((used.user + used.system) / 1_000),
        underWay: countWork(),
        suspects: suspectedWork(seenAtMs, nowMs),
      });
    seenAtMs = nowMs;
    cpu = process.cpuUsage();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
