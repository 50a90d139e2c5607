import { pino } from 'pino';

/** Upper bounds of the duration histogram, in milliseconds. */
const BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000];

export type RequestLog = ReturnType<typeof createRequestLog>;

/**
 * What a service of its own would have too: a line per request, and a histogram of durations by route and
 * status for the metrics.
 */
export function createRequestLog(service: string) {
  const logger = pino(
    { base: { service }, messageKey: 'message', timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 1, sync: false }),
  );
  const durations = new Map<string, number[]>();
  return {
    note(method: string, route: string, status: number, startedMs: number): void {
      const durationMs = performance.now() - startedMs;
      const key = `${method} ${route} ${status}`;
      const counts = durations.get(key) ?? new Array<number>(BOUNDS_MS.length + 1).fill(0);
      durations.set(key, counts);
      const at = BOUNDS_MS.findIndex((bound) => durationMs <= bound);
      const bucket = at < 0 ? BOUNDS_MS.length : at;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      logger.info({ method, route, status, durationMs: Math.round(durationMs * 10) / 10, user: 'admin' }, 'request');
    },
    error: (error: unknown): void => logger.error({ err: error }, 'request failed'),
  };
}
