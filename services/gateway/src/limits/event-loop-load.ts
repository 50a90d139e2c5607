import { PlatformError } from '@lintel/errors';
import { type Metrics, NO_METRICS } from '@lintel/telemetry';

const SAMPLE_MS = 100;
/** The median of several samples counts: one long task is not an overload. */
const SAMPLES = 9;

/**
 * Measures by how much timers of this process are late.
 *
 * @param maxDelayMs median delay above which new requests are refused
 */
export function createEventLoopLoad(maxDelayMs: number, metrics: Metrics = NO_METRICS) {
  const refusals = metrics.counter('lintel.gateway.refusals', { reason: 'overload' });
  const delaysMs: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isOverloaded = false;

  /** Adds one measurement. */
  function sample(delayMs: number): void {
    delaysMs.push(delayMs);
    if (delaysMs.length > SAMPLES) delaysMs.shift();
    const middle = [...delaysMs].sort((one, other) => one - other)[Math.floor(SAMPLES / 2)];
    isOverloaded = middle !== undefined && middle > maxDelayMs;
  }

  function schedule(): void {
    const expectedMs = performance.now() + SAMPLE_MS;
    timer = setTimeout(() => {
      sample(performance.now() - expectedMs);
      schedule();
    }, SAMPLE_MS).unref();
  }

  return {
    start: schedule,
    stop: (): void => clearTimeout(timer),
    sample,
    /** @throws PlatformError REQ_OVERLOADED with `Retry-After` while the process is overloaded */
    assertFree(): void {
      if (!isOverloaded) return;
      refusals.add(1);
      throw new PlatformError('REQ_OVERLOADED', 'The service has too many requests; try again later', {
        headers: { 'Retry-After': '2' },
      });
    },
  };
}

export type EventLoopLoad = ReturnType<typeof createEventLoopLoad>;
