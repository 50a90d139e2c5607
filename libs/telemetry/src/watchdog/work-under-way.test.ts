import { beginWork, countWork, endWork, suspectedWork, type Work } from './work-under-way.ts';

/** Younger than the work of other tests of the process, which may be under way. */
const workOf = (name: string, startedAtMs: number): Work => ({
  startedAtMs: 1e12 + startedAtMs,
  describe: () => ({ name }),
});
const suspects = (sinceMs: number): readonly unknown[] =>
  suspectedWork(sinceMs, 100)
    .map(({ shape }) => shape['name'])
    .filter((name) => name === 'a' || name === 'b');

test('work is suspected until it ends; the work that ended last, until the next block', () => {
  const before = countWork();
  const [a, b] = ['a', 'b'].map((name, at) => beginWork(workOf(name, at))) as [never, never];
  expect(suspects(50)).toEqual(['b', 'a']);
  endWork(a, 60);
  expect([suspects(50), suspects(70)]).toEqual([['b', 'a'], ['b']]);
  // It has ended before.
  endWork(a, 80);
  expect(suspects(70)).toEqual(['b']);
  endWork(b, 90);
  expect([suspects(95), countWork() - before]).toEqual([[], 0]);
});
