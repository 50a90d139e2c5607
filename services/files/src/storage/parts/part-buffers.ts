import type { Readable } from 'node:stream';
import { type Permit, Semaphore } from '@lintel/timing';

export interface PartBuffersOptions {
  readonly sizeBytes: number;
  /** Maximum number of buffers in use. */
  readonly max: number;
  /** Maximum wait for a buffer. */
  readonly timeoutMs: number;
}

/** Maximum number of unused buffers that are kept for later parts. */
const MAX_IDLE = 2;

/** A limited number of reusable buffers of one part each; callers wait for a free one. */
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

  /** Number of buffers in use. */
  get inUse(): number {
    return this.#semaphore.inUse;
  }

  /**
   * A buffer that only the caller uses until it is released; first come, first served.
   *
   * @returns undefined if none became free in time, or the content was closed before
   */
  async acquire(content: Readable): Promise<Buffer | undefined> {
    const free = this.#semaphore.tryAcquire();
    if (free !== undefined) return this.#bufferFor(free);
    if (content.destroyed) return undefined;
    const contentClosed = new AbortController();
    const abort = () => contentClosed.abort();
    content.once('close', abort);
    const { timeoutMs } = this.#options;
    const permit = await this.#semaphore.acquire({ timeoutMs, signal: contentClosed.signal });
    content.off('close', abort);
    return permit === undefined ? undefined : this.#bufferFor(permit);
  }

  /** @param isReusable false after a failure: an aborted request may still read from the buffer */
  release(buffer: Buffer, isReusable: boolean): void {
    if (isReusable && this.#idle.length < MAX_IDLE) this.#idle.push(buffer);
    const permit = this.#permits.get(buffer);
    this.#permits.delete(buffer);
    permit?.release();
  }

  #bufferFor(permit: Permit): Buffer {
    // Not zeroed, so that the system does not allocate pages that a file does not reach.
    const buffer = this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#options.sizeBytes);
    this.#permits.set(buffer, permit);
    return buffer;
  }
}
