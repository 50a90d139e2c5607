import { createCache, declareCache, type InvalidatedCache } from '@lintel/cache';
import type { Database } from '@lintel/persistence';
import type { Clock } from '@lintel/timing';

/** The changes that are sent to a webhook. */
export interface WebhookRoute {
  readonly id: string;
  readonly entityName: string;
  readonly changes: ReadonlySet<string>;
}

/** The currently active webhooks. */
export interface WebhookSource {
  current(): Promise<readonly WebhookRoute[]>;
  /** To be attached to the bus: changes by other processes arrive as events. */
  readonly cache: InvalidatedCache;
}

const WEBHOOKS = declareCache({
  name: 'webhooks',
  holds: 'which changes the active webhooks subscribe to',
  where: ['data'],
  keyedBy: 'one value',
  maxEntries: 1,
  // Only changes of `sys_Webhook` invalidate it.
  invalidatedBy: ['data.entity.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'before the response',
  whileAway: 'PostgreSQL: used until the maximum age; then events wait in their queue',
});

const ACTIVE = {
  name: 'lintel_webhooks_active',
  text: 'SELECT id, entity_name, changes FROM sys.webhook WHERE active',
  values: [],
};

interface WebhookRow {
  readonly id: string;
  readonly entity_name: string;
  readonly changes: string;
}

/** The key of the single list. */
const KEY = 'webhooks';

/** Caches the routes; they are read once, and again after a change of a webhook. */
export function createWebhookSource(options: {
  readonly database: Pick<Database, 'query'>;
  readonly maxStalenessMs: number;
  readonly clock: Clock;
}): WebhookSource {
  const cache = createCache<string, readonly WebhookRoute[]>({
    declaration: WEBHOOKS,
    load: async () => (await options.database.query<WebhookRow>(ACTIVE)).map(toRoute),
    maxStalenessMs: options.maxStalenessMs,
    clock: options.clock,
    evict: ({ data }) => ((data as { entity?: unknown } | null)?.entity === 'sys_Webhook' ? 'all' : []),
  });
  return { current: () => cache.get(KEY), cache };
}

const toRoute = ({ id, entity_name, changes }: WebhookRow): WebhookRoute => ({
  id,
  entityName: entity_name,
  changes: new Set(changes.split(',').map((change) => change.trim())),
});
