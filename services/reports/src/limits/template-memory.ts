import { PlatformError } from '@lintel/errors';
import { WaitQueue } from '@lintel/timing';

export interface TemplateMemoryOptions {
  /** Size of all templates together. */
  readonly maxBytes: number;
  /** Maximum wait of a run. */
  readonly maxWaitMs: number;
}

/** The memory of one template. */
export interface TemplateShare {
  /**
   * Adds bytes that the template is about to take. Templates that no run uses are dropped for it, those used longest ago
   * first; if that is not enough, it waits for the end of runs.
   *
   * @throws Error for more bytes than all templates may have, REQ_OVERLOADED after the longest wait, the reason of the signal
   */
  reserve(bytes: number, signal: AbortSignal): Promise<void>;
  /** Begins the use by a run: the template is kept until the returned function is called. */
  use(): () => void;
  /** Gives the memory back: the template was not made. */
  forget(): void;
}

/** Limits the memory of a process for the templates of reports in the database, of all runs together. */
export class TemplateMemory {
  readonly #options: TemplateMemoryOptions;
  readonly #waiting = new WaitQueue();
  /** In the order of their last use. */
  readonly #shares = new Set<Share>();
  #bytes = 0;

  constructor(options: TemplateMemoryOptions) {
    this.#options = options;
  }

  /** Bytes of the templates that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param drop removes the template from where it is kept; called when no run uses it */
  open(drop: () => void): TemplateShare {
    const share: Share = { bytes: 0, runs: 0, drop };
    return {
      reserve: (bytes, signal) => this.#reserve(share, bytes, signal),
      use: () => this.#use(share),
      forget: () => this.#forget(share),
    };
  }

  async #reserve(share: Share, bytes: number, signal: AbortSignal): Promise<void> {
    const { maxBytes, maxWaitMs } = this.#options;
    if (share.bytes + bytes > maxBytes)
      throw new Error(`it has ${share.bytes + bytes} bytes in memory; ${maxBytes} are allowed`);
    const take = (): true | undefined => this.#take(share, bytes);
    const isTaken = take() ?? (await this.#waiting.wait(take, { timeoutMs: maxWaitMs, signal }));
    if (isTaken === true) return;
    signal.throwIfAborted();
    throw new PlatformError(
      'REQ_OVERLOADED',
      'The templates of other runs need all memory for templates; try again later',
      {
        headers: { 'Retry-After': '1' },
      },
    );
  }

  #take(share: Share, bytes: number): true | undefined {
    const { maxBytes } = this.#options;
    const idle = [...this.#shares].filter(({ runs }) => runs === 0);
    const free = maxBytes - this.#bytes;
    if (free + idle.reduce((sum, each) => sum + each.bytes, 0) < bytes) return undefined;
    for (const each of idle) {
      if (maxBytes - this.#bytes >= bytes) break;
      each.drop();
      this.#remove(each);
    }
    this.#bytes += bytes;
    share.bytes += bytes;
    this.#shares.add(share);
    return true;
  }

  #use(share: Share): () => void {
    share.runs += 1;
    if (this.#shares.delete(share)) this.#shares.add(share);
    let isUsed = true;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      share.runs -= 1;
      if (share.runs === 0) this.#waiting.advance();
    };
  }

  #forget(share: Share): void {
    this.#remove(share);
    this.#waiting.advance();
  }

  #remove(share: Share): void {
    if (!this.#shares.delete(share)) return;
    this.#bytes -= share.bytes;
    share.bytes = 0;
  }
}

interface Share {
  bytes: number;
  /** Runs that use the template now. */
  runs: number;
  readonly drop: () => void;
}
