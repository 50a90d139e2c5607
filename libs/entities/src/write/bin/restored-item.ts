import { type Entity, entityOf, isSoftDeleted, isToOne, type ReferenceAttribute } from '@lintel/metadata';
import type { SaveItem } from '../merge/build-graph.ts';
import type { InstanceInput, SentChildren } from '../parse/instance-input.ts';
import { assertRowCount, loadRows, type RowSelection, type StoredRow } from '../rows/rows.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { isReference, keyText, type Value } from '../values/value.ts';

/** A soft-deleted instance, and its children that come back with it. */
interface Restored {
  readonly row: StoredRow;
  readonly input: InstanceInput & { readonly children: Map<string, SentChildren> };
}

/**
 * The update that restores a soft-deleted instance: its composition children at any depth that were deleted with it
 * come back, the others stay as they are. Loads and locks them, one statement for each composition of a level.
 *
 * @param maxRows the limit of the caller
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export async function restoredItem(scope: WriteScope, row: StoredRow, maxRows?: number): Promise<SaveItem> {
  const root = restored(row, '');
  let count = 1;
  let level: readonly Restored[] = [root];
  while (level.length > 0) {
    const next: Restored[] = [];
    for (const [entity, parents] of Map.groupBy(level, (one) => one.row.entity))
      for (const attribute of compositionsOf(scope, entity))
        for (const child of await addChildren(scope, attribute, parents, maxRows)) next.push(child);
    count += next.length;
    assertRowCount(count, maxRows);
    level = next;
  }
  return { input: root.input, stored: row };
}

const restored = (row: StoredRow, path: string): Restored => ({
  row,
  input: {
    entity: row.entity,
    path,
    key: row.key,
    version: undefined,
    values: new Map(),
    children: new Map(),
    unstored: new Map(),
    dynamic: [],
  },
});

const compositionsOf = ({ model }: WriteScope, { attributes }: Entity): readonly ReferenceAttribute[] =>
  [...attributes.values()].filter(
    (attribute): attribute is ReferenceAttribute =>
      attribute.kind === 'reference' && attribute.composition && isSoftDeleted(entityOf(model, attribute.target)),
  );

async function addChildren(
  scope: WriteScope,
  attribute: ReferenceAttribute,
  parents: readonly Restored[],
  maxRows: number | undefined,
): Promise<readonly Restored[]> {
  const { transaction, writeModel, model } = scope;
  const target = entityOf(model, attribute.target);
  const selection = selectionOf(scope, attribute, target, parents);
  if (selection === undefined) return [];
  const rows = await loadRows(transaction, writeModel, target, selection, { lock: 'update', liveOnly: false, maxRows });
  const byOwner = Map.groupBy(rows, ({ key, values }) =>
    attribute.owning ? keyText(key) : keyTextOf(values.get(attribute.inverse ?? '')),
  );
  return parents.flatMap(({ row, input }) => {
    const owned = byOwner.get(attribute.owning ? keyTextOf(row.values.get(attribute.name)) : keyText(row.key)) ?? [];
    const found = owned
      .filter((child) => isDeletedWith(child, row))
      .map((child, at) => restored(child, pathOf(input.path, attribute, at)));
    const [first] = found;
    if (first === undefined) return [];
    const children = found.map((child) => child.input);
    input.children.set(
      attribute.name,
      isToOne(attribute)
        ? { kind: 'one', child: first.input }
        : { kind: 'many', children, isPatch: true, removed: new Map() },
    );
    return found;
  });
}

function selectionOf(
  { writeModel }: WriteScope,
  attribute: ReferenceAttribute,
  target: Entity,
  parents: readonly Restored[],
): RowSelection | undefined {
  if (attribute.owning) {
    const links = parents.map(({ row }) => row.values.get(attribute.name));
    return { by: 'key', keys: links.flatMap((link) => (isReference(link) ? [link.key] : [])) };
  }
  const slot = writeModel.of(target).slots.get(attribute.inverse ?? '');
  return slot && { by: 'reference', slot, keys: parents.map(({ row }) => row.key) };
}

const keyTextOf = (link: Value | undefined): string => (isReference(link) ? keyText(link.key) : '');

const pathOf = (above: string, { name, cardinality }: ReferenceAttribute, at: number): string =>
  `${above === '' ? '' : `${above}.`}${name}${cardinality === 'ONE_TO_MANY' ? `[${at}]` : ''}`;

/** One deletion gives all its rows the same time. */
const isDeletedWith = (child: StoredRow, owner: StoredRow): boolean => {
  const time = child.values.get(child.entity.system.deletedDate ?? '') ?? null;
  return time !== null && time === owner.values.get(owner.entity.system.deletedDate ?? '');
};
