import { countWork, type SuspectedWork, suspectedWork } from './work-under-way.ts';

/** A period in which the event loop was blocked by one callback. */
export interface EventLoopBlock {
  readonly durationMs: number;
  /** CPU time of the process in that period: if it is much shorter, the machine gave the process too little CPU. */
  readonly cpuMs: number;
  /** Number of units of work in progress at its end. */
  readonly underWay: number;
  /** Units of work that may be the cause, the most probable one first; some may be unrelated. */
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
 * Calls `onBlock` after each block of the event loop for longer than a second, until the returned function is called.
 * An endless block is detected by health checks of the process.
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
