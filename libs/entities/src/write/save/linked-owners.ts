import { entityOf, familyTreeOf, type ReferenceAttribute } from '@lintel/metadata';
import { type InstanceNode, nodeOfRow } from '../graph/instance-node.ts';
import { listenersOf } from '../listeners/call-listeners.ts';
import { loadRows, type StoredRow } from '../rows/rows.ts';
import { loadLinks } from '../rows/side-tables.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText, type Reference } from '../values/value.ts';

/** What instances at the inverse end of a M:N association change in the collection of one owner. */
interface LinkChange {
  readonly added: Key[];
  readonly gone: Key[];
}

/**
 * The owners of M:N associations that the save links, or unlinks, at the inverse end: their listeners are called about
 * the collection as if it had been changed at their end. Only owners whose entity has listeners are loaded.
 */
export async function linkedOwners(
  scope: WriteScope,
  nodes: readonly InstanceNode[],
): Promise<readonly InstanceNode[]> {
  const owners: InstanceNode[] = [];
  const known = new Set(nodes.map(({ entity, key }) => `${entity.name} ${keyText(key)}`));
  for (const [attribute, changes] of changesAtInverseEnds(scope, nodes)) {
    const owner = entityOf(scope.model, attribute.target);
    const link = owner.attributes.get(attribute.inverse ?? '');
    if (link?.kind !== 'reference') continue;
    const keys = [...changes.values()].map(({ key }) => key);
    const selection = { by: 'key', keys } as const;
    const rows = await loadRows(scope.transaction, scope.writeModel, owner, selection, {
      lock: 'update',
      liveOnly: true,
    });
    const members = await loadLinks(scope.transaction, scope.model, owner, link, keys);
    for (const row of rows) {
      const text = keyText(row.key);
      if (known.has(`${row.entity.name} ${text}`) || !isListenedTo(scope, row)) continue;
      const change = changes.get(text) as LinkChange;
      owners.push(ownerNode(scope, row, link, members.get(text) ?? [], change));
    }
  }
  return owners;
}

const isListenedTo = (scope: WriteScope, { entity }: Pick<StoredRow, 'entity'>): boolean =>
  listenersOf(scope, entity).some(({ beforeSave, afterSave }) => beforeSave !== undefined || afterSave !== undefined);

type ChangesByOwner = Map<string, LinkChange & { readonly key: Key }>;

function changesAtInverseEnds(
  scope: WriteScope,
  nodes: readonly InstanceNode[],
): ReadonlyMap<ReferenceAttribute, ChangesByOwner> {
  const byAttribute = new Map<ReferenceAttribute, ChangesByOwner>();
  for (const node of nodes) {
    for (const attribute of node.layout.links) {
      if (attribute.owning || !node.sent.has(attribute.name)) continue;
      const family = familyTreeOf(scope.model, entityOf(scope.model, attribute.target));
      if (!family.some((entity) => isListenedTo(scope, { entity }))) continue;
      const changes: ChangesByOwner = byAttribute.get(attribute) ?? new Map();
      byAttribute.set(attribute, changes);
      const [before, after] = [node.before, node.after].map(
        (values) => (values?.get(attribute.name) ?? []) as readonly Reference[],
      );
      for (const key of keysWithout(after ?? [], before ?? [])) changeOf(changes, key).added.push(node.key);
      for (const key of keysWithout(before ?? [], after ?? [])) changeOf(changes, key).gone.push(node.key);
    }
  }
  return byAttribute;
}

function changeOf(changes: ChangesByOwner, key: Key): LinkChange {
  const known = changes.get(keyText(key)) ?? { key, added: [], gone: [] };
  changes.set(keyText(key), known);
  return known;
}

function keysWithout(some: readonly Reference[], others: readonly Reference[]): readonly Key[] {
  const known = new Set(others.map(({ key }) => keyText(key)));
  return some.map(({ key }) => key).filter((key) => !known.has(keyText(key)));
}

function ownerNode(
  { writeModel }: WriteScope,
  row: StoredRow,
  { name }: ReferenceAttribute,
  members: readonly Reference[],
  { added, gone }: LinkChange,
): InstanceNode {
  const left = new Set(gone.map(keyText));
  const after = [...members.filter(({ key }) => !left.has(keyText(key))), ...added.map((key) => ({ key }))];
  return nodeOfRow(writeModel, row, {
    before: new Map([...row.values, [name, members]]),
    after: new Map([...row.values, [name, after]]),
    linkedAtOtherEnd: name,
  });
}
