import type { Session } from '@lintel/contracts';
import { eventually, startTcpProxy, testEnvironment, uniqueName } from '@lintel/testkit';
import { silentLogger } from '../../test/silent-logger.ts';
import { createRedisStore, createSessionCache, createSessionStore } from '../index.ts';

const MAX_STALENESS_MS = 60_000;

const session = (id: string): Session => ({
  id,
  username: 'clerk',
  userId: null,
  clientId: 'client',
  kind: 'user',
  resourceRoles: [],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  createdAt: '2026-11-21T10:00:00Z',
});

test('while Redis is away cached sessions go on for the staleness bound, then 503; others return 503 at once', async () => {
  const url = new URL(testEnvironment('LINTEL_TEST_REDIS_URL'));
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  const store = createRedisStore({
    address: { url: url.href },
    keyPrefix: `${uniqueName('outage')}:`,
    logger: silentLogger,
  });
  const sessions = createSessionStore(store);
  let nowMs = 0;
  const cache = createSessionCache({ sessions, maxStalenessMs: MAX_STALENESS_MS, clock: { now: () => nowMs } });
  cache.setConnected(true);
  const unavailable = { code: 'DATA_UNAVAILABLE', status: 503 };
  try {
    for (const id of ['known', 'other']) await sessions.save(session(id), 600_000);
    expect(await cache.get('known')).toEqual(session('known'));
    proxy.block();
    await eventually(() => expect(store.assertReady()).rejects.toThrow());
    nowMs = MAX_STALENESS_MS - 1;
    expect(await cache.get('known')).toEqual(session('known'));
    await expect(cache.get('other')).rejects.toMatchObject(unavailable);
    nowMs = MAX_STALENESS_MS;
    await expect(cache.get('known')).rejects.toMatchObject(unavailable);
    proxy.restore();
    // On a busy machine timers are late; unlimited delays between attempts would be far longer.
    await eventually(async () => expect(await cache.get('known')).toEqual(session('known')));
  } finally {
    await store.close();
    await proxy.close();
  }
});
