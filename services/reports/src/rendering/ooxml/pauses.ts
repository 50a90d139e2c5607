import { setImmediate } from 'node:timers/promises';

/** Other work waits this long at most. */
const SLICE_MS = 10;

/** Gives the event loop to other work while a long one is done in small steps: `if (pauses.isDue()) await pauses.take()`. */
export class Pauses {
  #sinceMs = performance.now();

  isDue(): boolean {
    return performance.now() - this.#sinceMs > SLICE_MS;
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#sinceMs = performance.now();
  }
}
