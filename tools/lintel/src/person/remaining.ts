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
  { what: 'parameters and results of jobs', reason: 'texts of the application are not searched' },
  { what: 'documents of reports', reason: 'they are not searched; a run is removed after its retention' },
  {
    what: 'events, webhook deliveries and dead letters',
    reason: 'they have ids and names of attributes, and no values',
  },
  {
    what: 'what webhooks and subscribers have read',
    reason: 'it is in other systems; the erasure is published as a change',
  },
  { what: 'backups, logs of the database, and free pages until VACUUM', reason: 'they are outside of its tables' },
  { what: 'copies by SQL of others, and external search indexes', reason: 'the platform does not know them' },
];

/** Lists what an erasure leaves, with what is special for this person first. */
export async function remainingOf(
  model: Model,
  { instances }: Person,
  database: StatementRunner,
): Promise<readonly Remaining[]> {
  const unrecorded = instances
    .filter(({ node }) => !isRecorded(model, node.entity.name))
    .map(({ node }) => node.entity.name);
  const keys = instances.flatMap((each) => [...each.keys].map((key) => String(JSON.parse(key)[0])));
  const text = 'SELECT count(*)::int AS rows FROM report.report_execution WHERE params LIKE ANY ($1::text[])';
  const patterns = keys.filter((key) => key.length > 8).map((key) => `%${key.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const [{ rows } = { rows: 0 }] = await database.query<{ readonly rows: number }>({ text, values: [patterns] });
  return [
    ...(rows === 0
      ? []
      : [{ what: `${rows} reports that ran for these instances`, reason: 'their documents are not searched' }]),
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
