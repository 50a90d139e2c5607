const FIRST_MS = 500;
const MAX_MS = 30_000;
/** A process that ran for as long starts the count again. */
const STEADY_MS = 60_000;
/** Restarts that end before the process was ready; more of them would never succeed either. */
const MAX_FAILED_STARTS = 10;

/**
 * How long to wait before a dead process is started again: half a second, doubled each time up to 30 seconds, and from the
 * beginning after a minute of work.
 */
export function createRestartDelays() {
  let next = FIRST_MS;
  let failedStarts = 0;
  return {
    /**
     * @param {{ ranMs: number, wasReady: boolean }} run that has ended
     * @returns {number | undefined} undefined where it failed to start too often
     */
    after({ ranMs, wasReady }) {
      failedStarts = wasReady ? 0 : failedStarts + 1;
      if (failedStarts > MAX_FAILED_STARTS) return undefined;
      if (wasReady && ranMs >= STEADY_MS) next = FIRST_MS;
      const delayMs = next;
      next = Math.min(2 * next, MAX_MS);
      return delayMs;
    },
  };
}
