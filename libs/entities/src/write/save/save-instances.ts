import { mapInSlices, pauseAt } from '../../slices/map-in-slices.ts';
import { assertWritable } from '../authorize/assert-allowed.ts';
import { assertChildrenAllowed } from '../authorize/assert-children-allowed.ts';
import { assertRows } from '../authorize/assert-rows.ts';
import { recordChange } from '../changes/record-change.ts';
import { versionOf } from '../graph/assert-version.ts';
import { clearPasswordOf } from '../graph/clear-password.ts';
import { flagHidden, flagReplaced } from '../graph/flag-replaced.ts';
import type { InstanceNode, Removal } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import { afterSave, beforeSave, hasAfterSave } from '../listeners/call-listeners.ts';
import { compositionForm } from '../listeners/composition-form.ts';
import { assertReferable } from '../merge/assert-referable.ts';
import { settleKept } from '../merge/assert-settled.ts';
import { buildGraph, type SaveGraph, type SaveItem } from '../merge/build-graph.ts';
import { preserveHiddenReferences } from '../merge/preserve-hidden-references.ts';
import { planSave } from '../plan/plan-save.ts';
import { stampNode } from '../plan/stamp.ts';
import type { SavedRoot } from '../read-back/read-saved.ts';
import { loadRows, type StoredRow } from '../rows/rows.ts';
import { settlePaths } from '../scope/item-paths.ts';
import { runInOrder } from '../scope/run-in-order.ts';
import type { RowWrite, WriteAction, WriteRights, WriteScope } from '../scope/write-scope.ts';
import { assertAcyclic } from '../validate/assert-acyclic.ts';
import { assertFilesKept } from '../validate/assert-files-kept.ts';
import { assertReferences } from '../validate/assert-references.ts';
import { validateGraph } from '../validate/validate-graph.ts';
import { bumpOwnerVersions, notifyOwners } from './bump-owner-versions.ts';
import { removeRows, toDeletions } from './delete-rows.ts';
import { hashPasswords } from './hash-passwords.ts';
import { leaveRemoved } from './leave-removed.ts';
import { linkedOwners } from './linked-owners.ts';
import { settleDynamicValues } from './settle-dynamic-values.ts';
import { hasDynamicChange, writeDynamicValues } from './write-dynamic-values.ts';

/** Whether the instance counts as changed although none of its own values differs. */
const isTouched = (node: InstanceNode): boolean => hasDynamicChange(node) || node.replaced !== undefined;

const hasClearPassword = (node: InstanceNode): boolean => clearPasswordOf(node) !== undefined;

const hasDynamicValues = ({ dynamic }: InstanceNode): boolean => dynamic !== undefined && dynamic.length > 0;

const hasOwners = ({ writeModel }: WriteScope, { entity }: InstanceNode): boolean =>
  writeModel.ownershipsOf(entity).length > 0;

const isChanged = (node: InstanceNode): boolean =>
  node.kind === 'create' ||
  isTouched(node) ||
  changedPaths(node.layout, node.before, node.after).some((path) => path !== node.linkedAtOtherEnd);

/** Whether the listeners of the instance are called about the save. */
const isListenedTo = (node: InstanceNode): boolean => node.linkedAtOtherEnd !== undefined || isChanged(node);

/**
 * Saves instances with their composition children, inside the transaction of the scope.
 *
 * @returns the roots, in the order of the items
 * @throws PlatformError whose items have their paths from these roots
 */
export const saveInstances = (...given: Parameters<typeof save>): Promise<readonly SavedRoot[]> =>
  settlePaths(() => save(...given));

/**
 * The stages of a save, in their order. Rules are checked before the save writes its first row, row-level policies on
 * the new rows after its last one.
 */
async function save(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  items: readonly SaveItem[],
): Promise<readonly SavedRoot[]> {
  const merged = await merge(scope, rights, action, items);
  await authorize(scope, rights, action, merged, items.length);
  const graph = await callBeforeSave(scope, await withLinkedOwners(scope, merged));
  await validate(scope, rights, action, graph);
  const nodes = graph.nodes.some(hasClearPassword) ? await hashPasswords(scope, graph.nodes) : graph.nodes;
  const changed = await stamp(scope, nodes);
  const formerOwners = await execute(scope, rights, changed, graph.removals);
  await callAfterSave(scope, nodes, changed);
  const owners = changed.some((node) => hasOwners(scope, node)) ? await bumpOwnerVersions(scope, changed, changed) : [];
  if (formerOwners.length + owners.length > 0) await notifyOwners(scope, [...formerOwners, ...owners], changed);
  return items.map((item, at) => savedRoot(item, graph.nodes[at] as InstanceNode));
}

/** Merges the items into the stored instances; values that are hidden from the caller stay. */
async function merge(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  items: readonly SaveItem[],
): Promise<SaveGraph> {
  const { nodes, removals } = await buildGraph(scope, rights, action, items);
  const hidden = await preserveHiddenReferences(rights, nodes);
  const kept =
    hidden === nodes ? nodes : hidden.map((node, at) => settleKept(scope, node, (nodes[at] as InstanceNode).after));
  const replaced = await flagReplaced(scope.writeModel, kept);
  const flagged = scope.isRehearsal === true ? await flagHidden(scope, replaced) : replaced;
  const settled = flagged.some(hasDynamicValues) ? await settleDynamicValues(scope, rights, action, flagged) : flagged;
  return { nodes: settled, removals };
}

/**
 * Checks the rights that are known only after merging: to refer to the targets, to change or remove the children, and
 * to update the rows as they are stored.
 */
async function authorize(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  { nodes, removals }: SaveGraph,
  rootCount: number,
): Promise<void> {
  for (const node of nodes) if (isChanged(node)) assertWritable(node.entity);
  for (const { entity } of removals) assertWritable(entity);
  if (rights.referable !== undefined) await assertReferable(scope, rights, action, nodes);
  if (rights.access !== undefined && nodes.length + removals.length > rootCount) {
    const roots = new Set(nodes.slice(0, rootCount).map(({ key }) => key));
    assertChildrenAllowed(rights.access, nodes, roots, removals);
  }
  if (bindsRows(rights, nodes)) await assertRows(rights, 'stored', nodes.filter(isChanged), toWrites);
}

async function withLinkedOwners(scope: WriteScope, graph: SaveGraph): Promise<SaveGraph> {
  if (!graph.nodes.some(({ layout }) => layout.links.length > 0)) return graph;
  return { ...graph, nodes: [...graph.nodes, ...(await linkedOwners(scope, graph.nodes))] };
}

/** Calls `beforeSave` for the changed instances; their listeners may set values. */
async function callBeforeSave(scope: WriteScope, { nodes, removals }: SaveGraph): Promise<SaveGraph> {
  const formOf = compositionForm(scope.model, nodes);
  const prepared: InstanceNode[] = [];
  for (const [at, node] of nodes.entries()) {
    if (at > 0) await pauseAt(at);
    prepared.push(isListenedTo(node) ? await beforeSave(scope, node, formOf) : node);
  }
  return { nodes: prepared, removals };
}

/** Checks that the targets of references exist, then the rules of the entities. */
async function validate(scope: WriteScope, rights: WriteRights, action: WriteAction, graph: SaveGraph): Promise<void> {
  await assertReferences(scope, action, graph.nodes);
  await assertFilesKept(scope, rights, graph.nodes);
  // A pipelined save leaves references to the foreign keys; the error of a missing target comes before those of rules.
  await validateGraph(scope, graph, () => assertReferences({ ...scope, isPipelined: false }, action, graph.nodes));
}

/** Sets versions and audit attributes of the changed instances, and returns only these. */
const stamp = (
  scope: WriteScope,
  nodes: readonly InstanceNode[],
): ReturnType<typeof mapInSlices<InstanceNode, InstanceNode>> =>
  mapInSlices(nodes.filter(isChanged), (node) => {
    const isCounted = scope.changes.find(node.entity, node.key) !== undefined;
    return stampNode(node, scope, isCounted, isTouched(node));
  });

/**
 * Plans and executes the statements, records the changes for the events, and tests the row-level policies on the rows
 * as they are afterwards.
 *
 * @returns the owners of removed instances, whose listeners must be called
 */
async function execute(
  scope: WriteScope,
  rights: WriteRights,
  changed: readonly InstanceNode[],
  removals: readonly Removal[],
): Promise<readonly InstanceNode[]> {
  const removed = removals.length === 0 ? NOTHING_REMOVED : await loadRemoved(scope, removals);
  const { members, targets } = removed;
  await assertRows(rights, 'stored', [...members, ...targets], toDeletions);
  // Before the inserts: new instances may reuse the unique values of removed members.
  const ownersOfMembers = members.length === 0 ? [] : await removeRows(scope, members, rights);
  const leaving = leaveRemoved(scope, changed, targets);
  if (leaving !== undefined) await runInOrder(scope, leaving);
  const ownersOfFreed = leaving === undefined ? [] : await removeRows(scope, targets, rights);
  await runInOrder(scope, planSave(scope.model, changed));
  await assertAcyclic(scope, changed);
  if (changed.some(hasDynamicChange)) await writeDynamicValues(scope, changed);
  await mapInSlices(changed, (node) => recordChange(scope, node));
  const ownersOfTargets =
    targets.length === 0 || leaving !== undefined ? ownersOfFreed : await removeRows(scope, targets, rights);
  // An owner that only its own listeners change is not written by the caller.
  if (bindsRows(rights, changed)) {
    const written = changed.filter(({ linkedAtOtherEnd }) => linkedAtOtherEnd === undefined);
    await assertRows(rights, 'new', written, toWrites);
  }
  return [...ownersOfMembers, ...ownersOfTargets];
}

/** Calls `afterSave` for the changed instances; `nodes` are all instances of the save. */
async function callAfterSave(
  scope: WriteScope,
  nodes: readonly InstanceNode[],
  changed: readonly InstanceNode[],
): Promise<void> {
  const formOf = compositionForm(scope.model, nodes);
  const linked = nodes.filter((node) => node.linkedAtOtherEnd !== undefined && !isChanged(node));
  for (const [at, node] of [...changed, ...linked].entries()) {
    if (at > 0) await pauseAt(at);
    if (hasAfterSave(scope, node.entity)) await afterSave(scope, { node, formOf });
  }
}

const savedRoot = ({ input, stored }: SaveItem, { entity, key }: InstanceNode): SavedRoot => ({
  entity,
  key,
  unstored: input.unstored ?? new Map(),
  storedVersion: stored === undefined ? undefined : versionOf(stored),
});

/** Whether rows are tested at all: other saves need not compare their instances again. */
const bindsRows = ({ assertRows: policies, delegation }: WriteRights, nodes: readonly InstanceNode[]): boolean =>
  policies !== undefined || (delegation !== undefined && nodes.some(({ entity }) => delegation.isBound(entity)));

const toWrites = (nodes: readonly InstanceNode[]): readonly RowWrite[] =>
  nodes.map(({ kind, entity, key }) => ({ action: kind, entity, key }));

/** Stored rows that the save removes. */
interface RemovedRows {
  /** Instances that leave a collection; they refer to the owner. */
  readonly members: readonly StoredRow[];
  /** Instances to which the owner refers: they are removed after its reference is updated. */
  readonly targets: readonly StoredRow[];
}

const NOTHING_REMOVED: RemovedRows = Object.freeze({ members: [], targets: [] });

/** Loads and locks the rows of the removals. */
async function loadRemoved(scope: WriteScope, removals: readonly Removal[]): Promise<RemovedRows> {
  const load = async (some: readonly Removal[]): Promise<readonly StoredRow[]> => {
    const rows: (readonly StoredRow[])[] = [];
    for (const [entity, group] of Map.groupBy(some, (removal) => removal.entity)) {
      const keys = group.map(({ key }) => key);
      const locked = { lock: 'delete', liveOnly: true } as const;
      rows.push(await loadRows(scope.transaction, scope.writeModel, entity, { by: 'key', keys }, locked));
    }
    return rows.flat();
  };
  const members = await load(removals.filter(({ isTarget }) => !isTarget));
  const targets = await load(removals.filter(({ isTarget }) => isTarget));
  return { members, targets };
}
