/** What one run of a warm-up cost the servers. */
export interface WarmUpCost {
  readonly requests: number;
  /** Processor time. */
  readonly micros: number;
}

/**
 * Fewer requests do not make the compiler translate what they run: at 5,000 the last compiler of V8 still works on the
 * code of a write, and takes a fifth of the processor time (docs/performance.md).
 */
const REQUESTS = 20_000;

/** Runs that must not be cheaper than those before by more than this part. */
const RUNS = 2;
const TOLERANCE = 0.05;

/** Whether the cost of a request stands still: the last runs were not cheaper than the cheapest one before. */
export function hasSettled(costs: readonly WarmUpCost[]): boolean {
  const requests = costs.reduce((sum, run) => sum + run.requests, 0);
  if (requests < REQUESTS || costs.length <= RUNS) return false;
  const perRequest = costs.map((run) => run.micros / Math.max(1, run.requests));
  const before = Math.min(...perRequest.slice(0, -RUNS));
  return perRequest.slice(-RUNS).every((cost) => cost >= before * (1 - TOLERANCE));
}
