import {
  type ArrayAttribute,
  columnOf,
  type ElementsAttribute,
  type Entity,
  elementsTableOf,
  entityOf,
  isArray,
  lineageOf,
  linkTableOf,
  type Model,
  type ReferenceAttribute,
  storageOf,
} from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import { arrayParameter, datatypeOf, keyPartsOf, type LiteralType, toParameter } from '@lintel/query';
import { type InstanceNode, isLeftOut } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import type { ColumnSlot, Layout } from '../model/layout.ts';
import { isConfirmed, type StoredTable } from '../model/stored-tables.ts';
import { keyParameters } from '../rows/key-parameters.ts';
import {
  confirmStatement,
  DEFAULT,
  deleteStatement,
  insertStatement,
  insertsWithDefaults,
  updateStatement,
} from '../rows/statements.ts';
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
import type { UpdateSlots } from './leavers-first.ts';
import { moveReferences, type ReferenceMoves } from './move-references.ts';

/** Maximum number of rows that one statement inserts or changes: building and sending it takes a few milliseconds. */
const MAX_ROWS = 1_000;

/**
 * The statements of a save, in an order that keeps every foreign key and unique value: released unique values and
 * targets of 1:1 references, new rows after the rows they refer to, changed columns of stored rows, collections. Each
 * statement is built when the generator reaches it.
 */
export function* planSave(model: Model, nodes: readonly InstanceNode[]): Generator<Statement> {
  const [only] = nodes;
  if (only !== undefined && nodes.length === 1) {
    yield* only.kind === 'create' ? insertRows(model, nodes) : updateRows(nodes);
    yield* saveCollections(model, nodes);
    return;
  }
  const created = nodes.filter((node) => node.kind === 'create');
  const updated = nodes.filter((node) => node.kind === 'update');
  const update: UpdateSlots = (rows) => [...updateSlots(rows)];
  const moved = moveReferences(model, created, updated, update);
  const freed = freeUniqueValues(model, created, updated, update);
  const statements = planMany(model, nodes, created, updated, [...freed.statements, ...moved.beforeInserts], moved);
  if (!freed.isExchange && !moved.isExchange) return yield* statements;
  // Constraints that are not deferrable refuse the exchange as before.
  yield { text: 'SET CONSTRAINTS ALL DEFERRED', values: [] };
  for (const statement of statements) yield exchanging(statement);
  yield exchanging({ text: 'SET CONSTRAINTS ALL IMMEDIATE', values: [] });
}

const exchanging = (statement: Statement): Statement => ({
  ...statement,
  target: { schema: '', table: '', columns: [], ...statement.target, isExchange: true },
});

function* planMany(
  model: Model,
  nodes: readonly InstanceNode[],
  created: readonly InstanceNode[],
  updated: readonly InstanceNode[],
  first: readonly Statement[],
  { insertedFirst, betweenInserts, afterInserts }: ReferenceMoves,
): Generator<Statement> {
  yield* first;
  if (insertedFirst.size > 0)
    yield* insertAll(
      model,
      created.filter((node) => insertedFirst.has(node)),
    );
  yield* betweenInserts;
  const others = insertedFirst.size === 0 ? created : created.filter((node) => !insertedFirst.has(node));
  if (others.length > 0) yield* insertAll(model, others);
  yield* afterInserts;
  yield* updateRows(updated);
  yield* saveCollections(model, nodes);
}

function* partsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += MAX_ROWS)
    yield items.length <= MAX_ROWS ? items : items.slice(at, at + MAX_ROWS);
}

/** Adds the values of the columns that a slot writes; a reference has one for each part of its key. */
function addParameters(row: unknown[], slot: ColumnSlot, value: Value): void {
  for (let index = 0; index < slot.written.length; index += 1) {
    const at = slot.written[index] as number;
    const part = isReference(value) ? value.key[at] : slot.attribute.kind === 'reference' ? null : (value as Scalar);
    row.push(toParameter(slot.types[at] as LiteralType, part ?? null));
  }
}

function parametersOf(slots: readonly ColumnSlot[], node: InstanceNode): readonly unknown[] {
  const row: unknown[] = [];
  for (const slot of slots) addParameters(row, slot, node.after.get(slot.path) ?? null);
  return row;
}

/** New rows, each after those that it refers to. */
function* insertAll(model: Model, nodes: readonly InstanceNode[]): Generator<Statement> {
  for (const group of insertOrder(model, nodes)) yield* insertRows(model, group);
}

/** Rows of one entity, in the table of each ancestor in turn. */
function* insertRows(model: Model, nodes: readonly InstanceNode[]): Generator<Statement> {
  const [first] = nodes;
  if (first === undefined) return;
  const { layout } = first;
  // Rows that may refer to each other are inserted by one statement, at whose end the references are checked.
  const parts = nodes.length <= MAX_ROWS || mayReferToItself(model, layout) ? [nodes] : partsOf(nodes);
  for (const part of parts) {
    for (const stored of layout.storedTables) {
      const { table, columns, slots, arrays, discriminator, inserts } = stored;
      const rows = part.map((node) => {
        const row = [...keyOfRow(layout, node.key)];
        if (discriminator !== undefined) row.push(discriminator.value);
        for (const slot of slots) {
          if (isLeftOut(node, slot)) row.push(DEFAULT);
          else addParameters(row, slot, node.after.get(slot.path) ?? null);
        }
        for (const attribute of arrays) row.push(arrayOf(node, attribute));
        return row;
      });
      if (slots.some(({ attribute }) => attribute.databaseDefault === true))
        yield* insertsWithDefaults(table, columns, rows);
      else yield insertStatement(table, columns, rows, inserts);
      if (stored.isConfirmed) yield confirmed(stored, part);
    }
  }
}

/** Fails where the rows are not as they were written. */
const confirmed = (
  { table, keyColumns }: Pick<StoredTable, 'table' | 'keyColumns'>,
  nodes: readonly InstanceNode[],
): Statement => {
  const types = (nodes[0] as InstanceNode).layout.key.map((slot) => slot.types[0] as LiteralType);
  const keys = nodes.map(({ key }) => key);
  return confirmStatement(table, keyColumns, keyParameters(keyColumns, types, keys));
};

/** Whether instances of an entity have a reference to instances of its own family. */
function mayReferToItself(model: Model, { entity, slots }: Layout): boolean {
  const rootOf = (one: Entity): Entity => lineageOf(model, one).at(-1) ?? one;
  return [...slots.values()].some(
    ({ attribute }) => attribute.kind === 'reference' && rootOf(entityOf(model, attribute.target)) === rootOf(entity),
  );
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
function updateRows(nodes: readonly InstanceNode[]): Generator<Statement> {
  const rows = nodes.map((node) => ({
    node,
    slots: changedPaths(node.layout, node.before, node.after).flatMap((path) => node.layout.slots.get(path) ?? []),
  }));
  return updateSlots(rows);
}

/** The same of some columns. */
export function* updateSlots(changed: readonly ChangedRow[]): Generator<Statement> {
  const groups = new Map<string, { readonly stored: StoredTable; readonly rows: ChangedRow[] }>();
  for (const { node, slots } of changed) {
    const { layout } = node;
    for (const stored of layout.storedTables) {
      // A reference over columns of other attributes changes together with them.
      const own = slots.filter((slot) => slot.table === stored.entity.name && slot.written.length > 0);
      if (own.length === 0) continue;
      const name = changed.length === 1 ? stored.entity.name : nameOf(stored, own);
      const group = groups.get(name) ?? { stored, rows: [] };
      groups.set(name, group);
      group.rows.push({ node, slots: own });
    }
  }
  for (const { stored, rows } of groups.values()) {
    const { slots, columns, text } = stored.changesOf((rows[0] as ChangedRow).slots);
    for (const part of partsOf(rows)) {
      yield updateStatement(
        stored.table,
        columns,
        stored.keyColumns,
        part.map(({ node }) => ({
          key: keyOfRow(node.layout, node.key),
          values: parametersOf(slots, node),
        })),
        () => text,
      );
      if (stored.isConfirmed)
        yield confirmed(
          stored,
          part.map(({ node }) => node),
        );
    }
  }
}

const nameOf = (stored: StoredTable, slots: readonly ColumnSlot[]): string =>
  [stored.entity.name, ...slots.map(({ path }) => path).sort()].join(' ');

/** Collections of new instances travel together, those of a stored one by themselves. */
function* saveCollections(model: Model, nodes: readonly InstanceNode[]): Generator<Statement> {
  if (nodes.every(({ layout }) => layout.elements.length === 0 && layout.links.length === 0)) return;
  for (const group of Map.groupBy(nodes, (node) => node.entity).values()) {
    const { layout } = group[0] as (typeof group)[number];
    if (layout.elements.length === 0 && layout.links.length === 0) continue;
    const changed = new Map(group.map((node) => [node, new Set(changedPaths(layout, node.before, node.after))]));
    const changing = (name: string) =>
      group.filter((node) => changed.get(node)?.has(name) && node.linkedAtOtherEnd !== name);
    for (const attribute of layout.elements)
      yield* isArray(attribute)
        ? saveArray(model, changing(attribute.name), attribute)
        : saveElements(model, changing(attribute.name), attribute);
    for (const attribute of layout.links) yield* saveLinks(model, changing(attribute.name), attribute);
  }
}

const typesOf = (model: Model, entity: Entity): readonly LiteralType[] =>
  keyPartsOf(model, entity).map((part) => part.type);

const elementsOf = (node: InstanceNode, { name }: ElementsAttribute): readonly Scalar[] =>
  (node.after.get(name) ?? []) as readonly Scalar[];

/** The array column of an instance; new rows are inserted with it. */
const arrayOf = (node: InstanceNode, attribute: ArrayAttribute): string =>
  arrayParameter(datatypeOf(attribute), elementsOf(node, attribute));

function* saveArray(model: Model, nodes: readonly InstanceNode[], attribute: ArrayAttribute): Generator<Statement> {
  const owner = entityOf(model, attribute.declaredBy);
  const { table, keyColumns } = storageOf(model, owner);
  for (const part of partsOf(nodes.filter(({ kind }) => kind === 'update'))) {
    if (part.length === 0) continue;
    yield updateStatement(
      table,
      [columnOf(model, attribute)],
      keyColumns,
      part.map((node) => ({ key: keyOfRow(node.layout, node.key), values: [arrayOf(node, attribute)] })),
    );
    if (isConfirmed(owner)) yield confirmed({ table, keyColumns }, part);
  }
}

/** The whole collection is written anew: positions shift anyway. */
function saveElements(
  model: Model,
  nodes: readonly InstanceNode[],
  attribute: ElementsAttribute,
): readonly Statement[] {
  const [first] = nodes;
  if (first === undefined) return [];
  const table = elementsTableOf(model, attribute);
  const type = datatypeOf(attribute);
  const stored = nodes.filter((node) => node.kind === 'update').map((node) => node.key);
  const rows = nodes.flatMap((node) =>
    elementsOf(node, attribute).map((value, position) => [
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

/** Saves only the links that are added or removed. */
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
): readonly (readonly Scalar[])[] {
  const membersOf = (values: Values | undefined) => (values?.get(attribute.name) ?? []) as readonly Reference[];
  const known = new Set(membersOf(others).map(({ key }) => keyText(key)));
  return membersOf(some)
    .filter(({ key }) => !known.has(keyText(key)))
    .map(({ key }) => [...node.key, ...key]);
}
