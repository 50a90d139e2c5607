import type { Entity } from '@lintel/metadata';
import type { ExactJson } from '@lintel/query';
import { mapInSlices, pauseAfter, pauseAt } from '../../slices/map-in-slices.ts';
import type { InstanceNode, Removal } from '../graph/instance-node.ts';
import { initialValues, mergeValues } from '../graph/merge-values.ts';
import { missingReference } from '../graph/missing-reference.ts';
import type { InstanceInput } from '../parse/instance-input.ts';
import { isDeleted, type StoredRow } from '../rows/rows.ts';
import { loadElements, loadLinks } from '../rows/side-tables.ts';
import type { WriteAction, WriteRights, WriteScope } from '../scope/write-scope.ts';
import { copyOf, type MutableValues } from '../values/slot-values.ts';
import { type Key, keyText, type Values } from '../values/value.ts';
import { allocateKeys } from './allocate-keys.ts';
import { assertFree } from './assert-free.ts';
import { assertSettled } from './assert-settled.ts';
import { completeKey } from './complete-key.ts';
import { matchChildren } from './match-children.ts';
import { latestReferences, type Repointed, repointMembers } from './repoint-members.ts';

/** An instance to be saved: the sent input, and the stored row that it changes. */
export interface SaveItem {
  readonly input: InstanceInput;
  readonly stored: StoredRow | undefined;
}

/** An item with its key, and the reference to its parent that the server sets. */
export interface KeyedItem extends SaveItem {
  readonly key: Key;
  readonly parent: { readonly path: string; readonly key: Key } | undefined;
}

/** All instances of one save. */
export interface SaveGraph {
  /** Roots first, children after their parents. */
  readonly nodes: readonly InstanceNode[];
  readonly removals: readonly Removal[];
}

/**
 * Merges the sent values into the stored ones, level by level down the compositions. The number of statements depends on
 * the levels and attributes, not on the number of instances.
 *
 * @throws PlatformError for a reference without an id, and for the id of a new instance that already exists
 */
export async function buildGraph(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  roots: readonly SaveItem[],
): Promise<SaveGraph> {
  const nodes: InstanceNode[] = [];
  const removals: Removal[] = [];
  const repointed: Repointed[] = [];
  let level = await withKeys(
    scope,
    roots.map((root) => ({
      ...root,
      input: completeKey(scope.writeModel.of(root.input.entity), root.input),
      parent: undefined,
    })),
  );
  while (level.length > 0) {
    for (const { input, stored, parent } of level)
      if (stored !== undefined) rights.assertToken?.(input, stored, parent?.path);
    const bases = await loadBases(scope, level);
    const merged = await mapInSlices(level, (item, at) => mergeItem(scope, item, bases[at] as Values, action));
    const matched = level.some(({ input }) => input.children.size > 0)
      ? await matchChildren(scope, rights, level, merged)
      : { nodes: merged, next: [], removals: [] };
    // One by one: the number of arguments of a call is limited by the stack.
    for (const node of matched.nodes) nodes.push(node);
    if (level.some((item) => namesMembers(scope, item)))
      for (const one of await repointMembers(scope, rights, action, level)) repointed.push(one);
    for (const removal of matched.removals) removals.push(removal);
    level = matched.next;
  }
  return { nodes: repointed.length === 0 ? nodes : [...nodes, ...latestReferences(repointed)], removals };
}

/** Whether the request has an association of the instance that is stored at the other end. */
const namesMembers = ({ writeModel }: WriteScope, { input }: KeyedItem): boolean =>
  writeModel.of(input.entity).inverses.some(({ name }) => input.values.has(name));

/** Gives every new instance its key; stored ones have theirs. */
export async function withKeys(
  scope: WriteScope,
  items: readonly Omit<KeyedItem, 'key'>[],
): Promise<readonly KeyedItem[]> {
  const sent: { readonly entity: Entity; readonly key: Key }[] = [];
  for (const { input, stored } of items)
    if (stored === undefined && input.key !== undefined) sent.push({ entity: input.entity, key: input.key });
  if (sent.length > 0) await assertFree(scope, sent);
  await pauseAfter(items.length);
  const keys = await allocateKeys(
    scope,
    items.map(({ input, stored }) => ({
      entity: input.entity,
      key: stored?.key ?? input.key,
      keyParts: input.keyParts,
    })),
  );
  return items.map(({ input, stored, parent }, at) => ({ input, stored, parent, key: keys[at] as Key }));
}

/** Stored values of each item with the collections that it names; initial values of new ones. */
async function loadBases(scope: WriteScope, level: readonly KeyedItem[]): Promise<readonly Values[]> {
  const bases: Values[] = [];
  const storedWithCollections: { readonly item: KeyedItem; readonly base: MutableValues }[] = [];
  for (const [at, item] of level.entries()) {
    if (at > 0) await pauseAt(at);
    const { input, stored, key } = item;
    const layout = scope.writeModel.of(input.entity);
    const hasCollections = layout.elements.length > 0 || layout.links.length > 0;
    if (stored === undefined) bases.push(initialValues(layout, key));
    else if (!hasCollections) bases.push(stored.values);
    else {
      const base = copyOf(stored.values);
      bases.push(base);
      storedWithCollections.push({ item, base });
    }
  }
  if (storedWithCollections.length === 0) return bases;
  for (const group of Map.groupBy(storedWithCollections, ({ item }) => item.input.entity).values()) {
    const entity = (group[0] as (typeof group)[number]).item.input.entity;
    const layout = scope.writeModel.of(entity);
    for (const attribute of [...layout.elements, ...layout.links]) {
      const asking = group.filter(({ item }) => item.input.values.has(attribute.name));
      if (asking.length === 0) continue;
      const keys = asking.map(({ item }) => item.key);
      const found =
        attribute.kind === 'elements'
          ? await loadElements(scope.transaction, scope.model, entity, attribute, keys)
          : await loadLinks(scope.transaction, scope.model, entity, attribute, keys);
      for (const { item, base } of asking) base.set(attribute.name, found.get(keyText(item.key)) ?? []);
    }
  }
  return bases;
}

function mergeItem(scope: WriteScope, item: KeyedItem, base: Values, action: WriteAction): InstanceNode {
  const { input, stored, key, parent } = item;
  const layout = scope.writeModel.of(input.entity);
  const merged = mergeValues(layout, base, input.values, stored === undefined, (path) => {
    throw missingReference(action, path);
  });
  // A child that its parent names again is restored (contract/row-policies.md#merge).
  const { deletedDate, deletedBy } = input.entity.system;
  const columns = stored !== undefined && isDeleted(stored) ? [deletedDate, deletedBy] : [];
  for (const name of columns) if (name !== undefined) merged.set(name, null);
  if (parent !== undefined) merged.set(parent.path, { key: parent.key });
  const { entity, path } = input;
  const sent = sentOf(input);
  if (layout.overShared.length > 0)
    assertSettled(scope, { entity, layout, path, sent }, merged, givenPaths(input, parent));
  return {
    entity,
    layout,
    key,
    kind: stored === undefined ? 'create' : 'update',
    path,
    before: stored === undefined ? undefined : base,
    after: merged,
    sent,
    filled: input.filled,
    hiddenAtRead: input.hiddenAtRead,
    children: new Map(),
    dynamic: input.dynamic,
  };
}

/** The attributes that were set for the instance itself, not for another child of the collection. */
function givenPaths({ values, filled }: InstanceInput, parent: KeyedItem['parent']): ReadonlySet<string> {
  const given = new Set([...values.keys()].filter((path) => filled?.paths.has(path) !== true));
  if (parent !== undefined) given.add(parent.path);
  return given;
}

function sentOf({ values }: InstanceInput): InstanceNode['sent'] {
  const sent = new Map<string, ExactJson>();
  for (const [path, value] of values) sent.set(path, value.sent);
  return sent;
}
