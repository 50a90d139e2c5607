/** The instances that a receiver has been told of, the latest ones of them; to be asked before it is told of their end. */
export class ToldInstances {
  readonly #most: number;
  readonly #ids = new Set<string>();

  /** @param most how many are remembered; those that were told of the longest time ago are forgotten */
  constructor(most: number) {
    this.#most = most;
  }

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= this.#most) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }

  /** Forgets the instance; whether it was known. */
  take(id: string): boolean {
    return this.#ids.delete(id);
  }
}
