import type { Model } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { formatTable } from '../administration/format-table.ts';
import type { Person } from './find-person.ts';

/** Data that stays after an erasure, and why. */
export interface Remaining {
  readonly what: string;
  readonly reason: string;
}

/** Data that is outside of the tables of the platform, that has no values, or that no declaration covers. */
const OUTSIDE: readonly Remaining[] = [
  {
    what: 'ids of the instances',
    reason: 'references, the history and the access log need them; they say nothing alone',
  },
  { what: 'reasons of changes, and attributes that are not personal', reason: 'texts of users are not searched' },
  { what: 'dynamic attributes', reason: 'they cannot be declared as personal' },
  {
    what: 'security events, and the names of users as authors of changes',
    reason: 'an audit needs them; no other user gets the name',
  },
  {
    what: 'documents of reports, also by SQL data sets',
    reason: 'they are not searched; a run is removed after its retention',
  },
  {
    what: 'events, webhook deliveries and dead letters',
    reason: 'they have ids and names of attributes, and no values',
  },
  {
    what: 'mails in the log (sys_Mail, sys_SuppressedAddress), which name addresses and no instances',
    reason: 'delete the entries of an address by the API; the log is removed after a year',
  },
  {
    what: 'texts of notifications of other users',
    reason: 'they are removed after 90 days; the notifications of the person end with the user',
  },
  {
    what: 'receivers of reports on a schedule (sys_ReportDelivery)',
    reason: 'they are addresses that a user has chosen; delete them by the API',
  },
  {
    what: 'what webhooks and subscribers have read',
    reason: 'it is in other systems; the erasure is published as a change',
  },
  { what: 'backups, logs of the database, and free pages until VACUUM', reason: 'they are outside of its tables' },
  { what: 'copies by SQL of others, and external search indexes', reason: 'the platform does not know them' },
];

/** Runs of jobs `j` with one of the patterns in their parameters or results. */
export const JOBS_NAMING = 'job.job j WHERE j.data::text LIKE ANY ($1::text[]) OR j.output::text LIKE ANY ($1::text[])';

/** Patterns of texts that have a key of an instance; short keys would match anything. */
export const patternsOf = (instances: Person['instances']): readonly string[] =>
  instances
    .flatMap((each) => [...each.keys].map((key) => String(JSON.parse(key)[0])))
    .filter((key) => key.length > 8)
    .map((key) => `%${key.replaceAll(/[\\%_]/g, '\\$&')}%`);

/** Lists what an erasure leaves, with what is special for this person first. */
export async function remainingOf(
  model: Model,
  { instances }: Person,
  database: StatementRunner,
): Promise<readonly Remaining[]> {
  const unrecorded = instances
    .filter(({ node }) => !isRecorded(model, node.entity.name))
    .map(({ node }) => node.entity.name);
  const text = `SELECT (SELECT count(*) FROM report.report_execution WHERE params LIKE ANY ($1::text[]))::int AS reports,
  (SELECT count(*) FROM ${JOBS_NAMING})::int AS jobs`;
  const [found] = await database.query<{ readonly reports: number; readonly jobs: number }>({
    text,
    values: [patternsOf(instances)],
  });
  const { reports = 0, jobs = 0 } = found ?? {};
  return [
    ...(reports === 0
      ? []
      : [{ what: `${reports} reports that ran for these instances`, reason: 'their documents are not searched' }]),
    {
      what: `parameters and results of jobs${jobs === 0 ? '' : `: ${jobs} name these instances`}`,
      reason: 'texts of the application are not changed; a run is removed after its retention',
    },
    ...(unrecorded.length === 0
      ? []
      : [
          { what: `former values of ${unrecorded.join(', ')}`, reason: 'they have no history, so there are none here' },
        ]),
    ...OUTSIDE,
  ];
}

const isRecorded = ({ entities }: Model, name: string): boolean => entities.get(name)?.history !== undefined;

/** The list as text. */
export const describeRemaining = (remaining: readonly Remaining[]): string =>
  formatTable(
    ['Stays', 'Because'],
    remaining.map(({ what, reason }) => [what, reason]),
  );
