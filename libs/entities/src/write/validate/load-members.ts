import { type Attribute, type ElementsAttribute, entityOf, isToMany, type ReferenceAttribute } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import type { SaveGraph } from '../merge/build-graph.ts';
import type { ColumnSlot } from '../model/layout.ts';
import { loadRows, type StoredRow } from '../rows/rows.ts';
import { loadElements, loadLinks } from '../rows/side-tables.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { toJsonForm } from '../values/json-form.ts';
import { isReference, keyText, type Value } from '../values/value.ts';
import { type Collections, collectionsOfRules } from './test-rules.ts';

/**
 * The collections that rules of some instances of a save read, as they will be after it: one statement for each
 * collection, however many instances.
 */
export async function loadMembers(
  scope: WriteScope,
  graph: SaveGraph,
  nodes: readonly InstanceNode[],
): Promise<ReadonlyMap<InstanceNode, Collections>> {
  const members = new Map<InstanceNode, Record<string, unknown>>(nodes.map((node) => [node, {}]));
  for (const [entity, group] of Map.groupBy(nodes, (node) => node.entity)) {
    for (const name of collectionsOfRules(group[0] as InstanceNode)) {
      const found = await membersOf(scope, graph, group, entity.attributes.get(name));
      for (const node of group) Object.assign(members.get(node) ?? {}, { [name]: found(node) });
    }
  }
  return members;
}

/** Returns the members of one collection of one of the instances. */
type FindMembers = (node: InstanceNode) => unknown;

function membersOf(
  scope: WriteScope,
  graph: SaveGraph,
  nodes: readonly InstanceNode[],
  attribute: Attribute | undefined,
): Promise<FindMembers> {
  if (attribute?.kind === 'elements') return sideMembers(scope, nodes, attribute);
  if (attribute?.kind !== 'reference') throw new Error(`A rule depends on ${attribute?.name}, which is no collection`);
  return attribute.cardinality === 'MANY_TO_MANY'
    ? sideMembers(scope, nodes, attribute)
    : inverseMembers(scope, graph, nodes, attribute);
}

/** The values of an instance contain elements and links if the request names them. */
async function sideMembers(
  { transaction, model }: WriteScope,
  nodes: readonly InstanceNode[],
  attribute: ElementsAttribute | ReferenceAttribute,
): Promise<FindMembers> {
  const { name } = attribute;
  const lacking = nodes.filter((node) => !node.after.has(name));
  const [first] = lacking;
  const keys = lacking.map((node) => node.key);
  let found: ReadonlyMap<string, Value> = new Map();
  if (first !== undefined)
    found =
      attribute.kind === 'elements'
        ? await loadElements(transaction, model, first.entity, attribute, keys)
        : await loadLinks(transaction, model, first.entity, attribute, keys);
  return (node) => {
    const value = node.after.get(name) ?? found.get(keyText(node.key)) ?? [];
    return toJsonForm(model, node.layout, new Map([[name, value]]))[name];
  };
}

/**
 * Stored members that stay and are not part of the save, and those that the save has: all of a collection, the only one
 * of a 1:1 reference.
 */
async function inverseMembers(
  { transaction, model, writeModel }: WriteScope,
  graph: SaveGraph,
  nodes: readonly InstanceNode[],
  attribute: ReferenceAttribute,
): Promise<FindMembers> {
  const target = entityOf(model, attribute.target);
  const isMany = isToMany(attribute);
  const slot = writeModel.of(target).slots.get(attribute.inverse ?? '');
  if (slot === undefined) return () => (isMany ? [] : null);
  const keys = nodes.filter(({ kind }) => kind === 'update').map(({ key }) => key);
  const rows = await loadRows(transaction, writeModel, target, { by: 'reference', slot, keys }, { liveOnly: true });
  const others = new Set(
    [...graph.removals, ...graph.nodes].map(({ entity, key }) => `${entity.name} ${keyText(key)}`),
  );
  const staying = rows.filter((row) => !others.has(`${row.entity.name} ${keyText(row.key)}`));
  const byOwner = Map.groupBy<string, StoredRow | InstanceNode>(
    [...staying, ...graph.nodes.filter((node) => hasSlot(node, slot))],
    (member) => {
      const owner = ('after' in member ? member.after : member.values).get(slot.path);
      return isReference(owner) ? keyText(owner.key) : '';
    },
  );
  const formOf = (member: StoredRow | InstanceNode) =>
    toJsonForm(model, writeModel.of(member.entity), 'after' in member ? member.after : member.values);
  return (node) => {
    const forms = (byOwner.get(keyText(node.key)) ?? []).map(formOf);
    return isMany ? forms : (forms[0] ?? null);
  };
}

/** Whether the instance has the very attribute, its own or inherited. */
const hasSlot = (node: InstanceNode, { path, attribute }: ColumnSlot): boolean =>
  node.layout.slots.get(path)?.attribute.declaredBy === attribute.declaredBy;
