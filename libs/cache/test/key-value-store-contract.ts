import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyValueStore } from '../src/index.ts';

/** What every adapter of the key-value store promises. Each test has a store of its own, empty at first. */
export function describeKeyValueStoreContract(name: string, create: () => Promise<KeyValueStore>): void {
  describe(name, () => {
    let store: KeyValueStore;
    beforeEach(async () => {
      store = await create();
    });
    afterEach(() => store.close());

    test('a value is read back until it is deleted', async () => {
      await store.set('a', 'äöü "1" \n', 10_000);
      await store.set('b', '', 10_000);
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
      await store.set('renewed', '2', 10_000);
      await sleep(80);
      expect(await store.get('short')).toBeUndefined();
      expect(await store.get('renewed')).toBe('2');
    });

    test('a counter counts from one and ends after its first increment, not its last', async () => {
      expect(await store.increment('n', 1_000)).toBe(1);
      await sleep(300);
      expect(await store.increment('n', 1_000)).toBe(2);
      await sleep(800);
      expect(await store.increment('n', 1_000)).toBe(1);
    });

    test('increments that come together are all counted', async () => {
      const counts = await Promise.all(Array.from({ length: 20 }, () => store.increment('n', 10_000)));
      expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    });

    test('a set holds each member once until it is removed', async () => {
      expect(await store.membersOf('s')).toEqual([]);
      for (const member of ['a', 'b', 'a']) await store.addToSet('s', member, 10_000);
      expect((await store.membersOf('s')).toSorted()).toEqual(['a', 'b']);
      await store.removeFromSet('s', 'a');
      await store.removeFromSet('s', 'unknown');
      await store.removeFromSet('unknown', 'a');
      expect(await store.membersOf('s')).toEqual(['b']);
      await store.delete('s');
      expect(await store.membersOf('s')).toEqual([]);
    });

    test('adding to a set prolongs its life and never shortens it', async () => {
      // Longer than a busy machine takes for the next command.
      await store.addToSet('grown', 'a', 1_000);
      await store.addToSet('grown', 'b', 10_000);
      await store.addToSet('grown', 'c', 40);
      await store.addToSet('short', 'a', 40);
      await sleep(1_100);
      expect((await store.membersOf('grown')).toSorted()).toEqual(['a', 'b', 'c']);
      expect(await store.membersOf('short')).toEqual([]);
    });

    test('the store is ready', async () => {
      expect(await store.isReady()).toBe(true);
    });
  });
}
