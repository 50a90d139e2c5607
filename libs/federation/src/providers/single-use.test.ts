import { createMemoryStore } from '@lintel/cache';
import { createSingleUse } from './single-use.ts';

const singleUse = createSingleUse(createMemoryStore({ clock: { now: () => 0 } }));

test('of several attempts with a value, also at the same time, one does the work', async () => {
  let done = 0;
  const work = async () => {
    done += 1;
  };
  const attempts = await Promise.all([1, 2, 3].map(() => singleUse.runOnce('logout a', 'id-1', work)));
  expect([attempts.toSorted(), await singleUse.runOnce('logout a', 'id-1', work), done]).toEqual([
    [false, false, true],
    false,
    1,
  ]);
  expect(await singleUse.runOnce('logout b', 'id-1', work)).toBe(true);
});

test('after work that failed the value may be used again', async () => {
  const failure = new Error('the store is away');
  await expect(singleUse.runOnce('logout a', 'id-2', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await singleUse.runOnce('logout a', 'id-2', async () => undefined)).toBe(true);
});
