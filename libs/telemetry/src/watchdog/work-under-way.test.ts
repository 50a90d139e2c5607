import { beginWork, countWork, endWork, suspectedWork, type Work } from './work-under-way.ts';

const workOf = (name: string, startedAtMs: number): Work => ({ startedAtMs, describe: () => ({ name }) });
const suspects = (sinceMs: number): readonly unknown[] => suspectedWork(sinceMs, 100).map(({ shape }) => shape['name']);

test('work is remembered until it ends, in whatever order', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name, at) => workOf(name, at)) as [Work, Work, Work, Work];
  for (const work of [a, b, c, d]) beginWork(work);
  expect(suspects(50)).toEqual(['d', 'c', 'b', 'a']);
  endWork(b, 10);
  expect(suspects(50)).toEqual(['d', 'c', 'a']);
  endWork(d, 20);
  expect(suspects(50)).toEqual(['c', 'a']);
  endWork(a, 30);
  expect(suspects(50)).toEqual(['c']);
  endWork(c, 40);
  expect([suspects(50), countWork()]).toEqual([[], 0]);
});

test('work that has ended is not ended again', () => {
  const [first, second] = [workOf('first', 1), workOf('second', 2)];
  beginWork(first);
  endWork(first, 10);
  beginWork(second);
  endWork(first, 20);
  expect(suspects(50)).toEqual(['second']);
  endWork(second, 30);
  expect(countWork()).toBe(0);
});
