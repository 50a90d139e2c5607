/** Minimum time between two removals of old rows by one process. */
export const PRUNE_INTERVAL_MS = 60_000;

/** Returns a function that runs `prune` at its first call and then at most once per interval. */
export function pruneEvery(intervalMs: number, prune: () => Promise<unknown>): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    if (now < next) return;
    next = now + intervalMs;
    await prune();
  };
}
