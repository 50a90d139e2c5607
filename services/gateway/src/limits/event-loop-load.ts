import { PlatformError } from '@lintel/errors';
import { type Counter, type Metrics, NO_METRICS } from '@lintel/telemetry';

const SAMPLE_MS = 100;
/** The median of several samples counts: one long task is not an overload. */
const SAMPLES = 9;

/** Measures by how much timers of this process are late. */
export class EventLoopLoad {
  readonly #maxDelayMs: number;
  readonly #refusals: Counter;
  readonly #nowMs: () => number;
  readonly #delaysMs: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #expectedMs = 0;
  #isOverloaded = false;

  /** @param maxDelayMs median delay above which new requests are refused */
  constructor(maxDelayMs: number, metrics: Metrics = NO_METRICS, nowMs: () => number = () => performance.now()) {
    this.#maxDelayMs = maxDelayMs;
    this.#nowMs = nowMs;
    this.#refusals = metrics.counter('lintel.gateway.refusals', { reason: 'overload' });
  }

  start(): void {
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#expectedMs = this.#nowMs() + SAMPLE_MS;
    this.#timer = setTimeout(() => {
      this.sample(this.#nowMs() - this.#expectedMs);
      this.#schedule();
    }, SAMPLE_MS).unref();
  }

  /** Adds one measurement. */
  sample(delayMs: number): void {
    this.#delaysMs.push(delayMs);
    if (this.#delaysMs.length > SAMPLES) this.#delaysMs.shift();
    const middle = [...this.#delaysMs].sort((one, other) => one - other)[Math.floor(SAMPLES / 2)];
    this.#isOverloaded = middle !== undefined && middle > this.#maxDelayMs;
  }

  /** @throws PlatformError REQ_OVERLOADED with `Retry-After` while the process is overloaded */
  assertFree(): void {
    if (!this.#isOverloaded) return;
    this.#refusals.add(1);
    throw new PlatformError('REQ_OVERLOADED', 'The service has too many requests; try again later', {
      headers: { 'Retry-After': '2' },
    });
  }
}
