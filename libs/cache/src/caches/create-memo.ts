import { LRUCache } from 'lru-cache';
import type { CacheDeclaration } from './cache-declaration.ts';
import { CacheMeter, type CacheStatistics } from './cache-meter.ts';
import type { Key } from './held-entries.ts';
import type { InvalidatedCache } from './invalidated-cache.ts';

/** Remembers what was made of a key. */
export interface Memo<K extends Key, V> extends InvalidatedCache {
  /** The value of the key, made by `make` where it is not known. */
  get(key: K, make: () => V): V;
  statistics(): CacheStatistics;
}

/**
 * Values that are made once and never wrong: the key holds the versions of everything that decides the value.
 * Costs one look-up and waits for nothing.
 *
 * @param declaration its staleness is `of its versions`
 */
export function createMemo<K extends Key, V extends Key>(declaration: CacheDeclaration): Memo<K, V> {
  if (declaration.staleness !== 'of its versions')
    throw new Error(`What ${declaration.name} holds can become wrong: it needs a cache that events end`);
  const values = new LRUCache<K, V>({
    max: declaration.maxEntries,
    dispose: (_value, _key, reason) => {
      if (reason !== 'set') meter.evictions += 1;
    },
  });
  const meter = new CacheMeter(declaration.name, { entries: () => values.size });
  return {
    declaration,
    meter,
    get(key, make) {
      const known = values.get(key);
      if (known !== undefined) {
        meter.hits += 1;
        return known;
      }
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
