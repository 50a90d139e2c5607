import type { InstanceNode } from '../graph/instance-node.ts';
import { missingReference } from '../graph/missing-reference.ts';
import { loadValues, type ValueKey, valueKeyText } from '../rows/value-rows.ts';
import type { WriteAction, WriteRights, WriteScope } from '../scope/write-scope.ts';
import { type DynamicItem, type DynamicValue, ownerKeyOf } from '../values/dynamic-value.ts';
import { isSameValue } from '../values/same-value.ts';
import { isReference, keyText, type Reference } from '../values/value.ts';

/**
 * Reduces the sent dynamic values to those that differ from the stored ones, so that without a change nothing is
 * written and no version is incremented. References that the caller cannot see are kept, whatever value was sent for
 * them (contract/row-policies.md#merge).
 *
 * @throws PlatformError for a reference without an id
 */
export async function settleDynamicValues(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  nodes: readonly InstanceNode[],
): Promise<readonly InstanceNode[]> {
  const sent = nodes.flatMap((node) => node.dynamic ?? []);
  if (sent.length === 0) return nodes;
  const incomplete = sent.find(({ lacksId }) => lacksId);
  if (incomplete !== undefined) throw missingReference(action, incomplete.path);
  const stored = await loadValues(
    scope.transaction,
    scope.model,
    nodes.flatMap((node) => (node.kind === 'create' ? [] : valueKeysOf(node))),
  );
  const settled: InstanceNode[] = [];
  for (const node of nodes) {
    const dynamic: DynamicValue[] = [];
    for (const value of node.dynamic ?? []) {
      const before = stored.get(valueKeyText({ ...value, owner: ownerKeyOf(node.key) })) ?? [];
      const items = await withHidden(rights, value, before);
      if (!isSameList(value, before, items)) dynamic.push({ ...value, items });
    }
    settled.push({ ...node, dynamic });
  }
  return settled;
}

const valueKeysOf = ({ key, dynamic }: InstanceNode): readonly ValueKey[] =>
  (dynamic ?? []).map(({ attribute }) => ({ attribute, owner: ownerKeyOf(key) }));

function isSameList({ attribute }: DynamicValue, left: readonly DynamicItem[], right: readonly DynamicItem[]): boolean {
  const isDecimal = attribute.type === 'DECIMAL';
  return left.length === right.length && left.every((item, at) => isSameValue(item, right[at], isDecimal));
}

/** The items that will be there: the sent ones, and stored references that the caller cannot see. */
async function withHidden(
  { visibleKeys }: WriteRights,
  { attribute, items }: DynamicValue,
  before: readonly DynamicItem[],
): Promise<readonly DynamicItem[]> {
  if (visibleKeys === undefined || attribute.target === undefined) return items;
  const named = new Set(items.filter(isReference).map(({ key }) => keyText(key)));
  const leaving = before.filter((item): item is Reference => isReference(item) && !named.has(keyText(item.key)));
  if (leaving.length === 0) return items;
  const visible = await visibleKeys(
    attribute.target,
    leaving.map(({ key }) => key),
  );
  const hidden = leaving.filter(({ key }) => !visible.has(keyText(key)));
  if (hidden.length === 0) return items;
  return attribute.collection ? [...items, ...hidden] : hidden;
}
