interface WaitOptions {
  /** Longest wait; without it there is no limit. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Callers that wait for something that others give back, in the order in which they came. */
export class WaitQueue {
  /** Each takes what it can use, and returns whether it did. */
  readonly #waiting = new Set<() => boolean>();

  get length(): number {
    return this.#waiting.size;
  }

  /**
   * Waits until `take` returns a value after a call of `advance`; the first caller in the queue is tried first. A caller
   * that cannot use what is there does not block the others.
   *
   * @returns undefined after the timeout, or where the signal is aborted
   */
  wait<T>(take: () => T | undefined, { timeoutMs, signal }: WaitOptions): Promise<T | undefined> {
    return new Promise((resolve) => {
      const leave = (found: T | undefined): void => {
        this.#waiting.delete(isServed);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const giveUp = (): void => leave(undefined);
      const isServed = (): boolean => {
        const found = take();
        if (found !== undefined) leave(found);
        return found !== undefined;
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', giveUp);
      this.#waiting.add(isServed);
      if (signal?.aborted === true) giveUp();
    });
  }

  /** There may be something to take. */
  advance(): void {
    for (const isServed of this.#waiting) isServed();
  }
}
