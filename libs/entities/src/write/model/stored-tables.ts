import { type Column, type Entity, type Model, storageOf, type Table } from '@lintel/metadata';
import type { ColumnSlot, Layout } from './layout.ts';

/** One of the tables that the instances of an entity have a row in. */
export interface StoredTable {
  readonly entity: Entity;
  readonly table: Table;
  readonly keyColumns: readonly Column[];
  /** The column that names the concrete entity is here. */
  readonly hasDiscriminator: boolean;
  /** Slots of the table besides the key. */
  readonly slots: readonly ColumnSlot[];
  /** Of a whole row: key, discriminator, slots. */
  readonly columns: readonly Column[];
}

const KNOWN = new WeakMap<Layout, readonly StoredTable[]>();

/** The tables of an entity, the root's first; found out once for each layout. */
export function storedTablesOf(model: Model, layout: Layout): readonly StoredTable[] {
  const known = KNOWN.get(layout);
  if (known !== undefined) return known;
  const tables = layout.tables.map((entity) => {
    const { table, keyColumns, discriminator } = storageOf(model, entity);
    const slots = [...layout.slots.values()].filter((slot) => slot.table === entity.name && !slot.isKey);
    return {
      entity,
      table,
      keyColumns,
      hasDiscriminator: discriminator !== undefined,
      slots,
      columns: [
        ...keyColumns,
        ...(discriminator === undefined ? [] : [discriminator]),
        ...slots.flatMap((slot) => slot.columns),
      ],
    };
  });
  KNOWN.set(layout, tables);
  return tables;
}
