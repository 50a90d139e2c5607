import { type Column, keyColumnsOf, type Model, quoteIdentifier, storageOf } from '@lintel/metadata';
import { entityNameText, keyPartsOf, type LiteralType } from '@lintel/query';
import type { ColumnSlot, Layout } from './layout.ts';
import { columnExpression, keyCondition, knownEntityConditions, tableName } from './sql-text.ts';

/** The options, besides the entity, that determine the text of a select of rows. */
export interface RowSelectShape {
  /** Selects rows whose reference is one of the keys; without it, rows whose own key is one of them. */
  readonly slot: ColumnSlot | undefined;
  /** There is one key. */
  readonly isOne: boolean;
  readonly lock: 'update' | 'delete' | undefined;
  /** Only rows that are not soft-deleted. */
  readonly liveOnly: boolean;
}

/** A select of whole rows: `c0`, `c1`, … in the order of the layout's slots, and `entity_name` if the table has one. */
export interface RowSelect {
  readonly text: string;
  /** Columns and types of the keys that are its parameters. */
  readonly matched: readonly Column[];
  readonly types: readonly LiteralType[];
}

const LOCKS = { update: 'FOR NO KEY UPDATE', delete: 'FOR UPDATE' } as const;

/** Names a shape among those of one entity. */
export const shapeName = ({ slot, isOne, lock, liveOnly }: RowSelectShape): string =>
  `${slot?.path ?? ''} ${isOne} ${lock} ${liveOnly}`;

/** Writes the select of an entity's rows, in the order of their keys. */
export function writeSelect(model: Model, layout: Layout, { slot, isOne, lock, liveOnly }: RowSelectShape): RowSelect {
  const { entity } = layout;
  const root = layout.tables[0] ?? entity;
  const aliasOf = (table: string): string => `t${layout.tables.findIndex(({ name }) => name === table)}`;
  const columns = [...layout.slots.values()].flatMap((one) =>
    one.columns.map((column, at) => ({
      type: one.types[at] as LiteralType,
      text: `${aliasOf(one.table)}.${quoteIdentifier(column.name)}${column.readAs === 'numeric' ? '::numeric' : ''}`,
    })),
  );
  const { discriminator } = storageOf(model, root);
  const expressions = columns.map(({ type, text }, at) => `${columnExpression(type, text)} AS c${at}`);
  if (discriminator !== undefined)
    expressions.push(
      `${entityNameText(`t0.${quoteIdentifier(discriminator.name)}`, discriminator.values)} AS entity_name`,
    );
  const key = keyColumnsOf(model, root);
  const joins = layout.tables.slice(1).map((table, at) => {
    const on = keyColumnsOf(model, table).map(
      ({ name }, part) => `t${at + 1}.${quoteIdentifier(name)} = t0.${quoteIdentifier(key[part]?.name ?? '')}`,
    );
    return ` JOIN ${tableName(table)} t${at + 1} ON ${on.join(' AND ')}`;
  });
  const matched = slot?.columns ?? key;
  const conditions = [
    keyCondition(slot === undefined ? 't0' : aliasOf(slot.table), matched, 1, isOne),
    ...knownEntityConditions(model, entity, 't0'),
  ];
  const deleted = layout.slots.get(entity.system.deletedDate ?? '');
  if (liveOnly && deleted?.columns[0] !== undefined)
    conditions.push(`${aliasOf(deleted.table)}.${quoteIdentifier(deleted.columns[0].name)} IS NULL`);
  const order = key.map(({ name }) => `t0.${quoteIdentifier(name)}`).join(', ');
  const locking = lock === undefined ? '' : ` ${LOCKS[lock]} OF t0`;
  return {
    text: `SELECT ${expressions.join(', ')} FROM ${tableName(root)} t0${joins.join('')} WHERE ${conditions.join(' AND ')} ORDER BY ${order}${locking}`,
    matched,
    types: slot?.types ?? keyPartsOf(model, root).map((part) => part.type),
  };
}
