import { describeKeyValueStoreContract } from '../../test/key-value-store-contract.ts';
import { createMemoryStore } from './create-memory-store.ts';

describeKeyValueStoreContract('the memory store keeps the promises of the store', async () =>
  createMemoryStore({ clock: { now: () => Date.now() } }),
);

test('entries end by the clock that was given', async () => {
  let nowMs = 0;
  const store = createMemoryStore({ clock: { now: () => nowMs } });
  await store.set('a', '1', 1_000);
  nowMs = 999;
  expect(await store.get('a')).toBe('1');
  nowMs = 1_000;
  expect(await store.get('a')).toBeUndefined();
});
