interface WaitingOptions {
  readonly timeoutMs: number;
  /** Whoever waits has left. */
  readonly signal: AbortSignal;
}

/** Those who wait for something that others give back. */
export class WaitingLine {
  /** Each takes what it can use, and says whether it did. */
  readonly #waiting = new Set<() => boolean>();

  get length(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for what `take` finds after a call of `advance`; whoever came first is asked first.
   *
   * @returns undefined where the time is over, or the signal came
   */
  wait<T>(take: () => T | undefined, { timeoutMs, signal }: WaitingOptions): Promise<T | undefined> {
    return new Promise((resolve) => {
      const leave = (found: T | undefined): void => {
        this.#waiting.delete(isServed);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        resolve(found);
      };
      const giveUp = (): void => leave(undefined);
      const isServed = (): boolean => {
        const found = take();
        if (found !== undefined) leave(found);
        return found !== undefined;
      };
      const timer = setTimeout(giveUp, timeoutMs);
      signal.addEventListener('abort', giveUp);
      this.#waiting.add(isServed);
      if (signal.aborted) giveUp();
    });
  }

  /** There may be something to take. */
  advance(): void {
    for (const isServed of this.#waiting) isServed();
  }
}
