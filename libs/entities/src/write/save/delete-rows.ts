import {
  elementsTableOf,
  isArray,
  isSoftDeleted,
  keyColumnsOf,
  linkTableOf,
  type Model,
  rootOf,
  tableOf,
} from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import { keyPartsOf } from '@lintel/query';
import { mapInSlices, pauseAt } from '../../slices/map-in-slices.ts';
import { assertWritable } from '../authorize/assert-allowed.ts';
import { assertRows } from '../authorize/assert-rows.ts';
import { noteDeletion, recordChange } from '../changes/record-change.ts';
import { type InstanceNode, nodeOfRow } from '../graph/instance-node.ts';
import { afterDelete, afterSave, beforeDelete } from '../listeners/call-listeners.ts';
import { compositionForm } from '../listeners/composition-form.ts';
import { assertSettled } from '../merge/assert-settled.ts';
import type { Layout } from '../model/layout.ts';
import { isConfirmed } from '../model/stored-tables.ts';
import { planSave } from '../plan/plan-save.ts';
import { stampNode } from '../plan/stamp.ts';
import { keyParameters } from '../rows/key-parameters.ts';
import type { StoredRow } from '../rows/rows.ts';
import { confirmStatement, deleteStatement, flagStatement } from '../rows/statements.ts';
import { runInOrder } from '../scope/run-in-order.ts';
import type { RowWrite, WriteRights, WriteScope } from '../scope/write-scope.ts';
import type { Value } from '../values/value.ts';
import { bumpOwnerVersions, notifyOwners } from './bump-owner-versions.ts';
import { collectDeletions, type Deletion, type LinkRemoval, type Unlink } from './collect-deletions.ts';
import { removalOfDynamicValues } from './write-dynamic-values.ts';

/** Rows that the caller itself deletes; row-level policies do not bind rows that delete policies delete with them. */
export const toDeletions = (rows: readonly StoredRow[]): readonly RowWrite[] =>
  rows.map(({ entity, key }) => ({ action: 'delete', entity, key }));

/** The rights of a deletion. */
export interface DeletionRights extends Pick<WriteRights, 'delegation'> {
  /** The rows are removed, not marked. */
  readonly isPurge?: boolean | undefined;
  /** Refuses to delete or unlink more rows. */
  readonly maxRows?: number | undefined;
}

/**
 * Deletes instances and all rows that their delete policies include, inside the scope's transaction. The ceiling of
 * delegation applies to each of them.
 *
 * @throws PlatformError DATA_DELETE_POLICY, REQ_COST_EXCEEDED
 */
export const deleteRows = async (
  scope: WriteScope,
  rows: readonly StoredRow[],
  rights: DeletionRights,
): Promise<void> => notifyOwners(scope, await removeRows(scope, rows, rights));

/**
 * The same as a part of a save.
 *
 * @returns owners whose listeners must be called about the removed children
 */
export async function removeRows(
  scope: WriteScope,
  rows: readonly StoredRow[],
  { delegation, isPurge = false, maxRows }: DeletionRights,
): Promise<readonly InstanceNode[]> {
  if (rows.length === 0) return [];
  const { deletions, unlinks, links } = await collectDeletions(scope, rows, isPurge, maxRows);
  const tested = new Set(rows);
  const others = [...deletions, ...unlinks].map(({ row }) => row).filter((row) => !tested.has(row));
  await assertRows({ delegation }, 'stored', others, toDeletions);
  for (const { row } of deletions) assertWritable(row.entity);
  for (const [at, { row }] of deletions.entries()) {
    await pauseAt(at);
    await beforeDelete(scope, row);
  }
  const unlinked = unlinks.map((unlink) => unlinkNode(scope, unlink));
  // Noted before, so that an instance counts its version up once.
  for (const node of unlinked) recordChange(scope, node);
  const ordered = [...deletions].sort((left, right) => left.rank - right.rank);
  const groups = Map.groupBy(
    ordered,
    ({ rank, row, mode }) => `${rank} ${row.entity.name} ${mode} ${mode === 'soft' && isCounted(scope, row)}`,
  );
  await runInOrder(scope, [
    ...planSave(scope.model, unlinked),
    ...links.map((link) => removeLinks(scope, link)),
    ...[...groups.values()].flatMap((group) => remove(scope, group)),
  ]);
  await mapInSlices(deletions, ({ row }) => noteDeletion(scope, row));
  for (const node of unlinked) await afterSave(scope, { node, formOf: compositionForm(scope.model, []) });
  for (const [at, { row }] of deletions.entries()) {
    await pauseAt(at);
    await afterDelete(scope, row);
  }
  const gone = deletions.map(({ row }) => ({ entity: row.entity, key: row.key, before: row.values, after: undefined }));
  return bumpOwnerVersions(scope, [...unlinked, ...gone], unlinked);
}

const isCounted = (scope: WriteScope, { entity, key }: StoredRow): boolean =>
  scope.changes.find(entity, key) !== undefined;

function unlinkNode(scope: WriteScope, { row, path }: Unlink): InstanceNode {
  const after = new Map<string, Value>([...row.values, [path, null]]);
  const node = nodeOfRow(scope.writeModel, row, { after });
  assertSettled(scope, node, after, new Set([path]));
  return stampNode(node, scope, isCounted(scope, row));
}

function removeLinks(scope: WriteScope, { entity, attribute, keys }: LinkRemoval): Statement {
  const table = linkTableOf(scope.model, entity, attribute);
  const types = keyPartsOf(scope.model, entity).map((part) => part.type);
  return deleteStatement(table, table.ownColumns, keyParameters(table.ownColumns, types, keys));
}

/** Instances of one entity that are removed in the same way. */
function remove(scope: WriteScope, group: readonly Deletion[]): readonly Statement[] {
  const { model, writeModel, now, username } = scope;
  const [first] = group;
  if (first === undefined) return [];
  const { entity } = first.row;
  const root = rootOf(model, entity);
  const columns = keyColumnsOf(model, root);
  const types = keyPartsOf(model, entity).map((part) => part.type);
  const values = keyParameters(
    columns,
    types,
    group.map(({ row }) => row.key),
  );
  const layout = writeModel.of(entity);
  if (first.mode === 'hard' || !isSoftDeleted(entity)) {
    // The rows of descendants refer to those of their ancestors.
    const keys = group.map(({ row }) => row.key);
    return [
      ...sideTablesOf(model, layout).map(({ table, own }) => deleteStatement(table, own, values)),
      ...[...layout.tables].reverse().flatMap((entityOfTable) => {
        const [table, own] = [tableOf(entityOfTable), keyColumnsOf(model, entityOfTable)];
        const removal = deleteStatement(table, own, values);
        return isConfirmed(entityOfTable) ? [removal, confirmStatement(table, own, values, 'removed')] : [removal];
      }),
      ...removalOfDynamicValues(model, entity, keys),
    ];
  }
  const slotOf = (name: string | undefined) => (name === undefined ? undefined : layout.slots.get(name));
  const softDeletion = [
    { slot: slotOf(entity.system.deletedDate), value: now },
    { slot: slotOf(entity.system.deletedBy), value: username },
  ].flatMap(({ slot, value }) => (slot?.columns[0] === undefined ? [] : [{ column: slot.columns[0], value }]));
  const table = tableOf(root);
  const version = isCounted(scope, first.row) ? undefined : slotOf(entity.system.version);
  const flagged = flagStatement(table, softDeletion, version?.columns[0], { columns, values });
  return isConfirmed(root) ? [flagged, confirmStatement(table, columns, values)] : [flagged];
}

/** Elements and links of its own are parts of an instance; links that others have to it are not. */
const sideTablesOf = (model: Model, { entity, elements, links }: Layout) => [
  ...elements
    .filter((attribute) => !isArray(attribute))
    .map((attribute) => elementsTableOf(model, attribute))
    .map((table) => ({ table, own: table.ownerColumns })),
  ...links
    .filter(({ owning }) => owning)
    .map((attribute) => linkTableOf(model, entity, attribute))
    .map((table) => ({ table, own: table.ownColumns })),
];
