import { validationError } from '@lintel/errors';
import { entityOf, isToMany, type ReferenceAttribute } from '@lintel/metadata';
import { layoutOf } from '../layout/layout.ts';
import type { SaveGraph } from '../merge/build-graph.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { validateNode } from '../validate/validate-node.ts';
import { toJsonForm } from '../values/json-form.ts';
import { isReference, keyText, type Value, type Values } from '../values/value.ts';
import { loadRows, type StoredRow } from './rows.ts';
import { loadElements, loadLinks } from './side-tables.ts';
import type { WriteScope } from './write-scope.ts';

type Members = Record<string, unknown>;

/** The members of inverse collections among the instances of a save, by collection and owner. */
type MemberIndex = ReadonlyMap<string, readonly InstanceNode[]>;

/**
 * Tests every rule of every instance before anything is written (contract §3.12).
 *
 * @throws PlatformError DATA_VALIDATION_FAILED with all violations
 */
export async function validateGraph(scope: WriteScope, graph: SaveGraph): Promise<void> {
  const index = indexMembers(graph.nodes);
  const items = [];
  for (const node of graph.nodes) {
    const members = await membersForRules(scope, graph, index, node);
    items.push(...validateNode(scope.model, node, members, scope.now, scope.localize));
  }
  if (items.length > 0) throw validationError(items);
}

const indexKey = (entity: string, path: string, owner: Value): string => `${entity} ${path} ${JSON.stringify(owner)}`;

function indexMembers(nodes: readonly InstanceNode[]): MemberIndex {
  const index = new Map<string, InstanceNode[]>();
  for (const node of nodes) {
    for (const { path, attribute } of node.layout.slots.values()) {
      const owner = node.after.get(path);
      if (attribute.kind !== 'reference' || !isReference(owner)) continue;
      const key = indexKey(attribute.declaredBy, path, owner);
      const members = index.get(key);
      if (members === undefined) index.set(key, [node]);
      else members.push(node);
    }
  }
  return index;
}

/** Collections that rules of the instance read, as they will be after the save. */
async function membersForRules(
  scope: WriteScope,
  graph: SaveGraph,
  index: MemberIndex,
  node: InstanceNode,
): Promise<Members> {
  const wanted = new Set(node.entity.rules.flatMap((rule) => rule.dependsOn));
  const members: Members = {};
  for (const name of wanted) {
    const attribute = node.entity.attributes.get(name);
    if (attribute?.kind === 'elements' && !node.after.has(name)) {
      const found = await loadElements(scope.transaction, scope.model, node.entity, attribute, [node.key]);
      members[name] = found.get(keyText(node.key)) ?? [];
    } else if (attribute !== undefined && isToMany(attribute)) {
      members[name] =
        attribute.cardinality === 'MANY_TO_MANY'
          ? await linkedMembers(scope, node, attribute)
          : await inverseMembers(scope, graph, index, node, attribute);
    }
  }
  return members;
}

async function linkedMembers(scope: WriteScope, node: InstanceNode, attribute: ReferenceAttribute): Promise<unknown> {
  const { model, transaction } = scope;
  let values: Values = node.after;
  if (!values.has(attribute.name)) {
    const found = await loadLinks(transaction, model, node.entity, attribute, [node.key]);
    values = new Map([[attribute.name, found.get(keyText(node.key)) ?? []]]);
  }
  return toJsonForm(model, node.layout, values, new Set([attribute.name]))[attribute.name];
}

async function inverseMembers(
  scope: WriteScope,
  graph: SaveGraph,
  index: MemberIndex,
  node: InstanceNode,
  attribute: ReferenceAttribute,
): Promise<unknown> {
  const { model, transaction } = scope;
  const target = entityOf(model, attribute.target);
  const slot = layoutOf(model, target).slots.get(attribute.inverse ?? '');
  if (slot === undefined) return [];
  const added = index.get(indexKey(slot.attribute.declaredBy, slot.path, { key: node.key })) ?? [];
  const stored = await storedMembers();
  return [
    ...stored.map((row) => toJsonForm(model, layoutOf(model, row.entity), row.values)),
    ...added.map((member) => toJsonForm(model, member.layout, member.after)),
  ];

  /** Those that stay and are not part of the save. */
  async function storedMembers(): Promise<readonly StoredRow[]> {
    if (node.kind === 'create' || slot === undefined) return [];
    const selection = { by: 'reference', slot, keys: [node.key] } as const;
    const rows = await loadRows(transaction, model, target, selection, { liveOnly: true });
    const others = new Set(
      [...graph.removals, ...graph.nodes].map(({ entity, key }) => `${entity.name} ${keyText(key)}`),
    );
    return rows.filter((row) => !others.has(`${row.entity.name} ${keyText(row.key)}`));
  }
}
