import type { Envelope, EventType } from '@lintel/contracts';
import type { Metrics } from '@lintel/telemetry';
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** Compared as a `Map` compares: give texts or numbers, or objects that are the same each time. */
type Key = NonNullable<unknown>;

export interface CacheOptions<K extends Key, V> {
  /** In metrics; names what is held, e.g. `sessions`. */
  readonly name: string;
  /** Reads the value. `undefined` (there is none) is answered and not kept. */
  readonly load: (key: K) => Promise<V>;
  readonly maxEntries: number;
  /** Longest life of an entry while events arrive. */
  readonly maxStalenessMs: number;
  readonly clock: Clock;
  /** Events after which an entry may be wrong. */
  readonly invalidatedBy: readonly EventType[];
  /** Keys that an event makes wrong; without it every such event empties the cache. */
  readonly evict?: (event: Envelope) => readonly K[] | 'all';
  /** End of a value's own life, milliseconds since the epoch, e.g. of a token. */
  readonly expiresAtMs?: (value: V) => number;
  /** Longest life of an entry while events cannot arrive. */
  readonly disconnectedStalenessMs?: number;
  readonly metrics?: Metrics;
}

export interface CacheStatistics {
  readonly hits: number;
  readonly misses: number;
  /** Entries dropped for an event, a reconnection or want of room. */
  readonly evictions: number;
  readonly entries: number;
}

/** What `attachInvalidation` needs of a cache, whatever its keys and values. */
export interface InvalidatedCache {
  readonly name: string;
  readonly invalidatedBy: readonly EventType[];
  /** Drops what the event makes wrong. */
  handleEvent(event: Envelope): void;
  dropAll(): void;
  /** Tells whether events arrive; while they do not, entries live shorter. */
  setConnected(connected: boolean): void;
}

export interface Cache<K extends Key, V> extends InvalidatedCache {
  /** The value, loaded where it is missing or too old. Callers that ask together share one load. */
  get(key: K): Promise<V>;
  evict(...keys: readonly K[]): void;
  statistics(): CacheStatistics;
}

const DISCONNECTED_STALENESS_MS = 5_000;

/**
 * A cache in this process whose entries end by events and, at the latest, by age. Until it is attached to a
 * connected bus (`attachInvalidation`) the short staleness bound holds.
 */
export function createCache<K extends Key, V>(options: CacheOptions<K, V>): Cache<K, V> {
  return new EventedCache(options);
}

interface Entry<V> {
  readonly value: V;
  readonly loadedMs: number;
}

class EventedCache<K extends Key, V> implements Cache<K, V> {
  readonly name: string;
  readonly invalidatedBy: readonly EventType[];
  private readonly options: CacheOptions<K, V>;
  private readonly entries: LRUCache<K, Entry<V>>;
  private readonly loads = new Map<K, Promise<V>>();
  private connected = false;
  private hits = 0;
  private misses = 0;
  private evictions = 0;

  constructor(options: CacheOptions<K, V>) {
    this.name = options.name;
    this.invalidatedBy = options.invalidatedBy;
    this.options = options;
    this.entries = new LRUCache<K, Entry<V>>({
      max: options.maxEntries,
      dispose: (_entry, _key, reason) => {
        if (reason !== 'set') this.evictions += 1;
      },
    });
    this.reportTo(options.metrics);
  }

  get(key: K): Promise<V> {
    const entry = this.entries.get(key);
    if (entry !== undefined && this.isFresh(entry)) {
      this.hits += 1;
      return Promise.resolve(entry.value);
    }
    this.misses += 1;
    return this.loads.get(key) ?? this.load(key);
  }

  evict(...keys: readonly K[]): void {
    for (const key of keys) {
      this.entries.delete(key);
      this.loads.delete(key);
    }
  }

  dropAll(): void {
    this.entries.clear();
    this.loads.clear();
  }

  handleEvent(event: Envelope): void {
    if (!(this.invalidatedBy as readonly string[]).includes(event.type)) return;
    const keys = this.options.evict?.(event) ?? 'all';
    if (keys === 'all') this.dropAll();
    else this.evict(...keys);
  }

  setConnected(connected: boolean): void {
    this.connected = connected;
  }

  statistics(): CacheStatistics {
    const { hits, misses, evictions } = this;
    return { hits, misses, evictions, entries: this.entries.size };
  }

  private async load(key: K): Promise<V> {
    // Aged from before the load: what changes while it runs may or may not be in the value.
    const loadedMs = this.options.clock.now();
    const load = this.options.load(key);
    this.loads.set(key, load);
    try {
      const value = await load;
      // Gone from `loads` means evicted meanwhile: the value may be from before the event.
      if (this.loads.get(key) === load && value !== undefined) this.entries.set(key, { value, loadedMs });
      return value;
    } finally {
      if (this.loads.get(key) === load) this.loads.delete(key);
    }
  }

  private isFresh({ value, loadedMs }: Entry<V>): boolean {
    const { clock, maxStalenessMs, expiresAtMs, disconnectedStalenessMs = DISCONNECTED_STALENESS_MS } = this.options;
    const bound = this.connected ? maxStalenessMs : Math.min(maxStalenessMs, disconnectedStalenessMs);
    const now = clock.now();
    const ageMs = now - loadedMs;
    // A negative age is a clock that was set back: nothing is known of the entry's true age.
    return ageMs >= 0 && ageMs < bound && (expiresAtMs === undefined || now < expiresAtMs(value));
  }

  private reportTo(metrics: Metrics | undefined): void {
    if (metrics === undefined) return;
    const labels = { cache: this.name };
    metrics.observe('lintel.cache.hits', () => this.hits, labels);
    metrics.observe('lintel.cache.misses', () => this.misses, labels);
    metrics.observe('lintel.cache.evictions', () => this.evictions, labels);
    metrics.observe('lintel.cache.entries', () => this.entries.size, labels);
  }
}
