import { WaitQueue } from './wait-queue.ts';

/** The right to use the resource, until it is released. */
export interface Permit {
  /** From 0; two permits in use never have the same number. */
  readonly number: number;
  /** Gives the permit to the caller that waits longest; further calls have no effect. */
  release(): void;
}

export interface AcquireOptions {
  /** Longest wait; without it there is no limit. */
  readonly timeoutMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

export interface RunOptions extends AcquireOptions {
  /** Makes the error of a wait that takes too long. */
  readonly onTimeout?: () => Error;
}

/** A limited number of permits; callers wait for one in the order in which they came. */
export class Semaphore {
  readonly #free: number[];
  readonly #queue = new WaitQueue();
  readonly #permits: number;

  constructor(permits: number) {
    this.#permits = permits;
    this.#free = Array.from({ length: permits }, (_, number) => number);
  }

  /** Permits that are not released. */
  get inUse(): number {
    return this.#permits - this.#free.length;
  }

  /** A free permit; undefined where there is none now. */
  tryAcquire(): Permit | undefined {
    const number = this.#free.shift();
    if (number === undefined) return undefined;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.#free.push(number);
      this.#queue.advance();
    };
    return { number, release };
  }

  /** @returns undefined after the timeout, or where the signal is aborted */
  async acquire(options: AcquireOptions = {}): Promise<Permit | undefined> {
    return this.tryAcquire() ?? (await this.#queue.wait(() => this.tryAcquire(), options));
  }

  /**
   * Calls a function that has a permit while it runs; where one is free, it is called at once.
   *
   * @param work gets the number of the permit; it has to look at the signal itself
   * @throws the reason of the signal where it is aborted before the call, `onTimeout` after the timeout
   */
  async run<R>(work: (number: number) => Promise<R>, options: RunOptions = {}): Promise<R> {
    const { signal, onTimeout = () => new Error('No permit was free in time') } = options;
    signal?.throwIfAborted();
    const permit = this.tryAcquire() ?? (await this.#queue.wait(() => this.tryAcquire(), options));
    if (permit === undefined) throw signal?.aborted === true ? signal.reason : onTimeout();
    try {
      return await work(permit.number);
    } finally {
      permit.release();
    }
  }
}
