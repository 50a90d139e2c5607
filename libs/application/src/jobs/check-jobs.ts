import { suggestion } from '@lintel/errors';
import type { JobAuthor, JobDefinition, JobOptions } from './job.ts';

/** The roles that jobs and handlers may name. */
export type DefinedRoles = Readonly<Record<'resourceRoles' | 'rowRoles', ReadonlyMap<string, unknown>>>;

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const FIVE_FIELDS = /^\S+( \S+){4}$/;
const MAX_TIMEOUT_SECONDS = 86_400;
/** Of a job or a handler. */
export const MAX_RETRIES = 20;

/** Problems of the declared jobs: one sentence each. The data service reads the schedules themselves. */
export const jobProblems = (jobs: readonly JobDefinition[], roles: DefinedRoles): readonly string[] =>
  jobs.flatMap(({ name, options }, at) => {
    const own = NAME.test(name)
      ? optionProblems(options, roles)
      : [`its name must be lower-case letters, digits and hyphens (at most 63), and begin with a letter`];
    const isRepeated = jobs.slice(0, at).some((earlier) => earlier.name === name);
    return [...(isRepeated ? ['another job has this name'] : []), ...own].map((text) => `Job ${name}: ${text}`);
  });

/** Problems of the user or the roles with whose rights something runs. */
export function authorProblems(as: JobAuthor, { resourceRoles, rowRoles }: DefinedRoles): readonly string[] {
  const codes = typeof as === 'string' ? undefined : as;
  const unknown = (kind: string, named: readonly string[] = [], known: ReadonlyMap<string, unknown>) =>
    named
      .filter((code) => !known.has(code))
      .map((code) => `as: there is no ${kind} ${code}${suggestion(code, known.keys())}`);
  return [
    ...(as === '' ? ['as: it needs the name of a user, or roles'] : []),
    ...unknown('role', codes?.resourceRoles, resourceRoles),
    ...unknown('row-level role', codes?.rowLevelRoles, rowRoles),
  ];
}

function optionProblems(options: JobOptions, roles: DefinedRoles): readonly string[] {
  const { as, schedule, timeZone, missed, timeout = 1, retries = 0 } = options;
  return [
    ...authorProblems(as, roles),
    ...(schedule !== undefined && !FIVE_FIELDS.test(schedule)
      ? [`schedule: '${schedule}' is not five fields (minute, hour, day, month, weekday) with one blank between them`]
      : []),
    ...(schedule === undefined && (timeZone !== undefined || missed !== undefined)
      ? ['timeZone and missed need a schedule']
      : []),
    ...(timeZone !== undefined && !isTimeZone(timeZone) ? [`timeZone: there is no time zone ${timeZone}`] : []),
    ...(isWithin(timeout, 1, MAX_TIMEOUT_SECONDS) ? [] : ['timeout: it must be 1 to 86,400 whole seconds']),
    ...(isWithin(retries, 0, MAX_RETRIES) ? [] : [`retries: it must be a whole number from 0 to ${MAX_RETRIES}`]),
  ];
}

/** Whether it is a whole number within the bounds. */
export const isWithin = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
