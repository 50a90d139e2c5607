import type { Readable } from 'node:stream';
import { WaitingLine } from '@lintel/http';

export interface PartBuffersOptions {
  readonly sizeBytes: number;
  /** Buffers at one time. */
  readonly most: number;
  /** Longest wait for one. */
  readonly timeoutMs: number;
}

/** Kept for the next part; more would be memory that nobody uses. */
const MOST_IDLE = 2;

/** Buffers of one part each, used again. There are so many at the most; who needs one more waits. */
export class PartBuffers {
  readonly #options: PartBuffersOptions;
  readonly #idle: Buffer[] = [];
  readonly #waiting = new WaitingLine();
  #inUse = 0;

  constructor(options: PartBuffersOptions) {
    this.#options = options;
  }

  get sizeBytes(): number {
    return this.#options.sizeBytes;
  }

  /** Buffers that somebody has taken. */
  get inUse(): number {
    return this.#inUse;
  }

  /**
   * A buffer that nobody else has, until it is given back. Whoever came first gets the next one.
   *
   * @returns undefined where none was free in time, or the content ended meanwhile, so that nobody needs it
   */
  async take(content: Readable): Promise<Buffer | undefined> {
    const free = this.#takeFree();
    if (free !== undefined || content.destroyed) return free;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    content.once('close', leave);
    const { timeoutMs } = this.#options;
    const found = await this.#waiting.wait(() => this.#takeFree(), { timeoutMs, signal: leaving.signal });
    content.off('close', leave);
    return found;
  }

  /** @param isReusable not after a failure: a request that was given up may still read from the buffer */
  giveBack(buffer: Buffer, isReusable: boolean): void {
    this.#inUse -= 1;
    if (isReusable && this.#idle.length < MOST_IDLE) this.#idle.push(buffer);
    this.#waiting.advance();
  }

  #takeFree(): Buffer | undefined {
    if (this.#inUse >= this.#options.most) return undefined;
    this.#inUse += 1;
    // Not zeroed: pages that a file does not reach are never taken from the system.
    return this.#idle.pop() ?? Buffer.allocUnsafeSlow(this.#options.sizeBytes);
  }
}
