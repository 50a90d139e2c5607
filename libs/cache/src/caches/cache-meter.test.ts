import { startMetrics } from '@lintel/telemetry';
import { userChanged } from '../../test/envelopes.ts';
import { attachInvalidation } from './attach-invalidation.ts';
import { type CacheFacts, declareCache } from './cache-declaration.ts';
import { createCache } from './create-cache.ts';
import { createMemo } from './create-memo.ts';

const facts: Omit<CacheFacts, 'name'> = {
  holds: 'texts',
  where: ['data'],
  keyedBy: 'text',
  maxEntries: 10,
  invalidatedBy: ['data.user.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'later',
  whileAway: 'nothing',
};

test('every cache reports the same metrics under its name', async () => {
  let nowMs = 0;
  const users = createCache<string, string>({
    declaration: declareCache({ ...facts, name: 'test-metered-users' }),
    load: async (key) => key,
    maxStalenessMs: 60_000,
    clock: { now: () => nowMs },
  });
  const plans = createMemo<string, string>(
    declareCache({ ...facts, name: 'test-metered-plans', invalidatedBy: [], staleness: 'of its versions' }),
  );
  const running = await startMetrics('test');
  let deliver: ((event: ReturnType<typeof userChanged>) => Promise<void>) | undefined;
  const bus = {
    async subscribe(options: { handle: NonNullable<typeof deliver> }) {
      deliver = options.handle;
      return { close: async () => {} };
    },
    publish: async () => {},
    onConnection() {},
    isConnected: () => true,
  };
  plans.get('a', () => 'A');
  await attachInvalidation(bus, 'data', [users, plans], { metrics: running.metrics });
  for (const key of ['a', 'a', 'b']) await users.get(key);
  await deliver?.(userChanged('a'));
  await users.get('c');
  nowMs += 2_500;
  const lines = (await running.render()).split('\n').filter((line) => /^lintel_cache_/.test(line));
  await running.close();
  expect(lines.toSorted()).toEqual([
    'lintel_cache_age_seconds{cache="test-metered-users"} 2.5',
    'lintel_cache_entries{cache="test-metered-plans"} 1',
    'lintel_cache_entries{cache="test-metered-users"} 1',
    'lintel_cache_evictions_total{cache="test-metered-plans"} 0',
    'lintel_cache_evictions_total{cache="test-metered-users"} 2',
    'lintel_cache_hits_total{cache="test-metered-plans"} 0',
    'lintel_cache_hits_total{cache="test-metered-users"} 1',
    'lintel_cache_invalidations_total{cache="test-metered-users",event="connection"} 1',
    'lintel_cache_invalidations_total{cache="test-metered-users",event="data.user.changed.v1"} 1',
    'lintel_cache_misses_total{cache="test-metered-plans"} 1',
    'lintel_cache_misses_total{cache="test-metered-users"} 3',
  ]);
});
