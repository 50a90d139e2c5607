import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats an assertion until it holds and returns its result.
 *
 * @throws the last error of the assertion, after `timeoutMs` (default 60,000: a machine under load passes too)
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 25 }: { readonly timeoutMs?: number; readonly intervalMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await sleep(intervalMs);
  }
}
