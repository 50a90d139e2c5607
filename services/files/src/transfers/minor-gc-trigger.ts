/** Transferred bytes between two minor collections: about sixteen buffers of a socket. */
const BYTES_BETWEEN = 1024 * 1024;

/**
 * Keeps the memory of transfers small. Every chunk leaves a buffer outside of the heap, which V8 does not count when it
 * decides whether to collect garbage: without this, 100 MB of them accumulate. A minor collection takes less than a
 * millisecond.
 */
export class MinorGcTrigger {
  readonly #collect: () => void;
  #passedBytes = 0;

  /** @param collect runs a minor collection; does nothing where Node was not started with `--expose-gc` */
  constructor(collect: () => void) {
    this.#collect = collect;
  }

  /** Called for every chunk of all transfers. */
  passed(bytes: number): void {
    this.#passedBytes += bytes;
    if (this.#passedBytes < BYTES_BETWEEN) return;
    this.#passedBytes = 0;
    this.#collect();
  }
}
