import { createMemoryStore, type KeyValueStore } from '@lintel/cache';
import { monotonicClock } from '@lintel/timing';
import { createRemoteStore, runCall } from './store-calls.ts';

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function connected(store: KeyValueStore): KeyValueStore {
  const remote = createRemoteStore((call) => {
    void runCall(store, throughJson(call)).then((result) => remote.receive(throughJson(result)));
  });
  return remote.store;
}

test('every operation has the result of the store', async () => {
  const store = connected(createMemoryStore({ clock: monotonicClock }));
  await store.set('a', '1', 10_000);
  expect(await store.get('a')).toBe('1');
  expect(await store.get('b')).toBeUndefined();
  expect(await store.getMany(['b', 'a'])).toEqual([undefined, '1']);
  expect(await Promise.all([store.increment('n', 10_000), store.increment('n', 10_000)])).toEqual([1, 2]);
  await store.addToSet('s', 'x', 10_000);
  await store.addToSet('s', 'y', 10_000);
  await store.removeFromSet('s', 'x');
  expect(await store.membersOf('s')).toEqual(['y']);
  expect(await store.addToBoundedList('l', 'x', 10_000, 1)).toEqual([]);
  expect(await store.addToBoundedList('l', 'y', 10_000, 1)).toEqual(['x']);
  await store.removeFromBoundedList('l', 'y');
  await store.delete('a');
  expect(await store.get('a')).toBeUndefined();
  await store.assertReady();
});

test('the keys outlive a worker, and an error is that of the call', async () => {
  const own = createMemoryStore({ clock: monotonicClock });
  const first = connected(own);
  await first.set('a', '1', 10_000);
  await first.close();
  expect(await connected(own).get('a')).toBe('1');
  const broken = { get: () => Promise.reject(new Error('lost')) } as unknown as KeyValueStore;
  await expect(connected(broken).get('a')).rejects.toThrow('lost');
});
