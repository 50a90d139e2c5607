import type { Envelope } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import type { CacheDeclaration } from './cache-declaration.ts';
import { CacheEntries, type CacheEntriesOptions, type Key } from './cache-entries.ts';
import type { CacheMeter, CacheStatistics } from './cache-meter.ts';
import type { InvalidatedCache } from './invalidated-cache.ts';

/** What an event invalidates: everything, some keys, or all entries with one of the tags. */
export type Eviction<K> = 'all' | readonly K[] | { readonly tags: readonly string[] };

/** How the values of a cache are loaded, and which events end them. */
export interface CacheOptions<K extends Key, V, A = void>
  extends Pick<CacheEntriesOptions<K, V>, 'declaration' | 'maxStalenessMs' | 'clock' | 'wallClock' | 'expiresAtMs'> {
  /** Reads the value. `undefined` (there is none) is returned and not cached. */
  readonly load: (key: K, argument: A) => Promise<V>;
  /** What an event invalidates; without it every event of the declaration clears the cache. */
  readonly evict?: (event: Envelope) => Eviction<K>;
  /**
   * Whether an entry in the last quarter of its life is refreshed in the background: then a short outage of the source
   * has no effect. It costs one more load in four.
   */
  readonly loadsAhead?: boolean;
  /**
   * Called before each load that a caller waits for, not before refreshes. May refuse the load by throwing; the
   * function that it returns is called when the load has ended. Callers that share a load share its admission.
   */
  readonly admit?: (argument: A) => (() => void) | undefined;
  /** A name that several entries have in common, e.g. their session. */
  readonly tagOf?: (value: V) => string;
}

/** Values of a source, in the memory of this process. */
export interface Cache<K extends Key, V, A = void> extends InvalidatedCache {
  /**
   * The value, loaded if it is missing or too old. Concurrent callers share one load.
   *
   * @param argument input of the load in addition to the key; never cached; must be the same for the same key
   */
  get(key: K, argument: A): Promise<V>;
  /** The same, without a promise if there is nothing to wait for. */
  find(key: K, argument: A): V | Promise<V>;
  evict(...keys: readonly K[]): void;
  statistics(): CacheStatistics;
}

/**
 * A cache in this process whose entries are dropped by events and, at the latest, by age. Until it is attached to a
 * connected bus (`attachInvalidation`), the short staleness bound applies.
 */
export function createCache<K extends Key, V, A = void>(options: CacheOptions<K, V, A>): Cache<K, V, A> {
  return new EventedCache(options);
}

/** Wait after a failed refresh, with a random part, so that not all processes query a recovered source at once. */
const AHEAD_AGAIN_MS = 500;

const isPassing = (error: unknown): boolean => isPlatformError(error) && error.retryable;

class EventedCache<K extends Key, V, A> implements Cache<K, V, A> {
  readonly declaration: CacheDeclaration;
  readonly meter: CacheMeter;
  readonly #options: CacheOptions<K, V, A>;
  readonly #entries: CacheEntries<K, V>;
  readonly #loads = new Map<K, Promise<V>>();
  readonly #keysByTag = new Map<string, Set<K>>();
  /** Until then no refresh is started in the background. */
  #aheadAgainMs = Number.NEGATIVE_INFINITY;

  constructor(options: CacheOptions<K, V, A>) {
    this.declaration = options.declaration;
    this.#options = options;
    this.#entries = new CacheEntries<K, V>({ ...options, onDropped: (value, key) => this.#forgetTag(value, key) });
    this.meter = this.#entries.meter;
  }

  get(key: K, argument: A): Promise<V> {
    return Promise.resolve(this.find(key, argument));
  }

  find(key: K, argument: A): V | Promise<V> {
    const held = this.#entries.find(key);
    if (held === undefined) return this.#loads.get(key) ?? this.#loadAdmitted(key, argument);
    if (this.#options.loadsAhead === true && !this.#loads.has(key) && this.#entries.isEnding(held))
      void this.#loadAhead(key, argument);
    return held.value;
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
    else if ('tags' in wrong) this.#evictTagged(wrong.tags);
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

  /** If the source is unavailable, the entry stays until it expires; any other error removes it. */
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

  async #loadAdmitted(key: K, argument: A): Promise<V> {
    const end = this.#options.admit?.(argument);
    try {
      return await this.#load(key, argument);
    } finally {
      end?.();
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

  #evictTagged(tags: readonly string[]): void {
    // The tags of a running load are unknown: no load that began before the event is cached.
    this.#loads.clear();
    for (const tag of tags) for (const key of [...(this.#keysByTag.get(tag) ?? [])]) this.#entries.drop(key);
  }

  #forgetTag(value: V, key: K): void {
    const tag = this.#options.tagOf?.(value);
    if (tag === undefined) return;
    const keys = this.#keysByTag.get(tag);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysByTag.delete(tag);
  }
}
