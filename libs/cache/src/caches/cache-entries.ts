import type { Clock } from '@lintel/timing';
import { LRUCache } from 'lru-cache';
import type { CacheDeclaration } from './cache-declaration.ts';
import { CacheMeter } from './cache-meter.ts';

/** Keys are compared as in a `Map`: use texts, numbers, or identical objects. */
export type Key = NonNullable<unknown>;

export interface CacheEntriesOptions<K extends Key, V> {
  readonly declaration: CacheDeclaration;
  /** `svc.cache.max-staleness`; required if the declaration refers to it. */
  readonly maxStalenessMs?: number;
  /** Measures ages: a monotonic clock such as `monotonicClock`. */
  readonly clock: Clock;
  /** The time at which the value itself expires, e.g. a token; milliseconds since the epoch. */
  readonly expiresAtMs?: (value: V) => number;
  /** The time of day, for `expiresAtMs`; `clock` by default. */
  readonly wallClock?: Clock;
  /** In the unit of the declaration's `maxSize`; at least 1. An entry that is larger than `largest` is not cached. */
  readonly size?: { readonly of: (value: V, key: K) => number; readonly largest: number };
  /** Called for every entry that is removed, including an entry that is replaced. */
  readonly onDropped?: (value: V, key: K) => void;
}

/** An entry as it is stored. */
export interface Held<V> {
  readonly value: V;
  readonly loadedMs: number;
}

/** Longest life of an entry while events cannot arrive (docs/adr/0006-outbox.md). */
export const DISCONNECTED_STALENESS_MS = 5_000;

/** The entries of a cache: their number, their age, and whether change events arrive. It does not load them. */
export class CacheEntries<K extends Key, V> {
  readonly meter: CacheMeter;
  readonly #options: CacheEntriesOptions<K, V>;
  readonly #entries: LRUCache<K, Held<V>>;
  readonly #maxStalenessMs: number;
  #connected = false;

  constructor(options: CacheEntriesOptions<K, V>) {
    const { declaration, size, onDropped } = options;
    this.#options = options;
    this.#maxStalenessMs = stalenessOf(options);
    this.#entries = new LRUCache<K, Held<V>>({
      max: declaration.maxEntries,
      ...(size !== undefined && {
        maxSize: declaration.maxSize?.max ?? Number.MAX_SAFE_INTEGER,
        maxEntrySize: size.largest,
        sizeCalculation: ({ value }: Held<V>, key: K) => size.of(value, key),
      }),
      dispose: ({ value }, key, reason) => {
        if (reason !== 'set') this.meter.evictions += 1;
        onDropped?.(value, key);
      },
    });
    this.meter = new CacheMeter(declaration.name, {
      entries: () => this.#entries.size,
      oldestAgeMs: () => this.#oldestAgeMs(),
    });
  }

  /** The entry, if one exists and has not expired; counted as a hit or a miss. */
  find(key: K): Held<V> | undefined {
    const held = this.#entries.get(key);
    if (held !== undefined && this.#isFresh(held)) {
      this.meter.hits += 1;
      return held;
    }
    this.meter.misses += 1;
    return undefined;
  }

  /** The value of the entry. */
  get(key: K): V | undefined {
    return this.find(key)?.value;
  }

  /** Whether the entry, which has not expired, is in the last quarter of its life. */
  isEnding({ value, loadedMs }: Held<V>): boolean {
    const ageMs = this.#options.clock.now() - loadedMs;
    const leftMs = Math.min(this.#boundMs() - ageMs, this.#leftOfItsOwnMs(value));
    return ageMs >= 0.75 * (ageMs + leftMs);
  }

  /** @param loadedMs when its load began: the value may lack later changes */
  keep(key: K, value: V, loadedMs: number): void {
    this.#entries.set(key, { value, loadedMs });
  }

  drop(key: K): void {
    this.#entries.delete(key);
  }

  dropWhere(isWrong: (value: V, key: K) => boolean): void {
    for (const [key, { value }] of this.#entries.entries()) if (isWrong(value, key)) this.#entries.delete(key);
  }

  dropAll(): void {
    this.#entries.clear();
  }

  setConnected(connected: boolean): void {
    if (connected && !this.#connected) this.meter.countInvalidation('connection');
    this.#connected = connected;
  }

  #isFresh({ value, loadedMs }: Held<V>): boolean {
    const ageMs = this.#options.clock.now() - loadedMs;
    // A negative age means that the clock was set back: the true age of the entry is unknown.
    return ageMs >= 0 && ageMs < this.#boundMs() && this.#leftOfItsOwnMs(value) > 0;
  }

  #leftOfItsOwnMs(value: V): number {
    const { clock, wallClock = clock, expiresAtMs } = this.#options;
    return expiresAtMs === undefined ? Number.POSITIVE_INFINITY : expiresAtMs(value) - wallClock.now();
  }

  #boundMs(): number {
    return this.#connected ? this.#maxStalenessMs : Math.min(this.#maxStalenessMs, DISCONNECTED_STALENESS_MS);
  }

  #oldestAgeMs(): number {
    const now = this.#options.clock.now();
    let oldestMs = now;
    for (const { loadedMs } of this.#entries.values()) oldestMs = Math.min(oldestMs, loadedMs);
    return now - oldestMs;
  }
}

/** The bound of the declaration, in milliseconds. @throws Error if it is a setting that was not passed */
export function stalenessOf({
  declaration: { name, staleness },
  maxStalenessMs,
}: {
  readonly declaration: CacheDeclaration;
  readonly maxStalenessMs?: number;
}): number {
  if (typeof staleness === 'number') return staleness;
  if (staleness === 'of its versions' || maxStalenessMs === undefined)
    throw new Error(`The cache ${name} needs a staleness bound`);
  return maxStalenessMs;
}
