import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work, but not longer. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, sleep(ms, undefined, timer)]);
  timer.abort();
}
