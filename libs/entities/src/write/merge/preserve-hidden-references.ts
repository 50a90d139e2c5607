import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import type { WriteRights } from '../scope/write-scope.ts';
import { isReference, keyText, type Reference, type Value } from '../values/value.ts';

/**
 * Keeps what the caller cannot see: references to hidden instances stay, whichever value was sent, and hidden members of
 * M:N associations keep their link (contract/row-policies.md#merge). The same holds for targets that were hidden when
 * the instance was read, according to its security token.
 */
export async function preserveHiddenReferences(
  rights: WriteRights,
  nodes: readonly InstanceNode[],
): Promise<readonly InstanceNode[]> {
  const { visibleKeys, showsReference } = rights;
  if (visibleKeys === undefined || showsReference === undefined) return nodes;
  if (!nodes.some(mayLoseReferences)) return nodes;
  const result: InstanceNode[] = [];
  for (const node of nodes)
    result.push(node.kind === 'create' ? node : await keepHidden(node, visibleKeys, showsReference));
  return result;
}

/** Whether the request changes a reference of a stored instance. */
const mayLoseReferences = ({ kind, layout, before, after }: InstanceNode): boolean =>
  kind === 'update' &&
  (layout.links.length > 0 ||
    changedPaths(layout, before, after).some((path) => layout.slots.get(path)?.attribute.kind === 'reference'));

async function keepHidden(
  node: InstanceNode,
  visibleKeys: NonNullable<WriteRights['visibleKeys']>,
  showsReference: NonNullable<WriteRights['showsReference']>,
): Promise<InstanceNode> {
  const kept = new Map<string, Value>();
  const unseen = (name: string): ReadonlySet<string> => new Set((node.hiddenAtRead?.get(name) ?? []).map(keyText));
  for (const path of changedPaths(node.layout, node.before, node.after)) {
    const attribute = node.layout.slots.get(path)?.attribute;
    const before = node.before?.get(path);
    const after = node.after.get(path);
    if (attribute?.kind !== 'reference' || !isReference(before)) continue;
    // A caller who did not see the target did not remove it by leaving it out.
    const isUnseen = (after ?? null) === null && unseen(path).has(keyText(before.key));
    if (isUnseen || !(await showsReference(node.entity, node.key, path, attribute.target))) kept.set(path, before);
  }
  for (const attribute of node.layout.links) {
    const before = (node.before?.get(attribute.name) ?? []) as readonly Reference[];
    if (before.length === 0 || !node.sent.has(attribute.name)) continue;
    const visible = await visibleKeys(
      attribute.target,
      before.map(({ key }) => key),
    );
    const after = (node.after.get(attribute.name) ?? []) as readonly Reference[];
    const named = new Set(after.map(({ key }) => keyText(key)));
    const hidden = before.filter(({ key }) => {
      const isKept = !visible.has(keyText(key)) || unseen(attribute.name).has(keyText(key));
      return isKept && !named.has(keyText(key));
    });
    if (hidden.length > 0) kept.set(attribute.name, [...after, ...hidden]);
  }
  return kept.size === 0 ? node : { ...node, after: new Map([...node.after, ...kept]) };
}
