import type { Entity } from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import { mapInSlices, pauseAt } from '../../slices/map-in-slices.ts';
import { assertChildrenAllowed } from '../authorize/assert-children-allowed.ts';
import { recordChange } from '../changes/record-change.ts';
import { flagReplaced } from '../graph/flag-replaced.ts';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import { afterSave, beforeSave } from '../listeners/call-listeners.ts';
import { compositionForm } from '../listeners/composition-form.ts';
import { assertReferable } from '../merge/assert-referable.ts';
import { buildGraph, type SaveGraph, type SaveItem } from '../merge/build-graph.ts';
import { preserveHiddenReferences } from '../merge/preserve-hidden-references.ts';
import { planSave } from '../plan/plan-save.ts';
import { stampNode } from '../plan/stamp.ts';
import { loadRows, type StoredRow } from '../rows/rows.ts';
import { settlePaths } from '../scope/item-paths.ts';
import { runInOrder } from '../scope/run-in-order.ts';
import type { RowWrite, WriteAction, WriteRights, WriteScope } from '../scope/write-scope.ts';
import { assertReferences } from '../validate/assert-references.ts';
import { validateGraph } from '../validate/validate-graph.ts';
import type { Key } from '../values/value.ts';
import { bumpOwnerVersions, notifyOwners } from './bump-owner-versions.ts';
import { removeRows, toDeletions } from './delete-rows.ts';
import { hashPasswords } from './hash-passwords.ts';
import { settleDynamicValues } from './settle-dynamic-values.ts';
import { hasDynamicChange, writeDynamicValues } from './write-dynamic-values.ts';

/** A root that was saved. */
export interface Saved {
  readonly entity: Entity;
  readonly key: Key;
}

/** With the values that were sent and are not stored. */
export interface SavedRoot extends Saved {
  readonly unstored: ReadonlyMap<string, ExactJson>;
}

/** Whether the instance counts as changed although none of its own values differs. */
const isTouched = (node: InstanceNode): boolean => hasDynamicChange(node) || node.replaced !== undefined;

const isChanged = (node: InstanceNode): boolean =>
  node.kind === 'create' || isTouched(node) || changedPaths(node.layout, node.before, node.after).length > 0;

/**
 * Saves instances with everything below them, inside the scope's transaction: merge → listeners → rights → references →
 * validate → stamp → execute → listeners → owners. Nothing is written before all checks have passed.
 *
 * @returns the roots, in the order of the items
 * @throws PlatformError whose items have their paths from these roots
 */
export const saveInstances = (...given: Parameters<typeof save>): Promise<readonly SavedRoot[]> =>
  settlePaths(() => save(...given));

async function save(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  items: readonly SaveItem[],
): Promise<readonly SavedRoot[]> {
  const built = await buildGraph(scope, rights, action, items);
  const kept = await flagReplaced(scope.writeModel, await preserveHiddenReferences(rights, built.nodes));
  const merged = await settleDynamicValues(scope, rights, action, kept);
  await assertReferable(scope, rights, action, merged);
  const roots = merged.slice(0, items.length);
  if (rights.access !== undefined)
    assertChildrenAllowed(rights.access, merged, new Set(roots.map(({ key }) => key)), built.removals);
  await rights.assertRows?.('stored', toWrites(merged.filter(isChanged)));
  const prepared: InstanceNode[] = [];
  const formOf = compositionForm(scope.model, merged);
  for (const [at, node] of merged.entries()) {
    await pauseAt(at);
    prepared.push(isChanged(node) ? await beforeSave(scope, node, formOf) : node);
  }
  const graph: SaveGraph = { nodes: prepared, removals: built.removals };
  await assertReferences(scope, action, graph.nodes);
  await validateGraph(scope, graph, () => assertReferences({ ...scope, isPipelined: false }, action, graph.nodes));
  await execute(scope, rights, await hashPasswords(scope, graph.nodes), graph);
  return roots.map(({ entity, key }, at) => ({ entity, key, unstored: items[at]?.input.unstored ?? new Map() }));
}

async function execute(
  scope: WriteScope,
  rights: WriteRights,
  nodes: readonly InstanceNode[],
  graph: SaveGraph,
): Promise<void> {
  const changed = await mapInSlices(nodes.filter(isChanged), (node) => {
    const isCounted = scope.changes.find(node.entity, node.key) !== undefined;
    return stampNode(node, scope, isCounted, isTouched(node));
  });
  const leaving = await loadRemoved(scope, graph);
  await rights.assertRows?.('stored', toDeletions([...leaving.members, ...leaving.targets]));
  // Children that leave a collection are removed first: new ones may use their unique values.
  const owners = await removeRows(scope, leaving.members);
  await runInOrder(scope, planSave(scope.model, changed));
  await writeDynamicValues(scope, changed);
  await mapInSlices(changed, (node) => recordChange(scope, node));
  const ownersOfTargets = await removeRows(scope, leaving.targets);
  await rights.assertRows?.('new', toWrites(changed));
  const formOf = compositionForm(scope.model, nodes);
  for (const [at, node] of changed.entries()) {
    await pauseAt(at);
    await afterSave(scope, { node, formOf });
  }
  const touched = await bumpOwnerVersions(scope, changed, changed);
  await notifyOwners(scope, [...owners, ...ownersOfTargets, ...touched], changed);
}

const toWrites = (nodes: readonly InstanceNode[]): readonly RowWrite[] =>
  nodes.map(({ kind, entity, key }) => ({ action: kind, entity, key }));

const NOTHING_REMOVED: { readonly members: readonly StoredRow[]; readonly targets: readonly StoredRow[] } =
  Object.freeze({
    members: [],
    targets: [],
  });

/** `targets` are referred to by the instance they leave, and go when it has let them loose. */
async function loadRemoved(scope: WriteScope, graph: SaveGraph) {
  if (graph.removals.length === 0) return NOTHING_REMOVED;
  const [members, targets] = [
    graph.removals.filter((one) => !one.isTarget),
    graph.removals.filter((one) => one.isTarget),
  ];
  const load = async (removals: SaveGraph['removals']) => {
    const rows = [];
    for (const [entity, group] of Map.groupBy(removals, (removal) => removal.entity)) {
      const keys = group.map(({ key }) => key);
      rows.push(
        await loadRows(
          scope.transaction,
          scope.writeModel,
          entity,
          { by: 'key', keys },
          { lock: 'delete', liveOnly: true },
        ),
      );
    }
    return rows.flat();
  };
  return { members: await load(members), targets: await load(targets) };
}
