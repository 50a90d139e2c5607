import {
  type Column,
  type ElementsAttribute,
  type Entity,
  elementsTableOf,
  entityOf,
  linkTableOf,
  type Model,
  type ReferenceAttribute,
} from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import { keyPartsOf, type LiteralType } from '@lintel/query';
import type { ColumnSlot, Layout } from '../layout/layout.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { changedPaths } from '../merge/merge-values.ts';
import { toParameter } from '../values/column-value.ts';
import {
  isReference,
  type Key,
  keyText,
  type Reference,
  type Scalar,
  type Value,
  type Values,
} from '../values/value.ts';
import { freeUniqueValues } from './free-unique-values.ts';
import { insertOrder } from './insert-order.ts';
import { keyParameters } from './sql-text.ts';
import { deleteStatement, insertStatement, updateStatement } from './statements.ts';
import { type StoredTable, storedTablesOf } from './stored-tables.ts';

/**
 * The statements of a save, in an order that keeps every foreign key and unique value: unique values that are
 * let go, new rows after the rows they refer to, changed columns of stored rows, collections.
 */
export function planSave(model: Model, nodes: readonly InstanceNode[]): readonly Statement[] {
  const created = nodes.filter((node) => node.kind === 'create');
  const updated = nodes.filter((node) => node.kind === 'update');
  return [
    ...freeUniqueValues(model, created, updated, updateSlots),
    ...insertOrder(model, created).flatMap((group) => insertRows(model, group)),
    ...updateRows(model, updated),
    ...saveCollections(model, nodes),
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
  return storedTablesOf(model, layout).map(({ table, columns, slots, hasDiscriminator }) => {
    const rows = nodes.map((node) => {
      const row = [...keyOfRow(layout, node.key)];
      if (hasDiscriminator) row.push(node.entity.name);
      for (const slot of slots) row.push(...parametersOf(slot, node.after.get(slot.path) ?? null));
      return row;
    });
    return insertStatement(table, columns, rows);
  });
}

const keyOfRow = (layout: Layout, key: Key): readonly unknown[] =>
  layout.key.map((slot, at) => toParameter(slot.types[0] as LiteralType, key[at] ?? null));

/** One row of a table whose columns change. */
interface ChangedRow {
  readonly node: InstanceNode;
  readonly slots: readonly ColumnSlot[];
}

/**
 * Only the columns that differ; nothing at all when none does. Rows of one table that change the same columns
 * share a statement.
 */
function updateRows(model: Model, nodes: readonly InstanceNode[]): readonly Statement[] {
  const rows = nodes.map((node) => ({
    node,
    slots: changedPaths(node.layout, node.before, node.after).flatMap((path) => node.layout.slots.get(path) ?? []),
  }));
  return updateSlots(model, rows);
}

/** Slots of one table that change together, in one order, and their columns. */
interface ChangedSlots {
  readonly slots: readonly ColumnSlot[];
  readonly columns: readonly Column[];
}

/** What clients change together by the names of the slots; there may be as many lists as there are sets of slots. */
const CHANGED = new WeakMap<StoredTable, Map<string, ChangedSlots>>();
const MAX_CHANGED = 200;

function changedSlots(stored: StoredTable, name: string, unordered: readonly ColumnSlot[]): ChangedSlots {
  const known = CHANGED.get(stored) ?? new Map<string, ChangedSlots>();
  CHANGED.set(stored, known);
  const found = known.get(name);
  if (found !== undefined) return found;
  const slots = [...unordered].sort((left, right) => (left.path < right.path ? -1 : 1));
  const made = { slots, columns: slots.flatMap((slot) => slot.columns) };
  if (known.size < MAX_CHANGED) known.set(name, made);
  return made;
}

/** The same of some columns. */
function updateSlots(model: Model, changed: readonly ChangedRow[]): readonly Statement[] {
  const groups = new Map<
    string,
    { readonly stored: StoredTable; readonly name: string; readonly rows: ChangedRow[] }
  >();
  for (const { node, slots } of changed) {
    const { layout } = node;
    for (const stored of storedTablesOf(model, layout)) {
      const own = slots.filter((slot) => slot.table === stored.entity.name);
      if (own.length === 0) continue;
      const name = [stored.entity.name, ...own.map(({ path }) => path).sort()].join(' ');
      const group = groups.get(name) ?? { stored, name, rows: [] };
      groups.set(name, group);
      group.rows.push({ node, slots: own });
    }
  }
  return [...groups.values()].map(({ stored, name, rows }) => {
    const { slots, columns } = changedSlots(stored, name, (rows[0] as ChangedRow).slots);
    return updateStatement(
      stored.table,
      columns,
      stored.keyColumns,
      rows.map(({ node }) => ({
        key: keyOfRow(node.layout, node.key),
        values: slots.flatMap((slot) => parametersOf(slot, node.after.get(slot.path) ?? null)),
      })),
    );
  });
}

/** Collections of new instances travel together, those of a stored one by themselves. */
function saveCollections(model: Model, nodes: readonly InstanceNode[]): readonly Statement[] {
  const statements: Statement[] = [];
  for (const group of Map.groupBy(nodes, (node) => node.entity).values()) {
    const { layout } = group[0] as (typeof group)[number];
    if (layout.elements.length === 0 && layout.links.length === 0) continue;
    const changed = new Map(group.map((node) => [node, new Set(changedPaths(layout, node.before, node.after))]));
    const changing = (name: string) => group.filter((node) => changed.get(node)?.has(name));
    for (const attribute of layout.elements)
      statements.push(...saveElements(model, changing(attribute.name), attribute));
    for (const attribute of layout.links) statements.push(...saveLinks(model, changing(attribute.name), attribute));
  }
  return statements;
}

const typesOf = (model: Model, entity: Entity): readonly LiteralType[] =>
  keyPartsOf(model, entity).map((part) => part.type);

/** The whole collection is written anew: positions shift anyway. */
function saveElements(
  model: Model,
  nodes: readonly InstanceNode[],
  attribute: ElementsAttribute,
): readonly Statement[] {
  const [first] = nodes;
  if (first === undefined) return [];
  const table = elementsTableOf(model, attribute);
  const type: LiteralType = { kind: 'datatype', datatype: attribute.datatype };
  const stored = nodes.filter((node) => node.kind === 'update').map((node) => node.key);
  const rows = nodes.flatMap((node) =>
    ((node.after.get(attribute.name) ?? []) as readonly Scalar[]).map((value, position) => [
      ...keyOfRow(node.layout, node.key),
      position,
      toParameter(type, value),
    ]),
  );
  const owner = table.ownerColumns;
  return [
    ...(stored.length === 0
      ? []
      : [deleteStatement(table, owner, keyParameters(owner, typesOf(model, first.entity), stored))]),
    ...(rows.length === 0 ? [] : [insertStatement(table, [...owner, table.positionColumn, table.valueColumn], rows)]),
  ];
}

/** Only the links that come or go. */
function saveLinks(model: Model, nodes: readonly InstanceNode[], attribute: ReferenceAttribute): readonly Statement[] {
  const [first] = nodes;
  if (first === undefined) return [];
  const table = linkTableOf(model, first.entity, attribute);
  const types = [...typesOf(model, first.entity), ...typesOf(model, entityOf(model, attribute.target))];
  const columns = [...table.ownColumns, ...table.targetColumns];
  const gone = nodes.flatMap((node) => linksWithout(node, attribute, node.before, node.after));
  const added = nodes.flatMap((node) => linksWithout(node, attribute, node.after, node.before));
  return [
    ...(gone.length === 0 ? [] : [deleteStatement(table, columns, keyParameters(columns, types, gone))]),
    ...(added.length === 0
      ? []
      : [
          insertStatement(
            table,
            columns,
            added.map((key) => types.map((type, at) => toParameter(type, key[at] ?? null))),
          ),
        ]),
  ];
}

/** Keys of both ends for the members that are in `some` and not in `others`. */
function linksWithout(
  node: InstanceNode,
  attribute: ReferenceAttribute,
  some: Values | undefined,
  others: Values | undefined,
): readonly Key[] {
  const membersOf = (values: Values | undefined) => (values?.get(attribute.name) ?? []) as readonly Reference[];
  const known = new Set(membersOf(others).map(({ key }) => keyText(key)));
  return membersOf(some)
    .filter(({ key }) => !known.has(keyText(key)))
    .map(({ key }) => [...node.key, ...key]);
}
