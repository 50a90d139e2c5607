/**
 * Space of temporary files, shared fairly among callers as slots are (docs/security.md#fair-shares): a caller that
 * uses some gets more only while more than that is free.
 */
export class SpoolSpace {
  readonly #byCaller = new Map<string, number>();
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reserves bytes until `release`. Returns whether the caller gets them. */
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
