import type { Envelope } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { CacheEntries, type CacheEntriesOptions, type Key } from './cache-entries.ts';
import type { CacheStatistics } from './cache-meter.ts';
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
  const { declaration, clock, tagOf } = options;
  const entries = new CacheEntries<K, V>({ ...options, onDropped: forgetTag });
  const { meter } = entries;
  const loads = new Map<K, Promise<V>>();
  const keysByTag = new Map<string, Set<K>>();
  /** Until then no refresh is started in the background. */
  let aheadAgainMs = Number.NEGATIVE_INFINITY;

  function find(key: K, argument: A): V | Promise<V> {
    const held = entries.find(key);
    if (held === undefined) return loads.get(key) ?? loadAdmitted(key, argument);
    if (options.loadsAhead === true && !loads.has(key) && entries.isEnding(held)) void loadAhead(key, argument);
    return held.value;
  }

  /** If the source is unavailable, the entry stays until it expires; any other error removes it. */
  async function loadAhead(key: K, argument: A): Promise<void> {
    const now = clock.now();
    if (now < aheadAgainMs) return;
    try {
      if ((await load(key, argument)) === undefined) entries.drop(key);
    } catch (error) {
      if (isPassing(error)) aheadAgainMs = now + AHEAD_AGAIN_MS;
      else entries.drop(key);
    }
  }

  async function loadAdmitted(key: K, argument: A): Promise<V> {
    const end = options.admit?.(argument);
    try {
      return await load(key, argument);
    } finally {
      end?.();
    }
  }

  async function load(key: K, argument: A): Promise<V> {
    // Aged from before the load: what changes while it runs may or may not be in the value.
    const loadedMs = clock.now();
    const loading = options.load(key, argument);
    loads.set(key, loading);
    try {
      const value = await loading;
      // Gone from `loads` means evicted meanwhile: the value may be from before the event.
      if (loads.get(key) === loading && value !== undefined) keep(key, value, loadedMs);
      return value;
    } finally {
      if (loads.get(key) === loading) loads.delete(key);
    }
  }

  function keep(key: K, value: V, loadedMs: number): void {
    entries.keep(key, value, loadedMs);
    const tag = tagOf?.(value);
    if (tag === undefined) return;
    const keys = keysByTag.get(tag);
    if (keys === undefined) keysByTag.set(tag, new Set([key]));
    else keys.add(key);
  }

  function forgetTag(value: V, key: K): void {
    const tag = tagOf?.(value);
    if (tag === undefined) return;
    const keys = keysByTag.get(tag);
    keys?.delete(key);
    if (keys?.size === 0) keysByTag.delete(tag);
  }

  function evict(...keys: readonly K[]): void {
    for (const key of keys) {
      entries.drop(key);
      loads.delete(key);
    }
  }

  function evictTagged(tags: readonly string[]): void {
    // The tags of a running load are unknown: no load that began before the event is cached.
    loads.clear();
    for (const tag of tags) for (const key of [...(keysByTag.get(tag) ?? [])]) entries.drop(key);
  }

  function dropAll(): void {
    entries.dropAll();
    loads.clear();
  }

  return {
    declaration,
    meter,
    get: (key, argument) => Promise.resolve(find(key, argument)),
    find,
    evict,
    dropAll,
    handleEvent(event) {
      if (!(declaration.invalidatedBy as readonly string[]).includes(event.type)) return;
      const wrong = options.evict?.(event) ?? 'all';
      if (wrong === 'all') dropAll();
      else if ('tags' in wrong) evictTagged(wrong.tags);
      else if (wrong.length > 0) evict(...wrong);
      else return;
      meter.countInvalidation(event.type);
    },
    setConnected: (connected) => entries.setConnected(connected),
    statistics: () => meter.statistics(),
  };
}

/** Wait after a failed refresh, with a random part, so that not all processes query a recovered source at once. */
const AHEAD_AGAIN_MS = 500;

const isPassing = (error: unknown): boolean => isPlatformError(error) && error.retryable;
