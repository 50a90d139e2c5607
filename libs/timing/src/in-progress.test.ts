import { InProgress } from './in-progress.ts';

const sorted = (items: Iterable<string>): readonly string[] => [...items].sort();

test('items are in progress until they end, in any order', () => {
  const progress = new InProgress<string>();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((item) => progress.begin(item)) as [never, never, never, never];
  const left = [b, d, a, c].map((entry) => {
    progress.end(entry);
    return [progress.size, ...sorted(progress)];
  });
  expect(left).toEqual([[3, 'a', 'c', 'd'], [2, 'a', 'c'], [1, 'c'], [0]]);
});

test('an item that has ended does not end another one', () => {
  const progress = new InProgress<string>();
  const first = progress.begin('first');
  expect(progress.end(first)).toBe(true);
  progress.begin('second');
  expect(progress.end(first)).toBe(false);
  expect([...progress]).toEqual(['second']);
});

test('equal items are in progress independently', () => {
  const progress = new InProgress<string>();
  const [first] = [progress.begin('same'), progress.begin('same')];
  progress.end(first);
  expect([...progress]).toEqual(['same']);
});

test('items may end while they are iterated', () => {
  const progress = new InProgress<string>();
  const entries = new Map(['a', 'b', 'c'].map((item) => [item, progress.begin(item)]));
  const seen: string[] = [];
  for (const item of progress) {
    seen.push(item);
    const entry = entries.get(item);
    if (entry !== undefined) progress.end(entry);
  }
  expect([seen, progress.size]).toEqual([['a', 'b', 'c'], 0]);
});
