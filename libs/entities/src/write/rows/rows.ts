import { costExceeded } from '@lintel/errors';
import { type Entity, entityOf, type Model } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { canonicalKey, fromColumn } from '@lintel/query';
import { mapInSlices } from '../../slices/map-in-slices.ts';
import type { ColumnSlot } from '../model/layout.ts';
import type { MatchKey } from '../model/match-keys.ts';
import { writeDuplicateSelect } from '../model/row-select.ts';
import type { StoredEntity } from '../model/stored-entity.ts';
import type { WriteModel } from '../model/write-model.ts';
import { SlotValues } from '../values/slot-values.ts';
import { type Key, keyText, type Scalar, type Value, type Values } from '../values/value.ts';
import { keyParameters } from './key-parameters.ts';

/** A stored instance: all its columns. Element collections and links are loaded separately, if needed. */
export interface StoredRow {
  /** The concrete entity. */
  readonly entity: Entity;
  readonly key: Key;
  readonly values: Values;
}

/** Whether the row is marked as deleted. */
export const isDeleted = ({ entity, values }: StoredRow): boolean =>
  (values.get(entity.system.deletedDate ?? '') ?? null) !== null;

export interface LoadRowsOptions {
  /** Lock the rows until the transaction ends. */
  readonly lock?: 'update' | 'delete';
  /** Only rows that are not soft-deleted. */
  readonly liveOnly: boolean;
  /** Refuses more rows: the limit of the caller. */
  readonly maxRows?: number | undefined;
}

/**
 * Refuses a write of more instances than the body of a write may have: they are found in the database.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertRowCount(count: number, maxRows = Number.POSITIVE_INFINITY): void {
  if (count > maxRows)
    throw costExceeded(`The request would write more than ${maxRows} instances`, 'svc.rest.limits.graph-nodes');
}

/** Which rows: by their own keys, or by the keys that one of their references has. */
export type RowSelection =
  | { readonly by: 'key'; readonly keys: readonly Key[] }
  | { readonly by: 'reference'; readonly slot: ColumnSlot; readonly keys: readonly Key[] };

/**
 * Loads instances of an entity and its descendants; rows are in the order of their keys, so that locks are always
 * acquired in the same order.
 */
export async function loadRows(
  runner: StatementRunner,
  writeModel: WriteModel,
  entity: Entity,
  selection: RowSelection,
  options: LoadRowsOptions,
): Promise<readonly StoredRow[]> {
  if (selection.keys.length === 0) return [];
  return withOwnColumns(runner, writeModel, entity, await selectRows(runner, writeModel, entity, selection, options));
}

/**
 * The live instance that has each of the values of a key, in their order; all of them are found by one statement. Rows
 * are locked in the order of their keys.
 *
 * @param values one value for each column of the key
 */
export async function loadMatching(
  runner: StatementRunner,
  writeModel: WriteModel,
  entity: Entity,
  { match, values }: MatchSelection,
  lock?: LoadRowsOptions['lock'],
): Promise<readonly (StoredRow | undefined)[]> {
  if (values.length === 0) return [];
  const stored = writeModel.of(entity);
  const isOne = values.length === 1;
  const { text, matched, types } = stored.rowSelect({ slot: undefined, match, isOne, lock, liveOnly: true });
  const raws = await runner.query({ text, values: keyParameters(matched, types, values, isOne) });
  const slots = [...stored.slots.values()];
  const rows = await mapInSlices(raws, (raw) => readRow(writeModel.model, stored, slots, raw));
  const complete = await withOwnColumns(runner, writeModel, entity, rows);
  const found: (StoredRow | undefined)[] = new Array(values.length).fill(undefined);
  for (const [at, raw] of raws.entries()) found[isOne ? 0 : Number(raw['position']) - 1] = complete[at];
  return found;
}

/** Values of a key. */
export interface MatchSelection {
  readonly match: MatchKey;
  readonly values: readonly (readonly Scalar[])[];
}

/** The positions of two values of a key that the database regards as equal. */
export async function findDuplicate(
  runner: StatementRunner,
  { match, values }: MatchSelection,
): Promise<readonly [number, number] | undefined> {
  if (values.length < 2) return undefined;
  const { text, matched, types } = writeDuplicateSelect(match);
  const [found] = await runner.query<{ first: number; other: number }>({
    text,
    values: keyParameters(matched, types, values),
  });
  return found && [found.first - 1, found.other - 1];
}

/** Rows of descendants were selected without the columns of their own tables. */
async function withOwnColumns(
  runner: StatementRunner,
  writeModel: WriteModel,
  entity: Entity,
  rows: readonly StoredRow[],
): Promise<readonly StoredRow[]> {
  if (rows.every((row) => row.entity === entity)) return rows;
  const byEntity = Map.groupBy(rows, (row) => row.entity.name);
  const complete = new Map<string, StoredRow>();
  for (const [name, group] of byEntity) {
    const concrete = entityOf(writeModel.model, name);
    const full =
      concrete === entity
        ? group
        : await selectRows(
            runner,
            writeModel,
            concrete,
            { by: 'key', keys: group.map((row) => row.key) },
            { liveOnly: false },
          );
    for (const row of full) complete.set(keyText(row.key), row);
  }
  return rows.flatMap((row) => complete.get(keyText(row.key)) ?? []);
}

async function selectRows(
  runner: StatementRunner,
  writeModel: WriteModel,
  entity: Entity,
  selection: RowSelection,
  options: LoadRowsOptions,
): Promise<readonly StoredRow[]> {
  const stored = writeModel.of(entity);
  const isOne = selection.keys.length === 1;
  const { text, matched, types } = stored.rowSelect({
    slot: selection.by === 'key' ? undefined : selection.slot,
    isOne,
    lock: options.lock,
    liveOnly: options.liveOnly,
  });
  const { maxRows } = options;
  const limited = maxRows === undefined ? text : `${text} LIMIT ${maxRows + 1}`;
  const raws = await runner.query({ text: limited, values: keyParameters(matched, types, selection.keys, isOne) });
  assertRowCount(raws.length, maxRows);
  const slots = [...stored.slots.values()];
  return mapInSlices(raws, (raw) => readRow(writeModel.model, stored, slots, raw));
}

/** `c0`, `c1`, …: cached, since a newly created string must be interned before it can be a property key. */
const NAMES: string[] = [];

function columnName(at: number): string {
  const known = NAMES[at] ?? `c${at}`;
  NAMES[at] = known;
  return known;
}

function readRow(
  model: Model,
  stored: StoredEntity,
  slots: readonly ColumnSlot[],
  raw: Readonly<Record<string, unknown>>,
): StoredRow {
  let at = 0;
  const read: (Value | undefined)[] = new Array(stored.paths.list.length);
  for (const [position, { types, attribute }] of slots.entries()) {
    const [first] = types;
    if (attribute.kind !== 'reference' && first !== undefined) read[position] = fromColumn(first, raw[columnName(at)]);
    else {
      const start = at;
      const parts = types.map((type, part) => fromColumn(type, raw[columnName(start + part)]));
      read[position] = parts.some((part) => part === null) ? null : { key: canonicalKey(parts) };
    }
    at += types.length;
  }
  const values = new SlotValues(stored.paths, read);
  const name = raw['entity_name'];
  return {
    entity: typeof name === 'string' ? entityOf(model, name) : stored.entity,
    key: canonicalKey(stored.key.map((slot) => values.get(slot.path) as Key[number])),
    values,
  };
}
