import { nextIteration } from '@lintel/timing';

/** Maximum delay of other work. */
const SLICE_MS = 10;

/** Lets the event loop continue during long work in small steps: `if (pauses.isDue()) await pauses.take()`. */
export class Pauses {
  #sinceMs = performance.now();

  isDue(): boolean {
    return performance.now() - this.#sinceMs > SLICE_MS;
  }

  async take(): Promise<void> {
    await nextIteration();
    this.#sinceMs = performance.now();
  }
}
