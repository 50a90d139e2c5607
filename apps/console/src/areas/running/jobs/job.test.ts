import { intervalOf, type JobRun } from './job.ts';

test.each([
  ['created', '2026-11-30T02:00:00.000Z', 2_000],
  ['retry', '2026-11-30T02:00:01.000Z', 30_000],
  ['active', '2026-11-29T00:00:00.000Z', 2_000],
  ['failed', '2026-11-29T00:00:00.000Z', 30_000],
] as const)('a run that is %s and due at %s is read again after %i ms', (state, runAt, expected) => {
  const page = { runs: [{ state, runAt } as JobRun], next: null };
  expect(intervalOf(page, Date.parse('2026-11-30T02:00:00Z'))).toBe(expected);
});
