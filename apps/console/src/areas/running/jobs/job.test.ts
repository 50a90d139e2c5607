import { canRun, intervalOf, type JobRun, mayManageJob } from './job.ts';

test.each([
  ['created', '2026-11-30T02:00:00.000Z', 2_000],
  ['retry', '2026-11-30T02:00:01.000Z', 30_000],
  ['active', '2026-11-29T00:00:00.000Z', 2_000],
  ['failed', '2026-11-29T00:00:00.000Z', 30_000],
] as const)('a run that is %s and due at %s is read again after %i ms', (state, runAt, expected) => {
  const page = { runs: [{ state, runAt } as JobRun], next: null };
  expect(intervalOf(page, Date.parse('2026-11-30T02:00:00Z'))).toBe(expected);
});

test.each([
  [['jobs.manage'], [true, true]],
  [
    ['jobs.manage.nightly', 'jobs.read'],
    [true, false],
  ],
  [['jobs.read'], [false, false]],
])('with %j the jobs nightly and monthly may be managed: %j', (granted, expected) => {
  const rights = { has: (name: string) => granted.includes(name) };
  expect(['nightly', 'monthly'].map((job) => mayManageJob(rights, job))).toEqual(expected);
});

test("operators run jobs of the application, not the platform's own", () => {
  expect(['nightly', 'lintel.mail'].map((name) => canRun({ name }))).toEqual([true, false]);
});
