import {
  type Column,
  type ElementsAttribute,
  type Entity,
  elementsTableOf,
  entityOf,
  keyColumnsOf,
  linkTableOf,
  type Model,
  type ReferenceAttribute,
  storageOf,
} from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import { keyPartsOf, type LiteralType } from '@lintel/query';
import type { ColumnSlot, Layout } from '../layout/layout.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { changedPaths } from '../merge/merge-values.ts';
import { toParameter } from '../values/column-value.ts';
import { isReference, type Key, keyText, type Reference, type Scalar, type Value } from '../values/value.ts';
import { insertOrder } from './insert-order.ts';
import { keyParameters } from './sql-text.ts';
import { deleteStatement, insertStatement, updateStatement } from './statements.ts';

/**
 * The statements of a save, in an order that keeps every foreign key: new rows after the rows they refer
 * to, then changed columns of stored rows, then collections.
 */
export function planSave(model: Model, nodes: readonly InstanceNode[]): readonly Statement[] {
  const created = nodes.filter((node) => node.kind === 'create');
  const updated = nodes.filter((node) => node.kind === 'update');
  return [
    ...insertOrder(model, created).flatMap((group) => insertRows(model, group)),
    ...updated.flatMap((node) => updateRow(model, node)),
    ...nodes.flatMap((node) => saveCollections(model, node)),
  ];
}

/** Columns of a slot's value; a reference has one for each part of its key. */
function parametersOf(slot: ColumnSlot, value: Value): readonly unknown[] {
  return slot.types.map((type, at) => {
    const part = isReference(value) ? value.key[at] : slot.attribute.kind === 'reference' ? null : (value as Scalar);
    return toParameter(type, part ?? null);
  });
}

/** Rows of one entity, in the table of each ancestor in turn. */
function insertRows(model: Model, nodes: readonly InstanceNode[]): readonly Statement[] {
  const [first] = nodes;
  if (first === undefined) return [];
  const { layout } = first;
  return layout.tables.map((entity) => {
    const storage = storageOf(model, entity);
    const slots = [...layout.slots.values()].filter((slot) => slot.table === entity.name && !slot.isKey);
    const columns: Column[] = [
      ...storage.keyColumns,
      ...(storage.discriminator === undefined ? [] : [storage.discriminator]),
      ...slots.flatMap((slot) => slot.columns),
    ];
    const rows = nodes.map((node) => [
      ...keyOfRow(layout, node.key),
      ...(storage.discriminator === undefined ? [] : [node.entity.name]),
      ...slots.flatMap((slot) => parametersOf(slot, node.after.get(slot.path) ?? null)),
    ]);
    return insertStatement(storage.table, columns, rows);
  });
}

const keyOfRow = (layout: Layout, key: Key): readonly unknown[] =>
  layout.key.map((slot, at) => toParameter(slot.types[0] as LiteralType, key[at] ?? null));

/** Only the columns that differ; nothing at all when none does. */
function updateRow(model: Model, node: InstanceNode): readonly Statement[] {
  const { layout } = node;
  const changed = changedPaths(layout, node.before, node.after);
  const slots = changed.flatMap((path) => layout.slots.get(path) ?? []);
  return layout.tables.flatMap((entity) => {
    const own = slots.filter((slot) => slot.table === entity.name);
    if (own.length === 0) return [];
    return updateStatement(
      storageOf(model, entity).table,
      own.flatMap((slot) => slot.columns),
      own.flatMap((slot) => parametersOf(slot, node.after.get(slot.path) ?? null)),
      { columns: keyColumnsOf(model, entity), values: keyOfRow(layout, node.key) },
    );
  });
}

function saveCollections(model: Model, node: InstanceNode): readonly Statement[] {
  const changed = new Set(changedPaths(node.layout, node.before, node.after));
  return [
    ...node.layout.elements
      .filter(({ name }) => changed.has(name))
      .flatMap((attribute) => saveElements(model, node, attribute)),
    ...node.layout.links
      .filter(({ name }) => changed.has(name))
      .flatMap((attribute) => saveLinks(model, node, attribute)),
  ];
}

const typesOf = (model: Model, entity: Entity): readonly LiteralType[] =>
  keyPartsOf(model, entity).map((part) => part.type);

/** The whole collection is written anew: positions shift anyway. */
function saveElements(model: Model, node: InstanceNode, attribute: ElementsAttribute): readonly Statement[] {
  const table = elementsTableOf(model, attribute);
  const own = keyOfRow(node.layout, node.key);
  const type: LiteralType = { kind: 'datatype', datatype: attribute.datatype };
  const values = (node.after.get(attribute.name) ?? []) as readonly Scalar[];
  const statements: Statement[] = [];
  if (node.kind === 'update')
    statements.push(
      deleteStatement(
        table,
        table.ownerColumns,
        keyParameters(table.ownerColumns, typesOf(model, node.entity), [node.key]),
      ),
    );
  if (values.length > 0)
    statements.push(
      insertStatement(
        table,
        [...table.ownerColumns, table.positionColumn, table.valueColumn],
        values.map((value, position) => [...own, position, toParameter(type, value)]),
      ),
    );
  return statements;
}

/** Only the links that come or go. */
function saveLinks(model: Model, node: InstanceNode, attribute: ReferenceAttribute): readonly Statement[] {
  const table = linkTableOf(model, node.entity, attribute);
  const [types, targetTypes] = [typesOf(model, node.entity), typesOf(model, entityOf(model, attribute.target))];
  const membersOf = (values: InstanceNode['before']): readonly Reference[] =>
    (values?.get(attribute.name) ?? []) as readonly Reference[];
  const [before, after] = [membersOf(node.before), membersOf(node.after)];
  const without = (list: readonly Reference[], other: readonly Reference[]): readonly Key[] => {
    const known = new Set(other.map(({ key }) => keyText(key)));
    return list.map(({ key }) => key).filter((key) => !known.has(keyText(key)));
  };
  const columns = [...table.ownColumns, ...table.targetColumns];
  const row = (key: Key): Key => [...node.key, ...key];
  const [gone, added] = [without(before, after).map(row), without(after, before).map(row)];
  const allTypes = [...types, ...targetTypes];
  return [
    ...(gone.length === 0 ? [] : [deleteStatement(table, columns, keyParameters(columns, allTypes, gone))]),
    ...(added.length === 0
      ? []
      : [
          insertStatement(
            table,
            columns,
            added.map((key) => allTypes.map((type, at) => toParameter(type, key[at] ?? null))),
          ),
        ]),
  ];
}
