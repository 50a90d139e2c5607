import type { OwnWrites } from '@lintel/cache';
import { entityFact, staleFactsOf } from '@lintel/entities';
import type { QueryCache } from '../queries/query-cache.ts';

/**
 * Creates what runs after a commit with the names of the changed entities: drops the cached results of queries here,
 * and waits until the caches of all processes are current, where a cache depends on the entities.
 */
export const createSettleChanges =
  (queryCache: QueryCache, ownWrites: OwnWrites | undefined) =>
  (changed: readonly string[]): Promise<void> | undefined => {
    queryCache.dropEntities(changed);
    if (ownWrites === undefined) return undefined;
    const names = [...new Set(changed)];
    const results = queryCache.isUsed
      ? names.map((name) => ({ ...entityFact(name), sources: queryCache.tablesOf(name) }))
      : [];
    const facts = [...staleFactsOf(names), ...results];
    return facts.length === 0 ? undefined : ownWrites.settle(facts);
  };
