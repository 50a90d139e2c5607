import {
  type ArrayAttribute,
  type Column,
  columnOf,
  type DiscriminatorValue,
  type Entity,
  entityOf,
  isArray,
  type Model,
  storageOf,
  storingEntity,
  type Table,
} from '@lintel/metadata';
import { type ColumnSlot, type Layout, writtenColumns } from './layout.ts';
import { type InsertTexts, insertTexts, updateText } from './statement-texts.ts';

/** One of the tables that the instances of an entity have a row in. */
export interface StoredTable {
  readonly entity: Entity;
  readonly table: Table;
  readonly keyColumns: readonly Column[];
  /** Triggers of others may be there: writes are confirmed. A view has no ids of transactions. */
  readonly isConfirmed: boolean;
  /** Value of the column that names the concrete entity, if the table has it. */
  readonly discriminator: { readonly value: DiscriminatorValue } | undefined;
  /** Slots of the table except the key and what the database gives. */
  readonly slots: readonly ColumnSlot[];
  /** Collections in array columns of the table. */
  readonly arrays: readonly ArrayAttribute[];
  /** Of a whole row: key, discriminator, slots, arrays. */
  readonly columns: readonly Column[];
  /** Of a whole row. */
  readonly inserts: InsertTexts;
  /** Slots that change together, with the update of one row. */
  changesOf(slots: readonly ColumnSlot[]): ChangedSlots;
}

/** Slots of one table that change together, in one order, and their columns. */
export interface ChangedSlots {
  readonly slots: readonly ColumnSlot[];
  readonly columns: readonly Column[];
  /** The update of one row. */
  readonly text: string;
}

/** Clients choose which slots change together: there may be as many lists as there are sets of slots. */
const MAX_CHANGES = 200;

/** The tables of an entity, the root's first. */
export const describeStoredTables = (model: Model, layout: Layout): readonly StoredTable[] =>
  layout.tables.map((entity) => {
    const { table, keyColumns, discriminator } = storageOf(model, entity);
    const slots = [...layout.slots.values()].filter((slot) => isWritten(slot, entity));
    const arrays = layout.elements
      .filter(isArray)
      .filter(({ declaredBy }) => storingEntity(model, entityOf(model, declaredBy)) === entity);
    const columns = [
      ...keyColumns,
      ...(discriminator === undefined ? [] : [discriminator]),
      ...slots.flatMap(writtenColumns),
      ...arrays.map((attribute) => columnOf(model, attribute)),
    ];
    return {
      entity,
      table,
      keyColumns,
      isConfirmed: isConfirmed(entity),
      discriminator: discriminator && { value: layout.entity.discriminatorValue ?? layout.entity.name },
      slots,
      arrays,
      columns,
      inserts: insertTexts(table, columns),
      changesOf: changesOf(table, keyColumns),
    };
  });

/** Whether writes of the table are confirmed (`StoredTable.isConfirmed`). */
export const isConfirmed = ({ table, isView }: Entity): boolean => table !== undefined && isView !== true;

const isWritten = ({ table, isKey, attribute }: ColumnSlot, entity: Entity): boolean =>
  table === entity.name && !isKey && attribute.generated !== true;

function changesOf(table: Table, keyColumns: readonly Column[]): StoredTable['changesOf'] {
  const known = new Map<string, ChangedSlots>();
  return (unordered) => {
    let name = '';
    for (const { path } of unordered) name += ` ${path}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const slots = [...unordered].sort((left, right) => (left.path < right.path ? -1 : 1));
    const columns = slots.flatMap(writtenColumns);
    const changes = { slots, columns, text: updateText(table, columns, keyColumns) };
    if (known.size < MAX_CHANGES) known.set(name, changes);
    return changes;
  };
}
