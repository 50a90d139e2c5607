import { EVENTS, type Session } from '@lintel/contracts';
import type { Clock } from '@lintel/timing';
import { declareCache } from '../caches/cache-declaration.ts';
import { type Cache, createCache } from '../caches/create-cache.ts';
import type { SessionStore } from './session-store.ts';

/** A session is a few hundred bytes. */
const SESSIONS = declareCache({
  name: 'sessions',
  holds: 'the user of a session, with roles, locale and attributes',
  where: ['data', 'files', 'reports'],
  keyedBy: 'session id',
  maxEntries: 20_000,
  invalidatedBy: ['auth.session.ended.v1', 'auth.session.changed.v1'],
  staleness: 'max-staleness',
  ownWrites:
    'before the response; changes of users and of their roles within a second, since auth handles them as events',
  whileAway:
    'Redis: used until the maximum age, then 503; refreshed in the last quarter of that age. Sessions that do not exist are not cached',
});

export interface SessionCacheOptions {
  readonly sessions: Pick<SessionStore, 'load'>;
  /** `svc.cache.max-staleness` */
  readonly maxStalenessMs: number;
  readonly clock: Clock;
}

/**
 * Sessions for services that read one with every request. An entry is dropped when the session ends or changes;
 * sessions that do not exist are not cached.
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
