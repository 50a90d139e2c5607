import type { Envelope, EventType, Session } from '@lintel/contracts';
import { createSessionCache } from './create-session-cache.ts';

const sessionOf = (id: string): Session => ({
  id,
  username: id,
  userId: null,
  clientId: 'client',
  kind: 'user',
  resourceRoles: [],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  createdAt: '2026-11-21T00:00:00Z',
});
const event = (type: EventType, data: unknown): Envelope => ({
  specversion: '1.0',
  id: '1',
  source: '/lintel/auth',
  type,
  time: '2026-11-21T00:00:00Z',
  datacontenttype: 'application/json',
  data,
});

describe('the session cache', () => {
  const loaded: string[] = [];
  const cache = createSessionCache({
    sessions: {
      async load(id) {
        loaded.push(id);
        return id === 'missing' ? undefined : sessionOf(id);
      },
    },
    maxStalenessMs: 60_000,
    clock: { now: () => 0 },
  });
  beforeEach(async () => {
    cache.dropAll();
    await Promise.all([cache.get('a'), cache.get('b')]);
    loaded.length = 0;
  });
  const readBoth = async () => {
    await cache.get('a');
    await cache.get('b');
    return loaded;
  };

  test.each(['auth.session.ended.v1', 'auth.session.changed.v1'] as const)(
    'loads a session again after %s of it, and no other',
    async (type) => {
      cache.handleEvent(event(type, { sessionId: 'a', username: 'a' }));
      expect(await readBoth()).toEqual(['a']);
    },
  );

  test('loads all sessions again that ended together', async () => {
    cache.handleEvent(event('auth.session.ended.v1', { sessionId: 'b', username: 'a', sessionIds: ['b', 'a'] }));
    expect(await readBoth()).toEqual(['a', 'b']);
  });

  test('loads all again after an event it cannot read', async () => {
    cache.handleEvent(event('auth.session.ended.v1', {}));
    expect(await readBoth()).toEqual(['a', 'b']);
  });

  test('asks for a missing session every time', async () => {
    await cache.get('missing');
    await cache.get('missing');
    expect(loaded).toEqual(['missing', 'missing']);
  });
});
