import { jobProblems } from './check-jobs.ts';
import { type JobOptions, job } from './job.ts';

const ROLES = { resourceRoles: new Map([['clerk', {}]]), rowRoles: new Map() } as unknown as Parameters<
  typeof jobProblems
>[1];
const problemsOf = (options: JobOptions, name = 'a') => jobProblems([job(name, options, () => {})], ROLES);

// Asserts contract/jobs.md#declaration.
test('a job with all its options is valid', () => {
  const schedule = { schedule: '0 2 * * 1-5', timeZone: 'Europe/Berlin', missed: 'skip' } as const;
  expect(problemsOf({ as: 'ada', ...schedule, overlap: true, timeout: 60, retries: 0 })).toEqual([]);
  expect(problemsOf({ as: { resourceRoles: ['clerk'] }, ...schedule, missed: 'all' })).toEqual([]);
});

// Asserts contract/jobs.md#declaration.
test.each<[JobOptions, string]>([
  [{ as: '' }, 'as: it needs the name of a user, or roles'],
  [{ as: { resourceRoles: ['clerks'] } }, 'as: there is no role clerks; did you mean clerk?'],
  [{ as: { resourceRoles: [], rowLevelRoles: ['x'] } }, 'as: there is no row-level role x'],
  [
    { as: 'a', schedule: '0 2 * *' },
    "schedule: '0 2 * *' is not five fields (minute, hour, day, month, weekday) with one blank between them",
  ],
  [{ as: 'a', missed: 'once' }, 'timeZone and missed need a schedule'],
  [{ as: 'a', schedule: '0 2 * * *', timeZone: 'Berlin' }, 'timeZone: there is no time zone Berlin'],
  [{ as: 'a', timeout: 0 }, 'timeout: it must be 1 to 86,400 whole seconds'],
  [{ as: 'a', retries: 1.5 }, 'retries: it must be a whole number from 0 to 20'],
])('%j is refused with a sentence', (options, problem) => {
  expect(problemsOf(options)).toEqual([`Job a: ${problem}`]);
});

// Asserts contract/jobs.md#declaration.
test('names are lower-case words, and each job has its own', () => {
  expect(problemsOf({ as: 'a' }, 'A b')[0]).toContain('Job A b: its name must be lower-case letters');
  const twice = job('a', { as: 'x' }, () => {});
  expect(jobProblems([twice, twice], ROLES)).toEqual(['Job a: another job has this name']);
});
