import { setImmediate } from 'node:timers/promises';
import {
  columnsOf,
  deletedColumnOf,
  type Entity,
  entityOf,
  type HistoryNode,
  historyOf,
  type Model,
  type Table,
} from '@lintel/metadata';
import { quoteConstant } from '@lintel/query';
import { unrecorded } from '@lintel/reading';
import { compareStates, type InstanceChange, type State } from './compare-states.ts';
import { entriesStatement, source, sourceOf } from './family-statement.ts';
import { maskChange } from './mask-change.ts';
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

/** A change of an instance, as the entries have it. */
export interface ChangeRow extends Pick<HistorySubject, 'key'> {
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
  /** Whether all children of the instance are read, and not only those that the change has written. */
  readonly isBulk: boolean;
}

/** An instance that a change has written; `entity` is the root of its inheritance tree. */
export interface ChangedInstance extends Pick<ChangeRow, 'id' | 'key' | 'first' | 'last'> {
  readonly entity: string;
}

/** Changes that are judged together: those that the caller may not see do not count. */
const JUDGED_TOGETHER = 50;
/** The same where all children are read. */
const WHOLE_TOGETHER = 5;
/** Statements of a page. */
export const MAX_STATEMENTS = 20;
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
  const together = judgedTogether(limit, whole);
  for (let statements = 0; statements < MAX_STATEMENTS; statements += 1) {
    const rows = await rowsOf(subject, filter, { next, together }, reading);
    const shown = await judge(subject.entity, rows, whole, reading);
    for (const [at, { change } = NOTHING] of shown.entries()) {
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
  const rows = await rowsOf(subject, filter, { next, together: SEARCHED }, reading);
  const plan = { ...wholeHistory(reading.model, subject.entity), fetchPlan: '_instance_name' };
  const searching = { ...reading, access: unrecorded(reading.access) };
  const states = await readStates(subject.entity, rows.flatMap(momentsOf), plan, searching);
  const [first] = [...states.keys()].sort((one, other) => one - other);
  return first === undefined ? undefined : (rows[Math.floor(first / 2) - 1]?.first ?? next);
}

/** Changes that one statement reads; less where all children are read. */
export const judgedTogether = (limit: number, whole: boolean): number =>
  whole ? WHOLE_TOGETHER : Math.min(limit + WHOLE_TOGETHER, JUDGED_TOGETHER);

/** The states before and after a change. */
export const momentsOf = ({ first, last, key }: Pick<ChangeRow, 'first' | 'last' | 'key'>) => [
  { key, entry: String(BigInt(first) - 1n) },
  { key, entry: last },
];

/** Rows whose entities one statement finds. */
const FOUND_TOGETHER = 25;

/**
 * Groups changes by the entities of their instances. A change names the root of its inheritance tree, whose reads lack
 * the attributes of descendants: a descendant that the caller may read takes its place.
 */
export async function byConcreteEntity<R extends ChangedInstance>(
  rows: readonly R[],
  reading: HistoryReading,
): Promise<ReadonlyMap<string, readonly R[]>> {
  const { model } = reading;
  const access = unrecorded(reading.access);
  const concrete = new Map<R, string>();
  for (const [name, all] of Map.groupBy(rows, ({ entity }) => entity)) {
    const entity = entityOf(model, name);
    const plan = { ...wholeHistory(model, entity), fetchPlan: '_instance_name' };
    for (let at = 0; entity.descendants.length > 0 && at < all.length; at += FOUND_TOGETHER) {
      const group = all.slice(at, at + FOUND_TOGETHER);
      const moments = group.flatMap((row) => momentsOf(row).map((moment) => ({ ...moment, change: row.id })));
      const states = await readStates(entity, moments, plan, { ...reading, access });
      for (const [index, row] of group.entries()) {
        const state = stateOf(states.get(2 * index + 1)) ?? stateOf(states.get(2 * index));
        const found = state?.['_entityName'];
        if (typeof found === 'string' && access.read.entity(found).canRead) concrete.set(row, found);
      }
    }
  }
  return Map.groupBy(rows, (row) => concrete.get(row) ?? row.entity);
}

/** Whether rows are hidden from the caller: policies may look at children that a change has not written. */
export const isRestricted = ({ model, access: { read } }: HistoryReading): boolean =>
  [...model.entities.keys()].some((name) => {
    const { rows, predicates } = read.entity(name);
    return rows !== undefined || predicates.length > 0;
  });

const isAbout = ({ attributes, children = [], secrets = [] }: HistoryChange, { attribute }: HistoryFilter): boolean =>
  attribute === undefined ||
  secrets.includes(attribute) ||
  [...attributes, ...children].some((each) => each.attribute === attribute);

/** A change as the caller may see it, and the state after it, or the former one of a deleted instance. */
interface Judged {
  readonly change: HistoryChange;
  readonly state: State;
}

const NOTHING: Partial<Judged> = {};

/** Returns changes as far as the caller may see them; undefined for those that are hidden. */
export async function judge(
  entity: Entity,
  rows: readonly ChangeRow[],
  whole: boolean,
  reading: HistoryReading,
): Promise<readonly (Judged | undefined)[]> {
  const { model, unmasked } = reading;
  const states = await statesAround(entity, rows, whole, reading);
  const full = unmasked && (await statesAround(entity, rows, whole, { ...reading, access: unmasked }));
  const judged: (Judged | undefined)[] = [];
  for (const [at, row] of rows.entries()) {
    // States may be large: other requests are handled in between.
    if (at > 0) await setImmediate();
    const [before, after] = (states.get(row) ?? []).map(stateOf);
    const state = after ?? before;
    const [fullBefore, fullAfter] = (full?.get(row) ?? []).map(stateOf);
    const shown = compareStates(model, entity, before, after);
    const all = compareStates(model, entity, fullBefore, fullAfter);
    const change = all === undefined ? shown : maskChange(all, shown);
    const secrets = state === undefined ? [] : secretsOf(entity, row, reading);
    const isShown = state !== undefined && (change !== undefined || secrets.length > 0);
    const described = change ?? { operation: 'updated' as const, attributes: [] };
    const named = secrets.length > 0 && { secrets };
    judged.push(isShown ? { change: { ...describe(row), ...described, ...named }, state } : undefined);
  }
  return judged;
}

/** The states before and after each change. */
async function statesAround(
  entity: Entity,
  rows: readonly ChangeRow[],
  whole: boolean,
  reading: HistoryReading,
): Promise<ReadonlyMap<ChangeRow, readonly (string | undefined)[]>> {
  const isWhole = (row: ChangeRow): boolean => whole || row.isBulk;
  const groups = [rows.filter((row) => !isWhole(row))];
  for (const [at, row] of rows.filter(isWhole).entries())
    if (at % WHOLE_TOGETHER === 0) groups.push([row]);
    else groups.at(-1)?.push(row);
  const found = new Map<ChangeRow, readonly (string | undefined)[]>();
  for (const group of groups) {
    const moments = group.flatMap((row) =>
      momentsOf(row).map((moment) => (isWhole(row) ? moment : { ...moment, change: row.id })),
    );
    const states = await statesAfter(entity, moments, reading);
    for (const [at, row] of group.entries()) found.set(row, [states.get(2 * at), states.get(2 * at + 1)]);
  }
  return found;
}

const describe = ({ id, time, username, client, session, service, database, reason, trace }: ChangeRow) => ({
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
export function secretsOf(
  entity: Entity,
  { secrets }: Pick<ChangeRow, 'secrets'>,
  { model, access, unmasked = access }: HistoryReading,
): readonly string[] {
  if (secrets === null) return [];
  return [...entity.attributes.values()].flatMap((attribute) => {
    const isChanged = columnsOf(model, attribute).some(({ name }) => secrets.includes(name));
    return isChanged && unmasked.read.entity(entity.name).mayView(attribute.name) ? [attribute.name] : [];
  });
}

async function rowsOf(
  { entity, key }: HistorySubject,
  { user, from, to }: HistoryFilter,
  { next, together }: { readonly next: string | undefined; readonly together: number },
  { model, runner, signal }: HistoryReading,
): Promise<readonly ChangeRow[]> {
  const node = historyOf(model, entity);
  const values: unknown[] = [...key];
  const parameter = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const conditions = [
    ...conditionsOf({ user, from, to }, parameter),
    ...(next === undefined ? [] : [`a.last < ${parameter(next, 'bigint')}`]),
  ];
  const secrets = node.tables.map(sourceOf);
  const isSecret = `e.source = ANY (${parameter(secrets, 'text[]')})`;
  const text = entriesStatement(
    node,
    keyInEntries(model, entity),
    (entries) =>
      `SELECT ${CHANGE_COLUMNS}, a.first::text, a.last::text, a.secrets, ${isBulk(model, [node], 'a')}
FROM (SELECT e.change_id, e.recorded_at, count(*) AS entries, min(e.id) AS first, max(e.id) AS last, array_agg(DISTINCT s.name) FILTER (WHERE s.name IS NOT NULL) AS secrets
  FROM ${entries} e LEFT JOIN LATERAL unnest(e.secrets) s(name) ON ${isSecret} GROUP BY e.change_id, e.recorded_at) a
JOIN history.change c ON c.recorded_at = a.recorded_at AND c.id = a.change_id${whereAll(conditions)}
ORDER BY a.last DESC LIMIT ${together}`,
  );
  return (await runner.query<Omit<ChangeRow, 'key'>>({ text, values }, signal)).map((row) => ({ ...row, key }));
}

/** The conditions of a filter on `history.change c`. */
export const conditionsOf = (
  { user, from, to }: Omit<HistoryFilter, 'attribute'>,
  parameter: (value: unknown, type: string) => string,
): readonly string[] => [
  ...(user === undefined ? [] : [`c.username = ${parameter(user, 'text')}`]),
  ...(from === undefined ? [] : [`c.recorded_at >= ${parameter(from, 'timestamptz')}`]),
  ...(to === undefined ? [] : [`c.recorded_at < ${parameter(to, 'timestamptz')}`]),
];

export const whereAll = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;

/** The time of `history.change c` in UTC, with milliseconds. */
export const TIME = `to_char(c.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Whether all children of an instance are read: `history.change c` has many entries besides `entries` of the instance,
 * or rows that were soft-deleted or restored, with children that it has not written.
 */
export function isBulk(model: Model, nodes: readonly HistoryNode[], instance: string): string {
  const entries = 'FROM history.entry x WHERE x.change_id = c.id AND x.recorded_at = c.recorded_at';
  const many = `(SELECT count(*) FROM (SELECT ${entries} LIMIT ${instance}.entries + 50) x) = ${instance}.entries + 50`;
  const deletions = [...new Set(nodes.flatMap((node) => deletionsIn(model, node)))];
  const other = deletions.length === 0 ? 'false' : `EXISTS (SELECT ${entries} AND (${deletions.join(' OR ')}))`;
  return `CASE WHEN ${many} THEN true ELSE ${other} END AS "isBulk"`;
}

/** Conditions of entries `x` of rows that were soft-deleted or restored and have children. */
function deletionsIn(model: Model, { entity, tables, children }: HistoryNode): readonly string[] {
  const column = deletedColumnOf(model, entity);
  const below = children.flatMap(({ node }) => deletionsIn(model, node));
  if (column === undefined || children.length === 0) return below;
  const name = quoteConstant(column.name);
  return [
    `(x.source = ${source(tables[0] as Table)} AND x.before -> ${name} IS DISTINCT FROM x.after -> ${name} AND x.before IS NOT NULL AND x.after IS NOT NULL)`,
    ...below,
  ];
}

/** The columns of `history.change c` in a `ChangeRow`. */
export const CHANGE_COLUMNS = `c.id, ${TIME} AS "time", c.username, c.client_id AS client, c.session_id AS session,
  c.acting_service AS service, c.database_user AS database, c.reason, c.trace_id AS trace`;

/** The difference between two states of an instance; undefined if the caller may see neither. */
export async function differenceOf(
  entity: Entity,
  moments: readonly HistoryMoment[],
  reading: HistoryReading,
): Promise<InstanceChange | undefined> {
  const compared = async (access = reading.access) => {
    const states = await statesAfter(entity, moments, { ...reading, access });
    const [before, after] = [stateOf(states.get(0)), stateOf(states.get(1))];
    const isSeen = before !== undefined || after !== undefined;
    return isSeen ? (compareStates(reading.model, entity, before, after) ?? UNCHANGED) : undefined;
  };
  const shown = await compared();
  const full = reading.unmasked && (await compared(reading.unmasked));
  return full === undefined ? shown : maskChange(full, shown);
}

const UNCHANGED: InstanceChange = { operation: 'updated', attributes: [] };

/** The states of instances with everything that belongs to them. */
const statesAfter = (
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
