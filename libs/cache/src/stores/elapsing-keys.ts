import type { Clock } from '@lintel/timing';

interface Kept<V> {
  readonly value: V;
  readonly endsMs: number;
}

/** A value and the time that it has left. */
export interface Elapsing<V> {
  readonly value: V;
  readonly leftMs: number;
}

/** Entries that are kept between two looks for those whose time is over. */
const KEPT_PER_SWEEP = 1_000;

/** Values by key, each for a time. */
export class ElapsingKeys<V> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Kept<V>>();
  #kept = 0;

  /** @param clock one that never jumps, such as `monotonicClock` */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(key: string): Elapsing<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const leftMs = entry.endsMs - this.#clock.now();
    if (leftMs > 0) return { value: entry.value, leftMs };
    this.#entries.delete(key);
    return undefined;
  }

  keep(key: string, value: V, forMs: number): Elapsing<V> {
    this.#entries.set(key, { value, endsMs: this.#clock.now() + forMs });
    this.#kept += 1;
    if (this.#kept % KEPT_PER_SWEEP === 0) for (const each of [...this.#entries.keys()]) this.find(each);
    return { value, leftMs: forMs };
  }

  drop(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }
}
