import type { Readable } from 'node:stream';
import { type Permit, Semaphore } from '@lintel/timing';

export interface PartBuffersOptions {
  readonly sizeBytes: number;
  /** Buffers at one time. */
  readonly max: number;
  /** Longest wait for one. */
  readonly timeoutMs: number;
}

/** Buffers that are kept for the next part while none is in use. */
const MAX_IDLE = 2;

/** A limited number of buffers of one part each, which are used again; callers wait for a free one. */
export class PartBuffers {
  readonly #options: PartBuffersOptions;
  readonly #idle: Buffer[] = [];
  readonly #semaphore: Semaphore;
  readonly #permits = new Map<Buffer, Permit>();

  constructor(options: PartBuffersOptions) {
    this.#options = options;
    this.#semaphore = new Semaphore(options.max);
  }

  get sizeBytes(): number {
    return this.#options.sizeBytes;
  }

  /** Buffers that are not given back. */
  get inUse(): number {
    return this.#semaphore.inUse;
  }

  /**
   * A buffer for the caller alone, until it is given back. Callers get them in the order in which they came.
   *
   * @returns undefined where none was free in time, or the content was closed before
   */
  async take(content: Readable): Promise<Buffer | undefined> {
    const free = this.#semaphore.tryAcquire();
    if (free !== undefined) return this.#bufferFor(free);
    if (content.destroyed) return undefined;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    content.once('close', leave);
    const { timeoutMs } = this.#options;
    const permit = await this.#semaphore.acquire({ timeoutMs, signal: leaving.signal });
    content.off('close', leave);
    return permit === undefined ? undefined : this.#bufferFor(permit);
  }

  /** @param isReusable not after a failure: a request that was given up may still read from the buffer */
  giveBack(buffer: Buffer, isReusable: boolean): void {
    if (isReusable && this.#idle.length < MAX_IDLE) this.#idle.push(buffer);
    const permit = this.#permits.get(buffer);
    this.#permits.delete(buffer);
    permit?.release();
  }

  #bufferFor(permit: Permit): Buffer {
    // Not zeroed: pages that a file does not reach are never taken from the system.
    const buffer = this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#options.sizeBytes);
    this.#permits.set(buffer, permit);
    return buffer;
  }
}
