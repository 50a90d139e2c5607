import type { EventLoopUtilization } from 'node:perf_hooks';
import { openCollector } from './open-collector.ts';

export interface IdleOptions {
  /** Collects all garbage and returns free memory to the system. */
  readonly collect?: () => void;
  readonly intervalMs?: number;
  /** How busy the event loop was since a former value. */
  readonly utilizationSince?: (former?: EventLoopUtilization) => EventLoopUtilization;
}

const INTERVAL_MS = 5_000;
/** Part of an interval in which the event loop ran: from this on there is garbage worth collecting. */
const BUSY = 0.1;
/** Up to this hardly a request waits for the collection. */
const IDLE = 0.05;

/**
 * Collects all garbage once after the start and once after each busy time, as soon as the process has been idle for
 * five seconds, until the returned function is called. V8 by itself keeps the garbage and the large young generation
 * of an idle process: it collects when memory is allocated. A collection takes 50 to 100 ms of processor time.
 */
export function collectWhenIdle(options: IdleOptions = {}): () => void {
  const {
    collect = collector(),
    intervalMs = INTERVAL_MS,
    utilizationSince = (former) => performance.eventLoopUtilization(former),
  } = options;
  let former = utilizationSince();
  let isDue = true;
  const timer = setInterval(() => {
    const { utilization } = utilizationSince(former);
    if (utilization >= BUSY) isDue = true;
    else if (isDue && utilization <= IDLE) {
      isDue = false;
      collect();
    }
    former = utilizationSince();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function collector(): () => void {
  const gc = openCollector();
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
