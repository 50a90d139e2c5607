import type { EntityListener } from '@lintel/application';
import { type Clock, createCache, type InvalidatedCache } from '@lintel/cache';
import { type Model, withDynamicAttributes } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { DEFINITION_ENTITIES, definitionListeners } from './definitions/definition-listeners.ts';
import { loadDynamicAttributes } from './definitions/load-dynamic-attributes.ts';

/** Where the model with the dynamic attributes comes from. */
export interface ModelSource {
  /** The application's model with the dynamic attributes that are defined now. */
  current(): Promise<Model>;
  /** Guard the definitions, and forget them here as soon as a change is committed. */
  readonly listeners: readonly EntityListener[];
  /** To be attached to the bus: changes that other replicas make arrive as events. */
  readonly cache: InvalidatedCache;
}

/** There is one model. */
const KEY = 'model';

/** Keeps the definitions in memory; they are read once, and again after a change of one. */
export function createModelSource(options: {
  readonly model: Model;
  readonly database: StatementRunner;
  readonly maxStalenessMs: number;
  readonly clock: Clock;
}): ModelSource {
  let latest = options.model;
  const cache = createCache<string, Model>({
    name: 'dynamic-attributes',
    load: async () => {
      const loaded = withDynamicAttributes(options.model, await loadDynamicAttributes(options.database));
      // Much is derived from a model once; an equal one stays the same.
      if (loaded.version !== latest.version) latest = loaded;
      return latest;
    },
    maxEntries: 1,
    maxStalenessMs: options.maxStalenessMs,
    clock: options.clock,
    invalidatedBy: ['data.entity.changed.v1'],
    evict: ({ data }) => (DEFINITION_ENTITIES.has(entityOfEvent(data)) ? 'all' : []),
  });
  return {
    current: () => cache.get(KEY),
    listeners: definitionListeners(options.model, () => cache.dropAll()),
    cache,
  };
}

const entityOfEvent = (data: unknown): string => String((data as { readonly entity?: unknown } | null)?.entity);
