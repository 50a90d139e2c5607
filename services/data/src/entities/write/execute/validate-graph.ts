import { validationError } from '@lintel/errors';
import { entityOf, isToMany, type ReferenceAttribute } from '@lintel/metadata';
import { layoutOf } from '../layout/layout.ts';
import type { SaveGraph } from '../merge/build-graph.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { validateNode } from '../validate/validate-node.ts';
import { toJsonForm } from '../values/json-form.ts';
import { keyText } from '../values/value.ts';
import { loadRows } from './rows.ts';
import { loadElements, loadLinks } from './side-tables.ts';
import type { WriteScope } from './write-scope.ts';

type Members = Record<string, unknown>;

/**
 * Tests every rule of every instance before anything is written (contract §3.12).
 *
 * @throws PlatformError DATA_VALIDATION_FAILED with all violations
 */
export async function validateGraph(scope: WriteScope, graph: SaveGraph): Promise<void> {
  const items = [];
  for (const node of graph.nodes) {
    const members = await membersForRules(scope, graph, node);
    items.push(...validateNode(scope.model, node, members, scope.now));
  }
  if (items.length > 0) throw validationError(items);
}

/** Collections that rules of the instance read, as they will be after the save. */
async function membersForRules(scope: WriteScope, graph: SaveGraph, node: InstanceNode): Promise<Members> {
  const wanted = new Set(node.entity.rules.flatMap((rule) => rule.dependsOn));
  const members: Members = {};
  for (const name of wanted) {
    const attribute = node.entity.attributes.get(name);
    if (attribute?.kind === 'elements' && !node.after.has(name)) {
      const found = await loadElements(scope.transaction, scope.model, node.entity, attribute, [node.key]);
      members[name] = found.get(keyText(node.key)) ?? [];
    } else if (attribute !== undefined && isToMany(attribute)) {
      members[name] = await membersOf(scope, graph, node, attribute);
    }
  }
  return members;
}

async function membersOf(
  scope: WriteScope,
  graph: SaveGraph,
  node: InstanceNode,
  attribute: ReferenceAttribute,
): Promise<unknown> {
  const { model, transaction } = scope;
  const target = entityOf(model, attribute.target);
  if (attribute.cardinality === 'MANY_TO_MANY') {
    const stored = node.after.has(attribute.name)
      ? node.after
      : new Map([
          [
            attribute.name,
            (await loadLinks(transaction, model, node.entity, attribute, [node.key])).get(keyText(node.key)) ?? [],
          ],
        ]);
    return toJsonForm(model, node.layout, stored, new Set([attribute.name]))[attribute.name];
  }
  const slot = layoutOf(model, target).slots.get(attribute.inverse ?? '');
  if (slot === undefined) return [];
  const removed = new Set(graph.removals.map(({ key }) => keyText(key)));
  const isMember = (other: InstanceNode): boolean =>
    other.layout.entity.name === target.name &&
    JSON.stringify(other.after.get(slot.path)) === JSON.stringify({ key: node.key });
  const inGraph = new Map(
    graph.nodes.filter((other) => other.layout.slots.has(slot.path)).map((other) => [keyText(other.key), other]),
  );
  const stored =
    node.kind === 'create'
      ? []
      : await loadRows(transaction, model, target, { by: 'reference', slot, keys: [node.key] }, { liveOnly: true });
  const kept = stored.filter((row) => !removed.has(keyText(row.key)) && !inGraph.has(keyText(row.key)));
  return [
    ...kept.map((row) => toJsonForm(model, layoutOf(model, row.entity), row.values)),
    ...[...inGraph.values()].filter(isMember).map((other) => toJsonForm(model, other.layout, other.after)),
  ];
}
