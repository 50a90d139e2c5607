import { type Entity, entityOf, historyOf } from '@lintel/metadata';
import { type ExactJson, readExactJson } from '@lintel/query';
import { changedInstances, recordedSources } from './changed-instances.ts';
import {
  byConcreteEntity,
  CHANGE_COLUMNS,
  type ChangedInstance,
  type ChangeRow,
  conditionsOf,
  type HistoryChange,
  type HistoryFilter,
  isBulk,
  isRestricted,
  judge,
  judgedTogether,
  MAX_STATEMENTS,
  TIME,
  whereAll,
} from './list-changes.ts';
import type { HistoryReading } from './read-states.ts';

/** The effect of a change on one of its instances. */
export interface EntityChange extends HistoryChange {
  readonly entity: string;
  readonly id: ExactJson;
}

/** Which changes are listed; `reason` is a part of the reason. */
export type ChangeFilter = Omit<HistoryFilter, 'attribute'> & { readonly reason?: string | undefined };

/** A page of changes; `next` is the position before which the next one begins. */
export interface ChangePage {
  readonly changes: readonly EntityChange[];
  readonly next: ChangePosition | undefined;
}

/** Time and id of a change, and entry, entity and key of its instance; empty after the whole change. */
export type ChangePosition = readonly (string | null)[];

interface InstanceRow extends ChangeRow, ChangedInstance {
  /** As entries have it. */
  readonly recordedKey: string;
}

/** Changes that one statement examines: others of them are of other entities, or have another reason. */
const EXAMINED = 10_000;

/**
 * The changes of all instances that the caller may see, the newest first (contract/history.md#all): the changes of a
 * transaction follow each other. Each statement examines a limited number of transactions; after some statements the
 * page ends early.
 *
 * @param entities those whose history the caller may read
 */
export async function listAllChanges(
  entities: readonly Entity[],
  filter: ChangeFilter,
  { limit, before }: { readonly limit: number; readonly before: ChangePosition | undefined },
  reading: HistoryReading,
): Promise<ChangePage> {
  const changes: EntityChange[] = [];
  let next = before;
  const whole = isRestricted(reading);
  const together = judgedTogether(limit, whole);
  for (let statements = 0; statements < MAX_STATEMENTS; statements += 1) {
    const { rows, after } = await rowsOf(entities, filter, { next, together }, reading);
    const shown = await judgeAll(rows, whole, reading);
    for (const row of rows) {
      next = [row.time, row.id, row.last, row.entity, row.recordedKey];
      const change = shown.get(row);
      if (change !== undefined && changes.push(change) === limit) return { changes, next };
    }
    if (rows.length === together) continue;
    if (after === undefined) return { changes, next: undefined };
    next = [...after, '0', '', ''];
  }
  return { changes, next };
}

/** Judges the changes of each entity together. */
async function judgeAll(
  rows: readonly InstanceRow[],
  whole: boolean,
  reading: HistoryReading,
): Promise<ReadonlyMap<InstanceRow, EntityChange>> {
  const shown = new Map<InstanceRow, EntityChange>();
  for (const [name, group] of await byConcreteEntity(rows, reading)) {
    const judged = await judge(entityOf(reading.model, name), group, whole, reading);
    for (const [at, one] of judged.entries()) {
      const { _entityName: concrete, id = null } = one?.state ?? {};
      const entity = typeof concrete === 'string' ? concrete : name;
      if (one !== undefined) shown.set(group[at] as InstanceRow, { entity, id, ...one.change });
    }
  }
  return shown;
}

/** The values of a key in an entry, as texts. */
export const keyOfEntry = (key: string): ChangeRow['key'] =>
  (readExactJson(key) as readonly ExactJson[]).map((part) => (typeof part === 'string' ? part : JSON.stringify(part)));

async function rowsOf(
  entities: readonly Entity[],
  { reason, ...filter }: ChangeFilter,
  { next, together }: { readonly next: ChangePosition | undefined; readonly together: number },
  { model, runner, signal }: HistoryReading,
): Promise<{ readonly rows: readonly InstanceRow[]; readonly after: readonly string[] | undefined }> {
  const values: unknown[] = [];
  const nodes = entities.map((entity) => historyOf(model, entity));
  const parameter = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const sources = `e.source = ANY (${parameter(recordedSources(model, entities), 'text[]')})`;
  const [time, change, ...rest] = (next ?? []).map((value, at) => parameter(value, POSITION[at] ?? 'text'));
  const examined = [
    ...conditionsOf(filter, parameter),
    // The first condition alone chooses partitions.
    ...(time === undefined ? [] : [`c.recorded_at <= ${time}`, `(c.recorded_at, c.id) <= (${time}, ${change})`]),
  ];
  const chosen = [
    ...(reason === undefined ? [] : [`strpos(lower(w.reason), lower(${parameter(reason, 'text')})) > 0`]),
    `EXISTS (SELECT FROM history.entry e WHERE e.change_id = w.id AND e.recorded_at = w.recorded_at AND ${sources})`,
  ];
  const newest = (of: string, limit: number): string => `ORDER BY ${of}.recorded_at DESC, ${of}.id DESC LIMIT ${limit}`;
  const lastOf = (of: string, limit: number): string =>
    `(SELECT ARRAY[${TIME}, c.id::text] FROM ${of} c ${newest('c', 1)} OFFSET ${limit - 1})`;
  const before =
    time === undefined
      ? []
      : [`(c.recorded_at, c.id, i.last, i.entity, i.key) < (${[time, change, ...rest].join(', ')})`];
  const text = `WITH w AS MATERIALIZED (SELECT c.* FROM history.change c${whereAll(examined)} ${newest('c', EXAMINED)}),
c AS MATERIALIZED (SELECT w.* FROM w${whereAll(chosen)} ${newest('w', together)}),
e AS MATERIALIZED (SELECT e.* FROM c
  JOIN history.entry e ON e.change_id = c.id AND e.recorded_at = c.recorded_at WHERE ${sources}),
${changedInstances(model, entities, 'e')}
SELECT p.after, a.* FROM (SELECT coalesce(${lastOf('c', together)}, ${lastOf('w', EXAMINED)}) AS after) p LEFT JOIN (
  SELECT ${CHANGE_COLUMNS}, i.first::text, i.last::text, i.secrets, ${isBulk(model, nodes, 'i')}, i.entity, i.key AS "recordedKey"
  FROM i JOIN c ON c.id = i.change_id AND c.recorded_at = i.recorded_at${whereAll(before)}
  ORDER BY c.recorded_at DESC, c.id DESC, i.last DESC, i.entity DESC, i.key DESC LIMIT ${together}) a ON true`;
  const found = await runner.query<InstanceRow & { readonly after: string[] | null }>({ text, values }, signal);
  const rows = found.filter(({ id }) => id !== null).map((row) => ({ ...row, key: keyOfEntry(row.recordedKey) }));
  return { rows, after: found[0]?.after ?? undefined };
}

const POSITION = ['timestamptz', 'uuid', 'bigint'] as const;
