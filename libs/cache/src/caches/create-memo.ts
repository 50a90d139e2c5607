import { LRUCache } from 'lru-cache';
import type { CacheDeclaration } from './cache-declaration.ts';
import type { Key } from './cache-entries.ts';
import { CacheMeter, type CacheStatistics } from './cache-meter.ts';
import type { InvalidatedCache } from './invalidated-cache.ts';

/** Caches the value that was computed from a key. */
export interface Memo<K extends Key, V> extends InvalidatedCache {
  /** The value of the key, computed by `make` if it is not cached. */
  get(key: K, make: () => V): V;
  /** The value of the key, if it is cached. */
  find(key: K): V | undefined;
  statistics(): CacheStatistics;
}

/**
 * Values that are computed once and never stale: the key contains the versions of everything that determines the value.
 * A call costs one look-up and is synchronous.
 *
 * @param declaration its staleness is `of its versions`
 * @param size of an entry, in the unit of the declaration's `maxSize`; at least 1. A value that is larger than
 *   `largest` is computed each time
 */
export function createMemo<K extends Key, V extends Key>(
  declaration: CacheDeclaration,
  size?: { readonly of: (value: V, key: K) => number; readonly largest: number },
): Memo<K, V> {
  if (declaration.staleness !== 'of its versions')
    throw new Error(`What ${declaration.name} holds can become wrong: it needs a cache that events end`);
  const values = new LRUCache<K, V>({
    max: declaration.maxEntries,
    ...(size !== undefined && {
      maxSize: declaration.maxSize?.max ?? Number.MAX_SAFE_INTEGER,
      maxEntrySize: size.largest,
      sizeCalculation: size.of,
    }),
    dispose: (_value, _key, reason) => {
      if (reason !== 'set') meter.evictions += 1;
    },
  });
  const meter = new CacheMeter(declaration.name, { entries: () => values.size });
  const find = (key: K): V | undefined => {
    const known = values.get(key);
    if (known !== undefined) meter.hits += 1;
    return known;
  };
  return {
    declaration,
    meter,
    find,
    get(key, make) {
      const known = find(key);
      if (known !== undefined) return known;
      meter.misses += 1;
      const made = make();
      values.set(key, made);
      return made;
    },
    handleEvent() {},
    dropAll: () => values.clear(),
    setConnected() {},
    statistics: () => meter.statistics(),
  };
}
