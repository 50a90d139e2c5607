import type { Envelope } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import type { CacheDeclaration } from './cache-declaration.ts';
import type { CacheMeter, CacheStatistics } from './cache-meter.ts';
import { HeldEntries, type HeldEntriesOptions, type Key } from './held-entries.ts';
import type { InvalidatedCache } from './invalidated-cache.ts';

/** What an event makes wrong: everything, some keys, or all entries with a tag. */
export type Eviction<K> = 'all' | readonly K[] | { readonly tag: string };

export interface CacheOptions<K extends Key, V, A = void>
  extends Pick<HeldEntriesOptions<K, V>, 'declaration' | 'maxStalenessMs' | 'clock' | 'wallClock' | 'expiresAtMs'> {
  /** Reads the value. `undefined` (there is none) is answered and not kept. */
  readonly load: (key: K, argument: A) => Promise<V>;
  /** What an event makes wrong; without it every event of the declaration empties the cache. */
  readonly evict?: (event: Envelope) => Eviction<K>;
  /**
   * Whether an entry in the last quarter of its life is loaded anew while it is answered: then a source that is
   * away for a moment goes unnoticed. For values that are worth a load more in four.
   */
  readonly loadsAhead?: boolean;
  /** A name that several entries have in common, e.g. their session. */
  readonly tagOf?: (value: V) => string;
}

export interface Cache<K extends Key, V, A = void> extends InvalidatedCache {
  /**
   * The value, loaded where it is missing or too old. Callers that ask together share one load.
   *
   * @param argument what the load needs beside the key, and must not be kept; the same for the same key
   */
  get(key: K, argument: A): Promise<V>;
  evict(...keys: readonly K[]): void;
  statistics(): CacheStatistics;
}

/**
 * A cache in this process whose entries end by events and, at the latest, by age. Until it is attached to a
 * connected bus (`attachInvalidation`) the short staleness bound holds.
 */
export function createCache<K extends Key, V, A = void>(options: CacheOptions<K, V, A>): Cache<K, V, A> {
  return new EventedCache(options);
}

/** After a failure; a source that comes back is not met by all at once. */
const AHEAD_AGAIN_MS = 500;

const isPassing = (error: unknown): boolean => isPlatformError(error) && error.retryable;

class EventedCache<K extends Key, V, A> implements Cache<K, V, A> {
  readonly declaration: CacheDeclaration;
  readonly meter: CacheMeter;
  readonly #options: CacheOptions<K, V, A>;
  readonly #entries: HeldEntries<K, V>;
  readonly #loads = new Map<K, Promise<V>>();
  readonly #keysByTag = new Map<string, Set<K>>();
  /** Until then the source is left alone by loads that nobody waits for. */
  #aheadAgainMs = Number.NEGATIVE_INFINITY;

  constructor(options: CacheOptions<K, V, A>) {
    this.declaration = options.declaration;
    this.#options = options;
    this.#entries = new HeldEntries<K, V>({ ...options, onDropped: (value, key) => this.#forgetTag(value, key) });
    this.meter = this.#entries.meter;
  }

  get(key: K, argument: A): Promise<V> {
    const held = this.#entries.find(key);
    if (held === undefined) return this.#loads.get(key) ?? this.#load(key, argument);
    if (this.#options.loadsAhead === true && !this.#loads.has(key) && this.#entries.isEnding(held))
      void this.#loadAhead(key, argument);
    return Promise.resolve(held.value);
  }

  evict(...keys: readonly K[]): void {
    for (const key of keys) {
      this.#entries.drop(key);
      this.#loads.delete(key);
    }
  }

  dropAll(): void {
    this.#entries.dropAll();
    this.#loads.clear();
  }

  handleEvent(event: Envelope): void {
    const { invalidatedBy } = this.declaration;
    if (!(invalidatedBy as readonly string[]).includes(event.type)) return;
    const wrong = this.#options.evict?.(event) ?? 'all';
    if (wrong === 'all') this.dropAll();
    else if ('tag' in wrong) this.#evictTagged(wrong.tag);
    else if (wrong.length > 0) this.evict(...wrong);
    else return;
    this.meter.countInvalidation(event.type);
  }

  setConnected(connected: boolean): void {
    this.#entries.setConnected(connected);
  }

  statistics(): CacheStatistics {
    return this.meter.statistics();
  }

  /** A source that is away leaves the entry its life; one that knows better ends it. */
  async #loadAhead(key: K, argument: A): Promise<void> {
    const now = this.#options.clock.now();
    if (now < this.#aheadAgainMs) return;
    try {
      if ((await this.#load(key, argument)) === undefined) this.#entries.drop(key);
    } catch (error) {
      if (isPassing(error)) this.#aheadAgainMs = now + AHEAD_AGAIN_MS;
      else this.#entries.drop(key);
    }
  }

  async #load(key: K, argument: A): Promise<V> {
    // Aged from before the load: what changes while it runs may or may not be in the value.
    const loadedMs = this.#options.clock.now();
    const load = this.#options.load(key, argument);
    this.#loads.set(key, load);
    try {
      const value = await load;
      // Gone from `loads` means evicted meanwhile: the value may be from before the event.
      if (this.#loads.get(key) === load && value !== undefined) this.#keep(key, value, loadedMs);
      return value;
    } finally {
      if (this.#loads.get(key) === load) this.#loads.delete(key);
    }
  }

  #keep(key: K, value: V, loadedMs: number): void {
    this.#entries.keep(key, value, loadedMs);
    const tag = this.#options.tagOf?.(value);
    if (tag === undefined) return;
    const keys = this.#keysByTag.get(tag);
    if (keys === undefined) this.#keysByTag.set(tag, new Set([key]));
    else keys.add(key);
  }

  #evictTagged(tag: string): void {
    // Nobody knows the tags of what is being loaded: no load that began before the event is kept.
    this.#loads.clear();
    for (const key of [...(this.#keysByTag.get(tag) ?? [])]) this.#entries.drop(key);
  }

  #forgetTag(value: V, key: K): void {
    const tag = this.#options.tagOf?.(value);
    if (tag === undefined) return;
    const keys = this.#keysByTag.get(tag);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysByTag.delete(tag);
  }
}
