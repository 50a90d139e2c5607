import {
  type Column,
  type Entity,
  entityOf,
  keyColumnsOf,
  type Model,
  quoteIdentifier,
  storageOf,
} from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import { keyPartsOf, type LiteralType } from '@lintel/query';
import { type ColumnSlot, layoutOf } from '../layout/layout.ts';
import { keyCondition, keyParameters, tableName } from '../plan/sql-text.ts';
import { columnExpression, fromColumn } from '../values/column-value.ts';
import { type Key, keyText, type Value, type Values } from '../values/value.ts';

/** A stored instance: all its columns. Element collections and links are loaded apart, where needed. */
export interface StoredRow {
  /** The concrete entity. */
  readonly entity: Entity;
  readonly key: Key;
  readonly values: Values;
}

export interface LoadRowsOptions {
  /** Lock the rows until the transaction ends. */
  readonly lock?: 'update' | 'delete';
  /** Only rows that are not soft-deleted. */
  readonly liveOnly: boolean;
}

/** Which rows: by their own keys, or by the keys that one of their references has. */
export type RowSelection =
  | { readonly by: 'key'; readonly keys: readonly Key[] }
  | { readonly by: 'reference'; readonly slot: ColumnSlot; readonly keys: readonly Key[] };

/**
 * Loads instances of an entity and its descendants; rows come in the order of their keys, so that locks
 * are always taken in one order.
 */
export async function loadRows(
  runner: StatementRunner,
  model: Model,
  entity: Entity,
  selection: RowSelection,
  options: LoadRowsOptions,
): Promise<readonly StoredRow[]> {
  if (selection.keys.length === 0) return [];
  const rows = await selectRows(runner, model, entity, selection, options);
  const byEntity = Map.groupBy(rows, (row) => row.entity.name);
  const complete = new Map<string, StoredRow>();
  for (const [name, group] of byEntity) {
    const concrete = entityOf(model, name);
    const full =
      concrete === entity
        ? group
        : await selectRows(
            runner,
            model,
            concrete,
            { by: 'key', keys: group.map((row) => row.key) },
            { liveOnly: false },
          );
    for (const row of full) complete.set(keyText(row.key), row);
  }
  return rows.flatMap((row) => complete.get(keyText(row.key)) ?? []);
}

const LOCKS = { update: 'FOR NO KEY UPDATE', delete: 'FOR UPDATE' } as const;

async function selectRows(
  runner: StatementRunner,
  model: Model,
  entity: Entity,
  selection: RowSelection,
  options: LoadRowsOptions,
): Promise<readonly StoredRow[]> {
  const layout = layoutOf(model, entity);
  const root = layout.tables[0] ?? entity;
  const aliasOf = (table: string): string => `t${layout.tables.findIndex(({ name }) => name === table)}`;
  const columnsOfSlot = (slot: ColumnSlot) =>
    slot.columns.map((column, at) => ({
      type: slot.types[at] as LiteralType,
      text: `${aliasOf(slot.table)}.${quoteIdentifier(column.name)}`,
    }));
  const slots = [...layout.slots.values()];
  const columns = slots.flatMap(columnsOfSlot);
  const discriminator = storageOf(model, root).discriminator;
  const expressions = columns.map(({ type, text }, at) => `${columnExpression(type, text)} AS c${at}`);
  if (discriminator !== undefined) expressions.push(`t0.${quoteIdentifier(discriminator.name)} AS entity_name`);

  const key = keyColumnsOf(model, root);
  const keyTypes = keyPartsOf(model, root).map((part) => part.type);
  const joins = layout.tables.slice(1).map((table, at) => {
    const on = key.map(({ name }) => `t${at + 1}.${quoteIdentifier(name)} = t0.${quoteIdentifier(name)}`);
    return ` JOIN ${tableName(table.name)} t${at + 1} ON ${on.join(' AND ')}`;
  });
  const matched: readonly Column[] = selection.by === 'key' ? key : selection.slot.columns;
  const types = selection.by === 'key' ? keyTypes : selection.slot.types;
  const alias = selection.by === 'key' ? 't0' : aliasOf(selection.slot.table);
  const conditions = [keyCondition(alias, matched, 1, selection.keys.length === 1)];
  const deleted = layout.slots.get(entity.system.deletedDate ?? '');
  if (options.liveOnly && deleted?.columns[0] !== undefined)
    conditions.push(`${aliasOf(deleted.table)}.${quoteIdentifier(deleted.columns[0].name)} IS NULL`);
  const order = key.map(({ name }) => `t0.${quoteIdentifier(name)}`).join(', ');
  const lock = options.lock === undefined ? '' : ` ${LOCKS[options.lock]} OF t0`;
  const raws = await runner.query({
    text: `SELECT ${expressions.join(', ')} FROM ${tableName(root.name)} t0${joins.join('')} WHERE ${conditions.join(' AND ')} ORDER BY ${order}${lock}`,
    values: keyParameters(matched, types, selection.keys),
  });
  return raws.map((raw) => readRow(model, entity, slots, raw));
}

function readRow(
  model: Model,
  entity: Entity,
  slots: readonly ColumnSlot[],
  raw: Readonly<Record<string, unknown>>,
): StoredRow {
  let at = 0;
  const values = new Map<string, Value>();
  for (const slot of slots) {
    const parts = slot.types.map((type) => {
      const value = fromColumn(type, raw[`c${at}`]);
      at += 1;
      return value;
    });
    if (slot.attribute.kind !== 'reference') values.set(slot.path, parts[0] ?? null);
    else values.set(slot.path, parts.some((part) => part === null) ? null : { key: parts });
  }
  const name = raw['entity_name'];
  const layout = layoutOf(model, entity);
  return {
    entity: typeof name === 'string' ? entityOf(model, name) : entity,
    key: layout.key.map((slot) => values.get(slot.path) as Key[number]),
    values,
  };
}
