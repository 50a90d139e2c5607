/** An item between `begin` and `end`. */
export interface Entry<T> {
  readonly item: T;
  /** Its position in the list; -1 after `end`. */
  position: number;
}

/**
 * Items in progress, in any order. For short-lived objects, such as requests, use it instead of a `Set` or a `Map`: V8
 * links each former table of these to the next one. A former table that has reached the old generation keeps all later
 * ones, with their requests, until the next full garbage collection.
 */
export class InProgress<T> implements Iterable<T> {
  readonly #entries: Entry<T>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  begin(item: T): Entry<T> {
    const entry = { item, position: this.#entries.length };
    this.#entries.push(entry);
    return entry;
  }

  /** Returns false if the entry has ended before. */
  end(entry: Entry<T>): boolean {
    const { position } = entry;
    if (position < 0) return false;
    entry.position = -1;
    const last = this.#entries.pop();
    if (last !== undefined && last !== entry) {
      this.#entries[position] = last;
      last.position = position;
    }
    return true;
  }

  /** The items that are in progress when the iteration begins; they may end during it. */
  [Symbol.iterator](): Iterator<T> {
    return this.#entries.map(({ item }) => item)[Symbol.iterator]();
  }
}
