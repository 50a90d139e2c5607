/** The instances whose changes were last sent to a receiver. Only their removal is sent to it. */
export class SentInstances {
  readonly #max: number;
  readonly #ids = new Set<string>();

  /** @param max maximum number of instances; those sent the longest time ago are removed */
  constructor(max: number) {
    this.#max = max;
  }

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= this.#max) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }

  /** Removes the instance; returns whether it was known. */
  remove(id: string): boolean {
    return this.#ids.delete(id);
  }
}
