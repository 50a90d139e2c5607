import { EVENTS, type Session } from '@lintel/contracts';
import type { Clock } from '@lintel/timing';
import { declareCache } from '../caches/cache-declaration.ts';
import { type Cache, createCache } from '../caches/create-cache.ts';
import type { SessionStore } from './session-store.ts';

/** A session is a few hundred bytes. */
const SESSIONS = declareCache({
  name: 'sessions',
  holds: 'who a session belongs to, with roles, locale and attributes',
  where: ['data', 'files', 'reports'],
  keyedBy: 'session id',
  maxEntries: 20_000,
  invalidatedBy: ['auth.session.ended.v1', 'auth.session.changed.v1'],
  staleness: 'max-staleness',
  whileAway:
    'Redis: used to the end of its life, then 503; refreshed from the last quarter of it. Sessions that do not exist are not cached',
});

export interface SessionCacheOptions {
  readonly sessions: Pick<SessionStore, 'load'>;
  /** `svc.cache.max-staleness` */
  readonly maxStalenessMs: number;
  readonly clock: Clock;
}

/**
 * Sessions for services that read them with every request. An entry ends with the session or its change;
 * sessions that do not exist are not kept.
 */
export function createSessionCache(options: SessionCacheOptions): Cache<string, Session | undefined> {
  return createCache({
    declaration: SESSIONS,
    load: (id: string) => options.sessions.load(id),
    maxStalenessMs: options.maxStalenessMs,
    clock: options.clock,
    loadsAhead: true,
    evict(event) {
      const data = EVENTS['auth.session.ended.v1'].schema.safeParse(event.data).data;
      return data === undefined ? 'all' : [data.sessionId, ...(data.sessionIds ?? [])];
    },
  });
}
