import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@lintel/testkit';
import type { KeyValueStore } from '../src/index.ts';

/** The contract of every adapter of the key-value store. Each test has an empty store of its own. */
export function describeKeyValueStoreContract(name: string, create: () => Promise<KeyValueStore>): void {
  describe(name, () => {
    let store: KeyValueStore;
    beforeEach(async () => {
      store = await create();
    });
    afterEach(() => store.close());

    test('a value is read back until it is deleted', async () => {
      await store.set('a', 'äöü "1" \n', 100_000);
      await store.set('b', '', 100_000);
      expect(await store.get('a')).toBe('äöü "1" \n');
      expect(await store.get('b')).toBe('');
      expect(await store.get('c')).toBeUndefined();
      await store.delete('a', 'b', 'c');
      expect(await store.get('a')).toBeUndefined();
      expect(await store.get('b')).toBeUndefined();
      await store.delete();
    });

    test('a value ends after its time, and writing it again renews it', async () => {
      await store.set('short', '1', 40);
      await store.set('renewed', '1', 40);
      await store.set('renewed', '2', 100_000);
      await sleep(80);
      expect(await store.get('short')).toBeUndefined();
      expect(await store.get('renewed')).toBe('2');
    });

    test('a counter counts from one and ends after its first increment, not its last', async () => {
      for (const count of [1, 2, 3]) expect(await store.increment('long', 100_000)).toBe(count);
      await store.increment('short', 1_000);
      // Were each increment a new beginning, it would never end.
      await eventually(async () => expect(await store.increment('short', 1_000)).toBe(1));
    });

    test('increments that come together are all counted', async () => {
      const counts = await Promise.all(Array.from({ length: 20 }, () => store.increment('n', 100_000)));
      expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    });

    test('a set holds each member once until it is removed', async () => {
      expect(await store.membersOf('s')).toEqual([]);
      for (const member of ['a', 'b', 'a']) await store.addToSet('s', member, 100_000);
      expect((await store.membersOf('s')).toSorted()).toEqual(['a', 'b']);
      await store.removeFromSet('s', 'a');
      await store.removeFromSet('s', 'unknown');
      await store.removeFromSet('unknown', 'a');
      expect(await store.membersOf('s')).toEqual(['b']);
      await store.delete('s');
      expect(await store.membersOf('s')).toEqual([]);
    });

    test('many keys are read and deleted at once, many members removed', async () => {
      const keys = Array.from({ length: 1_200 }, (_, at) => `many ${at}`);
      await Promise.all(keys.map((key) => store.set(key, key, 100_000)));
      await Promise.all(keys.map((key) => store.addToSet('many', key, 100_000)));
      expect(await store.getMany(['unknown', ...keys])).toEqual([undefined, ...keys]);
      expect(await store.getMany([])).toEqual([]);
      await store.delete(...keys.slice(1));
      await store.removeFromSet('many', ...keys.slice(1));
      await store.removeFromSet('many');
      expect(await store.getMany(keys.slice(0, 2))).toEqual([keys[0], undefined]);
      expect(await store.membersOf('many')).toEqual([keys[0]]);
    });

    test('adding to a set prolongs its life and never shortens it', async () => {
      let key = 'grown';
      for (let startedMs = Number.NEGATIVE_INFINITY; performance.now() - startedMs > 1_000; ) {
        // A machine that stands still lets the set end before the next command: then with another set.
        key += '-again';
        startedMs = performance.now();
        await store.addToSet(key, 'a', 1_000);
        await store.addToSet(key, 'b', 100_000);
      }
      await store.addToSet(key, 'c', 40);
      await store.addToSet('short', 'a', 40);
      await sleep(1_100);
      expect((await store.membersOf(key)).toSorted()).toEqual(['a', 'b', 'c']);
      expect(await store.membersOf('short')).toEqual([]);
    });

    test('a bounded list keeps the members that end last, and the new one', async () => {
      const add = (member: string, ttlMs = 100_000, max = 3) => store.addToBoundedList('b', member, ttlMs, max);
      expect([await add('a', 200_000), await add('b', 100_000), await add('c', 300_000)]).toEqual([[], [], []]);
      expect(await add('d', 1)).toEqual(['b']);
      await sleep(20);
      // Neither expired nor removed members count.
      expect(await add('e', 400_000)).toEqual([]);
      await store.removeFromBoundedList('b', 'e');
      await store.removeFromBoundedList('unknown', 'e');
      expect(await add('f', 50_000)).toEqual([]);
      expect(await add('g', 50_000, 1)).toEqual(['f', 'a', 'c']);
      await store.delete('b');
      expect(await add('h', 50_000, 1)).toEqual([]);
    });

    test('the store is ready', async () => {
      await expect(store.assertReady()).resolves.toBeUndefined();
    });
  });
}
