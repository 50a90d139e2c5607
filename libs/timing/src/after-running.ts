import { type Clock, monotonicClock } from './clock.ts';

/** A timer of a process that runs is less late. */
const LATE_MS = 100;

/**
 * Calls back after `ms` in which the process runs. If the process or the whole machine has stood still, the time begins
 * again: what is waited for may have arrived meanwhile and not been read yet, or comes from a process that stood still,
 * too. Returns a function that cancels the callback.
 */
export function afterRunning(ms: number, callback: () => void, clock: Clock = monotonicClock): () => void {
  let timer: NodeJS.Timeout;
  const start = (): void => {
    const dueMs = clock.now() + ms;
    timer = setTimeout(() => (clock.now() - dueMs > LATE_MS ? start() : callback()), ms);
  };
  start();
  return () => clearTimeout(timer);
}
