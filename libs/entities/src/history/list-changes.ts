import { setImmediate } from 'node:timers/promises';
import { columnsOf, type Entity, historyOf } from '@lintel/metadata';
import { compareStates, type InstanceChange } from './compare-states.ts';
import { entriesStatement, sourceOf } from './family-statement.ts';
import {
  type HistoryMoment,
  type HistoryReading,
  type HistorySubject,
  keyInEntries,
  readStates,
  stateOf,
  wholeHistory,
} from './read-states.ts';

/** A transaction that changed an instance or something that belongs to it, as the caller may see it. */
export interface HistoryChange extends InstanceChange {
  readonly change: string;
  /** UTC, with milliseconds. */
  readonly time: string;
  readonly user?: string;
  readonly client?: string;
  readonly session?: string;
  /** The service that acted for the user. */
  readonly service?: string;
  /** The login of the database, where no user of the API wrote. */
  readonly databaseUser?: string;
  readonly reason?: string;
  readonly trace?: string;
  /** Secret attributes that got another value. */
  readonly secrets?: readonly string[];
}

/** Which changes of an instance are listed. */
export interface HistoryFilter {
  readonly user?: string | undefined;
  /** Points in time; `from` is included, `to` is not. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly attribute?: string | undefined;
}

/** A page of changes, the newest first. */
export interface HistoryPage {
  readonly changes: readonly HistoryChange[];
  /** The entry before which the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

interface Row {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly time: string;
  readonly username: string | null;
  readonly client: string | null;
  readonly session: string | null;
  readonly service: string | null;
  readonly database: string;
  readonly reason: string | null;
  readonly trace: string | null;
  readonly secrets: readonly string[] | null;
}

/** Changes that are judged together: those that the caller may not see do not count. */
const JUDGED_TOGETHER = 50;
/** The same where all children are read. */
const WHOLE_TOGETHER = 5;
/** Statements of a page. */
const MAX_STATEMENTS = 20;
/** Changes after a page without visible ones that are searched for a visible state. */
const SEARCHED = 500;

/**
 * The changes of an instance that the caller may see, the newest first (contract/history.md#changes). Changes of which
 * the caller sees nothing are left out, and others follow.
 *
 * @param before the entry before which the page begins; the newest without it
 */
export async function listChanges(
  subject: HistorySubject,
  filter: HistoryFilter,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
  reading: HistoryReading,
): Promise<HistoryPage> {
  const changes: HistoryChange[] = [];
  let next = before;
  const whole = isRestricted(reading);
  const together = whole ? WHOLE_TOGETHER : Math.min(limit + WHOLE_TOGETHER, JUDGED_TOGETHER);
  for (let statements = 0; statements < MAX_STATEMENTS; statements += 1) {
    const rows = await rowsOf(subject, filter, { next, together }, reading);
    const shown = await judge(subject, rows, whole, reading);
    for (const [at, change] of shown.entries()) {
      next = rows[at]?.first ?? next;
      if (change === undefined || !isAbout(change, filter)) continue;
      changes.push(change);
      if (changes.length === limit) return { changes, next };
    }
    if (rows.length < together) return { changes, next: undefined };
  }
  return { changes, next: changes.length > 0 || !whole ? next : await nextShown(subject, filter, next, reading) };
}

/**
 * The position before the next change with a state that the caller may see; undefined without one, so that an instance
 * that is hidden from the caller has no next page, as one that does not exist.
 */
async function nextShown(
  subject: HistorySubject,
  filter: HistoryFilter,
  next: string | undefined,
  reading: HistoryReading,
): Promise<string | undefined> {
  const { entity, key } = subject;
  const rows = await rowsOf(subject, filter, { next, together: SEARCHED }, reading);
  const moments = rows.flatMap((row) => momentsOf({ ...row, key }));
  const plan = { ...wholeHistory(reading.model, entity), fetchPlan: '_instance_name' };
  const [first] = [...(await readStates(entity, moments, plan, reading)).keys()].sort((one, other) => one - other);
  return first === undefined ? undefined : (rows[Math.floor(first / 2) - 1]?.first ?? next);
}

/** The states before and after a change. */
const momentsOf = ({ first, last, key }: Pick<Row, 'first' | 'last'> & Pick<HistorySubject, 'key'>) => [
  { key, entry: String(BigInt(first) - 1n) },
  { key, entry: last },
];

/** Whether rows are hidden from the caller: policies may look at children that a change has not written. */
const isRestricted = ({ model, access: { read } }: HistoryReading): boolean =>
  [...model.entities.keys()].some((name) => {
    const { rows, predicates } = read.entity(name);
    return rows !== undefined || predicates.length > 0;
  });

const isAbout = ({ attributes, children = [], secrets = [] }: HistoryChange, { attribute }: HistoryFilter): boolean =>
  attribute === undefined ||
  secrets.includes(attribute) ||
  [...attributes, ...children].some((each) => each.attribute === attribute);

async function judge(
  subject: HistorySubject,
  rows: readonly Row[],
  whole: boolean,
  reading: HistoryReading,
): Promise<readonly (HistoryChange | undefined)[]> {
  if (rows.length === 0) return [];
  const { model } = reading;
  const { entity, key } = subject;
  const moments = rows.flatMap((row) =>
    momentsOf({ ...row, key }).map((moment) => (whole ? moment : { ...moment, change: row.id })),
  );
  const states = await statesAfter(entity, moments, reading);
  const changes: (HistoryChange | undefined)[] = [];
  for (const [at, row] of rows.entries()) {
    // States may be large: other requests are handled in between.
    if (at > 0) await setImmediate();
    const [before, after] = [2 * at, 2 * at + 1].map((moment) => stateOf(states.get(moment)));
    const change = compareStates(model, entity, before, after);
    const secrets = before === undefined && after === undefined ? [] : secretsOf(entity, row, reading);
    const isShown = change !== undefined || secrets.length > 0;
    const shown = change ?? { operation: 'updated' as const, attributes: [] };
    changes.push(isShown ? { ...describe(row), ...shown, ...(secrets.length > 0 && { secrets }) } : undefined);
  }
  return changes;
}

const describe = ({ id, time, username, client, session, service, database, reason, trace }: Row) => ({
  change: id,
  time,
  ...(username === null ? { databaseUser: database } : { user: username }),
  ...(client !== null && { client }),
  ...(session !== null && { session }),
  ...(service !== null && { service }),
  ...(reason !== null && { reason }),
  ...(trace !== null && { trace }),
});

/** Names of attributes with changed secret columns that the caller may view. */
function secretsOf(entity: Entity, { secrets }: Row, { model, access }: HistoryReading): readonly string[] {
  if (secrets === null) return [];
  return [...entity.attributes.values()].flatMap((attribute) => {
    const isChanged = columnsOf(model, attribute).some(({ name }) => secrets.includes(name));
    return isChanged && access.read.entity(entity.name).mayView(attribute.name) ? [attribute.name] : [];
  });
}

function rowsOf(
  { entity, key }: HistorySubject,
  { user, from, to }: HistoryFilter,
  { next, together }: { readonly next: string | undefined; readonly together: number },
  { model, runner, signal }: HistoryReading,
): Promise<readonly Row[]> {
  const node = historyOf(model, entity);
  const values: unknown[] = [...key];
  const parameter = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const conditions = [
    ...(user === undefined ? [] : [`c.username = ${parameter(user, 'text')}`]),
    ...(from === undefined ? [] : [`c.recorded_at >= ${parameter(from, 'timestamptz')}`]),
    ...(to === undefined ? [] : [`c.recorded_at < ${parameter(to, 'timestamptz')}`]),
    ...(next === undefined ? [] : [`a.last < ${parameter(next, 'bigint')}`]),
  ];
  const secrets = node.tables.filter(({ secret }) => secret.length > 0).map(sourceOf);
  const isSecret = `e.source = ANY (${parameter(secrets, 'text[]')})`;
  const text = entriesStatement(
    node,
    keyInEntries(model, entity),
    (entries) =>
      `SELECT c.id, a.first::text, a.last::text, ${TIME} AS "time", c.username, c.client_id AS client, c.session_id AS session,
  c.acting_service AS service, c.database_user AS database, c.reason, c.trace_id AS trace, a.secrets
FROM (SELECT e.change_id, e.recorded_at, min(e.id) AS first, max(e.id) AS last, array_agg(DISTINCT s.name) FILTER (WHERE s.name IS NOT NULL) AS secrets
  FROM ${entries} e LEFT JOIN LATERAL unnest(e.secrets) s(name) ON ${isSecret} GROUP BY e.change_id, e.recorded_at) a
JOIN history.change c ON c.recorded_at = a.recorded_at AND c.id = a.change_id${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}
ORDER BY a.last DESC LIMIT ${together}`,
  );
  return runner.query<Row>({ text, values }, signal);
}

const TIME = `to_char(c.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The states of instances with everything that belongs to them. */
export const statesAfter = (
  entity: Entity,
  moments: readonly HistoryMoment[],
  reading: HistoryReading,
): Promise<ReadonlyMap<number, string>> => readStates(entity, moments, wholeHistory(reading.model, entity), reading);

/** The last entry of an instance, and of what belongs to it, until a point in time; `0` if there was none. */
export async function entryAt(
  { entity, key }: HistorySubject,
  time: string,
  { model, runner, signal }: HistoryReading,
): Promise<string> {
  const last = `$${key.length + 1}::timestamptz`;
  const text = entriesStatement(
    historyOf(model, entity),
    keyInEntries(model, entity),
    (entries) => `SELECT coalesce(max(e.id), 0)::text AS last FROM ${entries} e WHERE e.recorded_at <= ${last}`,
  );
  const [row] = await runner.query<{ readonly last: string }>({ text, values: [...key, time] }, signal);
  return row?.last ?? '0';
}
