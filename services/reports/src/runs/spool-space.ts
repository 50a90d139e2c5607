/**
 * Bytes of temporary files, divided among callers as slots are (ADR 32): a caller that has some takes more only while
 * more than these are free.
 */
export class SpoolSpace {
  readonly #byCaller = new Map<string, number>();
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the caller has the bytes now; they are in use until `release`. */
  take(caller: string, bytes: number): boolean {
    const own = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (own > this.#maxBytes - this.#usedBytes) return false;
    this.#byCaller.set(caller, own);
    this.#usedBytes += bytes;
    return true;
  }

  release(caller: string, bytes: number): void {
    const own = (this.#byCaller.get(caller) ?? 0) - bytes;
    if (own > 0) this.#byCaller.set(caller, own);
    else this.#byCaller.delete(caller);
    this.#usedBytes -= bytes;
  }
}
