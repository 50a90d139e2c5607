import type { EntityListener } from '@lintel/application';
import { createCache, declareCache, type InvalidatedCache } from '@lintel/cache';
import { type Model, withDynamicAttributes } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import type { Clock } from '@lintel/timing';
import { DEFINITION_ENTITIES, definitionListeners } from './definitions/definition-listeners.ts';
import { loadDynamicAttributes } from './definitions/load-dynamic-attributes.ts';

/** Source of the model with the dynamic attributes. */
export interface ModelSource {
  /** The application's model with the dynamic attributes that are defined now. */
  current(): Promise<Model>;
  /** Guard the definitions, and forget them here as soon as a change is committed. */
  readonly listeners: readonly EntityListener[];
  /** To be attached to the bus: changes that other replicas make arrive as events. */
  readonly cache: InvalidatedCache;
}

const DYNAMIC_ATTRIBUTES = declareCache({
  name: 'dynamic-attributes',
  holds: 'the model of the application, extended by the defined dynamic attributes',
  where: ['data'],
  keyedBy: 'one value',
  maxEntries: 1,
  // Only changes of the entities that store the definitions invalidate it.
  invalidatedBy: ['data.entity.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'before the response',
  whileAway: 'PostgreSQL: used until the maximum age, then 503, as for reads and writes',
});

/** There is one model. */
const KEY = 'model';

/** Caches the definitions in memory; they are read once, and again after one of them changes. */
export function createModelSource(options: {
  readonly model: Model;
  readonly database: StatementRunner;
  readonly maxStalenessMs: number;
  readonly clock: Clock;
}): ModelSource {
  let latest = options.model;
  const cache = createCache<string, Model>({
    declaration: DYNAMIC_ATTRIBUTES,
    load: async () => {
      const loaded = withDynamicAttributes(options.model, await loadDynamicAttributes(options.database));
      // Much is derived from a model once; an equal one stays the same.
      if (loaded.version !== latest.version) latest = loaded;
      return latest;
    },
    maxStalenessMs: options.maxStalenessMs,
    clock: options.clock,
    evict: ({ data }) => (DEFINITION_ENTITIES.has(entityOfEvent(data)) ? 'all' : []),
  });
  return {
    current: () => cache.get(KEY),
    listeners: definitionListeners(options.model, () => cache.dropAll()),
    cache,
  };
}

const entityOfEvent = (data: unknown): string => String((data as { readonly entity?: unknown } | null)?.entity);
