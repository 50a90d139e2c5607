import type { Envelope } from '@lintel/contracts';
import { userChanged } from '../../test/envelopes.ts';
import { attachInvalidation, type InvalidationBus } from './attach-invalidation.ts';
import { declareCache } from './cache-declaration.ts';
import { createCache } from './create-cache.ts';

/** A bus that the test speaks through. */
class FakeBus implements InvalidationBus {
  connected = true;
  closed = false;
  options: Parameters<InvalidationBus['subscribe']>[0] | undefined;
  private readonly listeners: ((state: 'connected' | 'disconnected') => void)[] = [];

  async publish(): Promise<void> {}

  async subscribe(options: Parameters<InvalidationBus['subscribe']>[0]): Promise<{ close(): Promise<void> }> {
    this.options = options;
    return {
      close: async () => {
        this.closed = true;
      },
    };
  }

  onConnection(listener: (state: 'connected' | 'disconnected') => void): void {
    this.listeners.push(listener);
  }

  isConnected(): boolean {
    return this.connected;
  }

  change(state: 'connected' | 'disconnected'): void {
    this.connected = state === 'connected';
    for (const listener of this.listeners) listener(state);
  }

  deliver(event: Envelope): Promise<void> | undefined {
    return this.options?.handle(event);
  }
}

const TEST = declareCache({
  name: 'test-invalidated',
  holds: 'texts',
  where: ['data'],
  keyedBy: 'text',
  maxEntries: 10,
  invalidatedBy: ['data.user.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'later',
  whileAway: '',
});

const makeCache = (clock = { now: () => 0 }) =>
  createCache<string, string>({
    declaration: TEST,
    load: async (key) => key,
    maxStalenessMs: 60_000,
    clock,
    evict: (event) => [event.subject ?? ''],
  });

test('all caches share one replica queue with the types of all of them', async () => {
  const bus = new FakeBus();
  await attachInvalidation(bus, 'data', [makeCache(), makeCache()]);
  expect(bus.options).toMatchObject({ queue: { kind: 'replica', service: 'data' }, types: ['data.user.changed.v1'] });
});

test('an event evicts from every cache that it concerns', async () => {
  const bus = new FakeBus();
  const caches = [makeCache(), makeCache()];
  await attachInvalidation(bus, 'data', caches);
  for (const cache of caches) for (const key of ['clerk', 'admin']) await cache.get(key);
  await bus.deliver(userChanged('clerk'));
  expect(caches.map((cache) => cache.statistics().entries)).toEqual([1, 1]);
});

test('everything is dropped when the connection is back, and when the queue is first made', async () => {
  const bus = new FakeBus();
  const cache = makeCache();
  await cache.get('early');
  await attachInvalidation(bus, 'data', [cache]);
  expect(cache.statistics().entries).toBe(0);
  await cache.get('clerk');
  bus.change('disconnected');
  expect(cache.statistics().entries).toBe(1);
  bus.change('connected');
  expect(cache.statistics().entries).toBe(0);
});

test('entries live shorter from the loss of the connection to its return', async () => {
  const bus = new FakeBus();
  let nowMs = 0;
  const cache = makeCache({ now: () => nowMs });
  const closing = await attachInvalidation(bus, 'data', [cache]);
  const missesAfter = async (ms: number): Promise<number> => {
    await cache.get('clerk');
    const before = cache.statistics().misses;
    nowMs += ms;
    await cache.get('clerk');
    return cache.statistics().misses - before;
  };
  expect(await missesAfter(5_000)).toBe(0);
  bus.change('disconnected');
  expect(await missesAfter(5_000)).toBe(1);
  bus.change('connected');
  expect(await missesAfter(5_000)).toBe(0);
  await closing.close();
  expect(bus.closed).toBe(true);
  expect(await missesAfter(5_000)).toBe(1);
});

test('a cache that fails at an event drops all it holds, and the others hear of the event', async () => {
  const bus = new FakeBus();
  const broken = createCache<string, string>({
    declaration: TEST,
    load: async (key) => key,
    maxStalenessMs: 60_000,
    clock: { now: () => 0 },
    evict: () => {
      throw new Error('failed on purpose');
    },
  });
  const caches = [broken, makeCache()];
  await attachInvalidation(bus, 'data', caches);
  for (const cache of caches) for (const key of ['clerk', 'admin']) await cache.get(key);
  // The bus catches it, writes it to the log and delivers the event again.
  await expect(bus.deliver(userChanged('clerk'))).rejects.toThrow('failed on purpose');
  expect(caches.map((cache) => cache.statistics().entries)).toEqual([0, 1]);
});
