import type { Entity } from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import { settleDynamicValues } from '../../../dynamic-attributes/values/settle-dynamic-values.ts';
import { hasDynamicChange, writeDynamicValues } from '../../../dynamic-attributes/values/write-dynamic-values.ts';
import { buildGraph, type SaveGraph, type SaveItem } from '../merge/build-graph.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { changedPaths } from '../merge/merge-values.ts';
import { planSave } from '../plan/plan-save.ts';
import { stampNode } from '../plan/stamp.ts';
import { assertChildrenAllowed } from '../secure/assert-children-allowed.ts';
import type { Key } from '../values/value.ts';
import { assertReferences } from './assert-references.ts';
import { afterSave, beforeSave } from './call-listeners.ts';
import { compositionForm } from './composition-form.ts';
import { removeRows } from './delete-rows.ts';
import { hashPasswords } from './hash-passwords.ts';
import { keepHiddenTargets } from './keep-hidden-targets.ts';
import { noteChange } from './note-change.ts';
import { loadRows, type StoredRow } from './rows.ts';
import { runInOrder } from './run-in-order.ts';
import { tellOwners, touchOwners } from './touch-owners.ts';
import { validateGraph } from './validate-graph.ts';
import type { WriteAction, WriteRights, WriteScope } from './write-scope.ts';

/** A root that was saved. */
export interface Saved {
  readonly entity: Entity;
  readonly key: Key;
}

/** With the values that were sent and are not stored. */
export interface SavedRoot extends Saved {
  readonly unstored: ReadonlyMap<string, ExactJson>;
}

const isChanged = (node: InstanceNode): boolean =>
  node.kind === 'create' || hasDynamicChange(node) || changedPaths(node.layout, node.before, node.after).length > 0;

/**
 * Saves instances with everything below them, inside the scope's transaction: merge → listeners → rights
 * → references → validate → stamp → execute → listeners → owners. Nothing is written before all of it has
 * been found right.
 *
 * @returns the roots, in the order of the items
 */
export async function saveInstances(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  items: readonly SaveItem[],
): Promise<readonly SavedRoot[]> {
  const built = await buildGraph(scope, rights, action, items);
  const kept = await keepHiddenTargets(rights, built.nodes);
  const merged = await settleDynamicValues(scope, rights, action, kept);
  const roots = merged.slice(0, items.length);
  if (rights.access !== undefined)
    assertChildrenAllowed(rights.access, merged, new Set(roots.map(({ key }) => key)), built.removals);
  const prepared: InstanceNode[] = [];
  const formOf = compositionForm(scope.model, merged);
  for (const node of merged) prepared.push(isChanged(node) ? await beforeSave(scope, node, formOf) : node);
  const graph: SaveGraph = { nodes: prepared, removals: built.removals };
  await assertReferences(scope, action, graph.nodes);
  await validateGraph(scope, graph, () => assertReferences({ ...scope, isEager: false }, action, graph.nodes));
  await execute(scope, rights, await hashPasswords(scope, graph.nodes), graph);
  return roots.map(({ entity, key }, at) => ({ entity, key, unstored: items[at]?.input.unstored ?? new Map() }));
}

async function execute(
  scope: WriteScope,
  rights: WriteRights,
  nodes: readonly InstanceNode[],
  graph: SaveGraph,
): Promise<void> {
  const changed = nodes.filter(isChanged).map((node) => {
    const isCounted = scope.changes.find(node.entity, node.key) !== undefined;
    return stampNode(node, scope, isCounted, hasDynamicChange(node));
  });
  const leaving = await loadRemoved(scope, graph);
  for (const row of [...leaving.members, ...leaving.targets]) await rights.assertRow?.('delete', row.entity, row.key);
  // Children that leave a collection go first: their unique values may be taken again by new ones.
  const owners = [...(await removeRows(scope, leaving.members))];
  await runInOrder(scope, planSave(scope.model, changed));
  await writeDynamicValues(scope, changed);
  for (const node of changed) noteChange(scope, node);
  owners.push(...(await removeRows(scope, leaving.targets)));
  for (const node of changed) await rights.assertRow?.(node.kind, node.entity, node.key);
  const formOf = compositionForm(scope.model, nodes);
  for (const node of changed) await afterSave(scope, { node, formOf });
  owners.push(...(await touchOwners(scope, changed, changed)));
  await tellOwners(scope, owners, changed);
}

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
        ...(await loadRows(
          scope.transaction,
          scope.model,
          entity,
          { by: 'key', keys },
          { lock: 'delete', liveOnly: true },
        )),
      );
    }
    return rows;
  };
  return { members: await load(members), targets: await load(targets) };
}
