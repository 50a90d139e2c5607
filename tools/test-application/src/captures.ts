const DEFAULT_TIMEOUT_MS = 5_000;

/** What was captured, in its order. */
export interface Captured<T> {
  /** All of it, or what matches. */
  list(matches?: (one: T) => boolean): readonly T[];
  /**
   * The first one that matches and that no earlier call has returned; waits until there is one.
   *
   * @throws Error after `timeoutMs` (5,000 by default), with what was captured
   */
  next(matches?: (one: T) => boolean, timeoutMs?: number): Promise<T>;
  /** Forgets everything. */
  clear(): void;
}

interface Waiting<T> {
  readonly matches: (one: T) => boolean;
  readonly resolve: (one: T) => void;
}

const all = (): boolean => true;

/** Keeps what is added until it is cleared. */
export class Captures<T> implements Captured<T> {
  readonly #what: string;
  #captured: T[] = [];
  #returned = new Set<T>();
  #waiting = new Set<Waiting<T>>();

  /** @param what it is called in errors, in the singular */
  constructor(what: string) {
    this.#what = what;
  }

  add(one: T): void {
    this.#captured.push(one);
    for (const waiting of this.#waiting) {
      if (!waiting.matches(one)) continue;
      this.#returned.add(one);
      waiting.resolve(one);
      return;
    }
  }

  list(matches: (one: T) => boolean = all): readonly T[] {
    return this.#captured.filter(matches);
  }

  next(matches: (one: T) => boolean = all, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<T> {
    const found = this.#captured.find((one) => !this.#returned.has(one) && matches(one));
    if (found !== undefined) {
      this.#returned.add(found);
      return Promise.resolve(found);
    }
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting<T> = {
        matches,
        resolve(one) {
          settle();
          resolve(one);
        },
      };
      const timer = setTimeout(() => {
        settle();
        reject(
          new Error(`No ${this.#what} that matches came within ${timeoutMs} ms; captured: ${this.#description()}`),
        );
      }, timeoutMs);
      this.#waiting.add(waiting);
    });
  }

  clear(): void {
    this.#captured = [];
    this.#returned = new Set();
  }

  #description(): string {
    return this.#captured.length === 0 ? 'none' : JSON.stringify(this.#captured, null, 2);
  }
}
