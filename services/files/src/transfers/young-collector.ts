/** Bytes that pass through until the young generation is cleaned: some sixteen buffers of a socket. */
const BYTES_BETWEEN = 1024 * 1024;

/**
 * Keeps the memory of transfers small. Every chunk that passes leaves a buffer outside of the heap, which weighs
 * nothing when V8 decides whether to clean up: left alone, 100 MB of them gather. Cleaning the young generation
 * alone takes less than a millisecond.
 */
export class YoungCollector {
  readonly #collect: () => void;
  #passedBytes = 0;

  /** @param collect cleans the young generation; does nothing where Node was not started with `--expose-gc` */
  constructor(collect: () => void) {
    this.#collect = collect;
  }

  /** To be told of every chunk, of all transfers. */
  passed(bytes: number): void {
    this.#passedBytes += bytes;
    if (this.#passedBytes < BYTES_BETWEEN) return;
    this.#passedBytes = 0;
    this.#collect();
  }
}
