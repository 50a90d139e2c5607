import { setTimeout as delay } from 'node:timers/promises';

const FIRST_INTERVAL_MS = 50;
const MAX_INTERVAL_MS = 2_000;

/**
 * Requests that the database cancels a statement, again and again until it has ended: the server ignores a request that
 * arrives before it runs the statement, between two statements of a transaction, or while it sends rows. Returns
 * whether the last request could be sent; no request is under way any more then, so a later statement is safe.
 *
 * @param ended resolves when the driver has reported the end of the statement; never rejects
 */
export async function cancelUntilEnded(cancel: () => Promise<boolean>, ended: Promise<unknown>): Promise<boolean> {
  const stop = new AbortController();
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
    stop.abort();
  });
  for (let intervalMs = FIRST_INTERVAL_MS; ; intervalMs = Math.min(intervalMs * 2, MAX_INTERVAL_MS)) {
    if (!(await cancel())) return false;
    if (hasEnded) return true;
    // Rejects where the statement ends meanwhile.
    await delay(intervalMs, undefined, { signal: stop.signal }).catch(() => {});
    if (hasEnded) return true;
  }
}
