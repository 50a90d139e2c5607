import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { CacheDeclaration } from './cache-declaration.ts';
import { CacheMeter } from './cache-meter.ts';

/** Compared as a `Map` compares: give texts or numbers, or objects that are the same each time. */
export type Key = NonNullable<unknown>;

export interface HeldEntriesOptions<K extends Key, V> {
  readonly declaration: CacheDeclaration;
  /** `svc.cache.max-staleness`; needed where the declaration says so. */
  readonly maxStalenessMs?: number;
  /** Tells ages: one that never jumps, such as `steadyClock`. */
  readonly clock: Clock;
  /** End of a value's own life, milliseconds since the epoch, e.g. of a token. */
  readonly expiresAtMs?: (value: V) => number;
  /** The time of day, for `expiresAtMs`; `clock` unless it is given. */
  readonly wallClock?: Clock;
  /** In the unit of the declaration's `maxSize`; at least 1. An entry that is larger than `largest` is not held. */
  readonly size?: { readonly of: (value: V, key: K) => number; readonly largest: number };
  /** Called for every entry that is not held any longer, one that is replaced included. */
  readonly onDropped?: (value: V, key: K) => void;
}

/** An entry as it is held. */
export interface Held<V> {
  readonly value: V;
  readonly loadedMs: number;
}

/** Longest life of an entry while events cannot arrive (docs/adr/0006-outbox-and-inbox.md). */
export const DISCONNECTED_STALENESS_MS = 5_000;

/** The entries of a cache: how many, how old, and whether events tell of changes. Who loads them is not its matter. */
export class HeldEntries<K extends Key, V> {
  readonly meter: CacheMeter;
  readonly #options: HeldEntriesOptions<K, V>;
  readonly #entries: LRUCache<K, Held<V>>;
  readonly #maxStalenessMs: number;
  #connected = false;

  constructor(options: HeldEntriesOptions<K, V>) {
    const { declaration, size, onDropped } = options;
    this.#options = options;
    this.#maxStalenessMs = stalenessOf(options);
    this.#entries = new LRUCache<K, Held<V>>({
      max: declaration.maxEntries,
      ...(size !== undefined && {
        maxSize: declaration.maxSize?.most ?? Number.MAX_SAFE_INTEGER,
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

  /** The entry, where there is one that is young enough; counted as a hit or a miss. */
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

  /** Whether the entry, which is young enough now, is in the last quarter of its life. */
  isEnding({ value, loadedMs }: Held<V>): boolean {
    const ageMs = this.#options.clock.now() - loadedMs;
    const leftMs = Math.min(this.#boundMs() - ageMs, this.#leftOfItsOwnMs(value));
    return ageMs >= 0.75 * (ageMs + leftMs);
  }

  /** @param loadedMs when its load began: what changed afterwards may or may not be in the value */
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
    // A negative age is a clock that was set back: nothing is known of the entry's true age.
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

/** The bound of the declaration, in milliseconds. @throws Error where it is configured and nobody says it */
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
