import { EVENTS, type Session } from '@lintel/contracts';
import type { Metrics } from '@lintel/telemetry';
import type { Clock } from './clock.ts';
import { type Cache, createCache } from './create-cache.ts';
import type { SessionStore } from './session-store.ts';

export interface SessionCacheOptions {
  readonly sessions: Pick<SessionStore, 'load'>;
  /** `svc.cache.max-staleness` */
  readonly maxStalenessMs: number;
  readonly clock: Clock;
  readonly metrics?: Metrics;
}

/** Sessions kept at once; a session is a few hundred bytes. */
const MOST_SESSIONS = 20_000;

/**
 * Sessions for services that read them with every request. An entry ends with the session or its change;
 * sessions that do not exist are not kept.
 */
export function createSessionCache(options: SessionCacheOptions): Cache<string, Session | undefined> {
  return createCache({
    name: 'sessions',
    load: (id: string) => options.sessions.load(id),
    maxEntries: MOST_SESSIONS,
    maxStalenessMs: options.maxStalenessMs,
    clock: options.clock,
    invalidatedBy: ['auth.session.ended.v1', 'auth.session.changed.v1'],
    evict(event) {
      const data = EVENTS['auth.session.ended.v1'].schema.safeParse(event.data).data;
      return data === undefined ? 'all' : [data.sessionId];
    },
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
  });
}
