/** Kept for the next upload; more would be memory that nobody uses. */
const MOST_IDLE = 2;

/** Buffers of one part each, used again: an upload takes one for as long as it lasts. */
export class PartBuffers {
  readonly #sizeBytes: number;
  readonly #idle: Buffer[] = [];

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  /** Runs `work` with a buffer that nobody else has meanwhile. */
  async use<T>(work: (buffer: Buffer) => Promise<T>): Promise<T> {
    // Not zeroed: pages that a small file does not reach are never taken from the system.
    const buffer = this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#sizeBytes);
    const result = await work(buffer);
    // Not after a failure: a request that was given up may still read from the buffer.
    if (this.#idle.length < MOST_IDLE) this.#idle.push(buffer);
    return result;
  }
}
