import { createBatches } from './create-batches.ts';

test('keys that are asked for during a search are found by one more', async () => {
  const searches: (readonly string[])[] = [];
  const find = createBatches(async (keys) => {
    searches.push([...keys]);
    await new Promise(setImmediate);
    return new Map([...keys].filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
  });
  const first = [find('a'), find('b'), find('a')];
  await new Promise(setImmediate);
  const second = ['c', 'none', 'a'].map(find);
  expect(await Promise.all([...first, ...second])).toEqual(['A', 'B', 'A', 'C', undefined, 'A']);
  expect(searches).toEqual([
    ['a', 'b'],
    ['c', 'none', 'a'],
  ]);
});

test('a search that fails rejects for its keys only', async () => {
  let searches = 0;
  const find = createBatches(async (keys) => {
    searches += 1;
    if (searches === 1) throw new Error('broker');
    return new Map([...keys].map((key) => [key, searches]));
  });
  await expect(Promise.all([find('a'), find('b')])).rejects.toThrow('broker');
  expect(await find('a')).toBe(2);
});
