import { PlatformError } from '@lintel/errors';
import { type Entity, entityOf, historyOf, rootOf } from '@lintel/metadata';
import { type ExactJson, type Key, parseKeyValue, parseLiteral } from '@lintel/query';
import { UNLIMITED_ACCESS } from '@lintel/reading';
import { changedInstances, recordedSources } from '../changed-instances.ts';
import { compareStates, type InstanceChange, type State } from '../compare-states.ts';
import { entriesStatement } from '../family-statement.ts';
import { keyOfEntry } from '../list-all-changes.ts';
import {
  byConcreteEntity,
  type ChangedInstance,
  type ChangeRow,
  isBulk,
  isRestricted,
  momentsOf,
} from '../list-changes.ts';
import { type HistoryReading, readStates, stateOf, wholeHistory } from '../read-states.ts';
import { notWhole } from './created-again.ts';
import { conflictsOf, isWhole } from './undo-body.ts';

/** Maximum number of the rows of a change that is taken back while its caller waits. */
export const MAX_UNDONE_ROWS = 10_000;
/** Maximum number of rows in the background. */
export const MAX_UNDONE_LATER = 100_000;
/** Instances whose states one statement reads. */
const TOGETHER = 25;
const LATEST = String(2n ** 63n - 1n);

interface ChangedRow extends ChangedInstance, Pick<ChangeRow, 'secrets' | 'isBulk'> {
  readonly recordedKey: string;
  /** Entries of the instance, and of the whole change. */
  readonly entries: number;
  readonly allEntries: number;
  /** Several transactions of the change have written the instance. */
  readonly parted: boolean;
}

/** An instance that the change has written, as the caller sees it. */
export interface Undone {
  readonly row: ChangedRow;
  readonly change: InstanceChange;
  readonly entity: Entity;
  readonly key: Key;
  readonly id: ExactJson;
}

/** A change of hidden attributes alone: they stay as they are. */
const UNCHANGED: InstanceChange = { operation: 'updated', attributes: [] };

/**
 * The instances of the change, the last written one first; a child is a part of its owner.
 *
 * @param entities the entities whose history the caller may read
 * @param maxRows number of rows that the change may have
 * @throws PlatformError DATA_INSTANCE_NOT_FOUND, ACCESS_DENIED where the caller sees not all of it, REQ_COST_EXCEEDED,
 *   DATA_UNDO_CONFLICT
 */
export async function visibleInstances(
  change: string,
  entities: readonly Entity[],
  maxRows: number,
  reading: HistoryReading,
): Promise<readonly Undone[]> {
  const rows = await rowsOf(change, maxRows, reading);
  const seen = await changesOf(rows, reading);
  const full = isRestricted(reading)
    ? await changesOf(rows, { ...reading, access: UNLIMITED_ACCESS, unmasked: undefined })
    : seen;
  const permitted = new Set(entities.map(({ name }) => name));
  const isShown = (row: ChangedRow): boolean => {
    const [own, whole] = [seen.get(row), full.get(row)];
    if (!permitted.has(row.entity)) return false;
    if (whole === undefined || own === undefined) return whole === undefined;
    return whole.change === undefined || isWhole(own.change ?? UNCHANGED, whole.change);
  };
  const changed = rows.filter((row) => permitted.has(row.entity) && seen.get(row)?.change !== undefined);
  if (changed.length === 0) throw new PlatformError('DATA_INSTANCE_NOT_FOUND', '', { emptyBody: true });
  if (!rows.every(isShown)) throw notWhole();
  // Tables that no longer have a history, and children of unknown owners.
  if (rows.reduce((sum, { entries }) => sum + entries, 0) < (rows[0]?.allEntries ?? 0))
    throw new PlatformError('DATA_UNDO_CONFLICT', 'The change has written rows that belong to no known instance');
  const children = new Set(changed.flatMap((row) => childrenOf(reading, seen.get(row)?.change)));
  return changed.flatMap((row) => {
    const { change: own, entity: name, id } = seen.get(row) as Seen;
    const entity = entityOf(reading.model, name);
    const key = parseKeyValue(reading.model, entity, id, parseLiteral);
    if (own === undefined || key === undefined || children.has(nameOf(reading, entity, id))) return [];
    return [{ row, change: own, entity, key, id }];
  });
}

const nameOf = ({ model }: HistoryReading, entity: Entity, id: ExactJson | undefined): string =>
  `${rootOf(model, entity).name} ${JSON.stringify(id)}`;

const childrenOf = (reading: HistoryReading, change: InstanceChange | undefined): readonly string[] =>
  (change?.children ?? []).flatMap((child) => [
    nameOf(reading, entityOf(reading.model, child.entity), child.id),
    ...childrenOf(reading, child),
  ]);

/**
 * Whether a change has more rows than are taken back while its caller waits; only rows of entities whose history the
 * caller may read count.
 */
export async function isLarge(
  change: string,
  entities: readonly Entity[],
  { model, runner }: Pick<HistoryReading, 'model' | 'runner'>,
): Promise<boolean> {
  const text = `SELECT FROM history.entry e WHERE e.change_id = $1::uuid AND e.source = ANY ($2::text[])
    OFFSET ${MAX_UNDONE_ROWS} LIMIT 1`;
  return (await runner.query({ text, values: [change, recordedSources(model, entities)] })).length > 0;
}

async function rowsOf(
  change: string,
  maxRows: number,
  { model, runner, signal }: HistoryReading,
): Promise<readonly ChangedRow[]> {
  const recorded = [...model.entities.values()].filter(({ history }) => history !== undefined);
  const nodes = recorded.map((entity) => historyOf(model, entity));
  const entries = `SELECT e.* FROM history.entry e WHERE e.change_id = $1::uuid LIMIT ${maxRows + 1}`;
  const text = `WITH e AS MATERIALIZED (${entries}), ${changedInstances(model, recorded, 'e')}
SELECT i.change_id AS id, i.entity, i.key AS "recordedKey", i.first::text, i.last::text, i.secrets, i.parted, i.entries::int,
  (SELECT count(*) FROM e)::int AS "allEntries", ${isBulk(model, nodes, 'i')}
FROM i JOIN history.change c ON c.recorded_at = (SELECT max(e.recorded_at) FROM e) AND c.id = i.change_id ORDER BY i.last DESC`;
  const rows = await runner.query<ChangedRow>({ text, values: [change] }, signal);
  const hint = maxRows === MAX_UNDONE_ROWS ? `; users may ask for it with 'Prefer: respond-async'` : '';
  if ((rows[0]?.allEntries ?? 0) > maxRows)
    throw new PlatformError('REQ_COST_EXCEEDED', `The change has more than ${maxRows} rows${hint}`);
  return rows.map((row) => ({ ...row, key: keyOfEntry(row.recordedKey) }));
}

/** A change of an instance; its states are not kept: there may be 100,000. */
interface Seen {
  readonly change: InstanceChange | undefined;
  readonly entity: string;
  readonly id: ExactJson;
}

/** Characters of all changed values of a change: they are in memory together. */
const MAX_CHARACTERS = 100 * 1_048_576;

/**
 * Compares each instance before and after the change, as far as the reader sees a state of it.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
async function changesOf(rows: readonly ChangedRow[], reading: HistoryReading): Promise<ReadonlyMap<ChangedRow, Seen>> {
  const seen = new Map<ChangedRow, Seen>();
  let characters = 0;
  await eachGroup(
    await byConcreteEntity(rows, reading),
    async (entity, group) => {
      const moments = group.flatMap((row) => momentsOf(row).map((moment) => ({ ...moment, ...written(row, reading) })));
      const states = await statesOf(entity, moments, reading);
      for (const [at, row] of group.entries()) {
        const [before, after] = [states(2 * at), states(2 * at + 1)];
        const state = after ?? before;
        if (state === undefined) continue;
        const change = compareStates(reading.model, entity, before, after);
        const name = state['_entityName'];
        seen.set(row, { change, entity: typeof name === 'string' ? name : row.entity, id: state['id'] ?? null });
        characters += JSON.stringify(change ?? null).length;
        if (characters > MAX_CHARACTERS)
          throw new PlatformError('REQ_COST_EXCEEDED', 'The values of the change have more than 100 MiB');
      }
    },
    reading,
  );
  return seen;
}

/** Only the children that a small change has written are read: there may be any number of others. */
const written = ({ id, isBulk: isWhole }: ChangedRow, reading: HistoryReading): { readonly change?: string } =>
  isWhole || isRestricted(reading) ? {} : { change: id };

async function eachGroup<R>(
  groups: ReadonlyMap<string, readonly R[]>,
  work: (entity: Entity, group: readonly R[]) => Promise<void>,
  { model }: HistoryReading,
): Promise<void> {
  for (const [name, group] of groups)
    for (let at = 0; at < group.length; at += TOGETHER)
      await work(entityOf(model, name), group.slice(at, at + TOGETHER));
}

async function statesOf(
  entity: Entity,
  moments: Parameters<typeof readStates>[1],
  reading: HistoryReading,
): Promise<(at: number) => State | undefined> {
  const plan = { ...wholeHistory(reading.model, entity), returnNulls: true };
  const states = await readStates(entity, moments, plan, reading);
  return (at) => stateOf(states.get(at));
}

/**
 * Compares the instances, which are locked, with their states after the change. What others have written between two
 * transactions of the change would be taken back with it.
 *
 * @throws PlatformError DATA_UNDO_CONFLICT
 */
export async function assertUnchanged(undone: readonly Undone[], reading: HistoryReading): Promise<void> {
  const conflicts: string[] = [];
  for (const [isUpdate, some] of Map.groupBy(undone, ({ change }) => change.operation === 'updated'))
    await eachGroup(
      Map.groupBy(some, ({ entity }) => entity.name),
      async (entity, group) => {
        const moments = group.flatMap(({ row }) =>
          [row.last, LATEST].map((entry) => ({ key: row.key, entry, ...(isUpdate && written(row, reading)) })),
        );
        const states = await statesOf(entity, moments, reading);
        for (const [at, { change, id }] of group.entries()) {
          const since = compareStates(reading.model, entity, states(2 * at), states(2 * at + 1));
          const names = conflictsOf(change, since);
          if (names.length > 0) conflicts.push(`${entity.name} ${JSON.stringify(id)}: ${names.join(', ')}`);
        }
      },
      reading,
    );
  await eachGroup(
    Map.groupBy(
      undone.filter(({ row }) => row.parted),
      ({ entity }) => entity.name,
    ),
    async (entity, group) => {
      const others = entriesStatement(
        historyOf(reading.model, entity),
        'b.key',
        (entries) => `SELECT FROM ${entries} e WHERE e.id > b.first AND e.id < b.last AND e.change_id <> $4::uuid`,
      );
      const text = `SELECT b.at::int FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY b(key, first, last, at)
WHERE EXISTS (${others}) ORDER BY b.at`;
      const rows = group.map(({ row }) => row);
      const keys = rows.map(({ recordedKey }) => recordedKey);
      const values = [keys, rows.map(({ first }) => first), rows.map(({ last }) => last), rows[0]?.id];
      for (const { at } of await reading.runner.query<{ readonly at: number }>({ text, values }, reading.signal))
        conflicts.push(`${entity.name} ${JSON.stringify(group[at - 1]?.id)}: during the change`);
    },
    reading,
  );
  if (conflicts.length > 0) throw new PlatformError('DATA_UNDO_CONFLICT', `Changed since: ${conflicts.join('; ')}`);
}
