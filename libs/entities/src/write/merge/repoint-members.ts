import { entityOf, type ReferenceAttribute } from '@lintel/metadata';
import { type InstanceNode, nodeOfRow } from '../graph/instance-node.ts';
import { missingReference } from '../graph/missing-reference.ts';
import { loadRows, type RowSelection, type StoredRow } from '../rows/rows.ts';
import type { WriteAction, WriteRights, WriteScope } from '../scope/write-scope.ts';
import { isReference, type Key, keyText, type Reference, type Value } from '../values/value.ts';
import { assertSettled } from './assert-settled.ts';
import type { KeyedItem } from './build-graph.ts';

/** A member of a 1:N association whose reference changes, or that is named by the instance it already refers to. */
export interface Repointed {
  readonly node: InstanceNode;
  /** The attribute at the member's end. */
  readonly path: string;
  /** Named by the instance it belongs to now; otherwise one that lost its link. */
  readonly isNamed: boolean;
  /** False if the requested reference equals the stored one: this revokes an earlier change of the same request. */
  readonly isChange: boolean;
}

/**
 * One result per reference: a named member belongs to the last instance of the request that names it, also if another
 * collection of the request loses it.
 */
export function latestReferences(repointed: readonly Repointed[]): readonly InstanceNode[] {
  const latest = new Map<string, Repointed>();
  for (const one of repointed) {
    const at = `${one.node.entity.name} ${one.path} ${keyText(one.node.key)}`;
    if (!one.isChange) latest.delete(at);
    else if (one.isNamed || latest.get(at)?.isNamed !== true) latest.set(at, one);
  }
  return [...latest.values()].map(({ node }) => node);
}

/**
 * A sent 1:N association replaces the collection: the reference of new members is set to the instance; members that are
 * not named lose the reference but are not deleted (contract/decisions.md#6). Members that the caller cannot see are
 * unchanged.
 */
export async function repointMembers(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  level: readonly KeyedItem[],
): Promise<readonly Repointed[]> {
  const nodes: Repointed[] = [];
  for (const item of level) {
    for (const attribute of scope.writeModel.of(item.input.entity).inverses) {
      const sent = item.input.values.get(attribute.name);
      if (sent === undefined || sent.value === 'missing' || attribute.composition) continue;
      const collection = { members: sent.value, removed: sent.removed };
      for (const node of await repoint(scope, rights, action, item, attribute, collection)) nodes.push(node);
    }
  }
  return nodes;
}

/** The whole collection; with `removed`, only those that come, and the keys of those that leave. */
interface SentCollection {
  readonly members: Value;
  readonly removed: ReadonlyMap<string, Key> | undefined;
}

async function repoint(
  scope: WriteScope,
  rights: WriteRights,
  action: WriteAction,
  item: KeyedItem,
  attribute: ReferenceAttribute,
  { members: sent, removed }: SentCollection,
): Promise<readonly Repointed[]> {
  const target = entityOf(scope.model, attribute.target);
  const path = attribute.inverse ?? '';
  const slot = scope.writeModel.of(target).slots.get(path);
  if (slot === undefined) return [];
  const wanted = (Array.isArray(sent) ? sent : isReference(sent) ? [sent] : []) as readonly Reference[];
  const keys = wanted.map((reference) => reference.key);
  const { transaction, writeModel } = scope;
  const members = await loadRows(
    transaction,
    writeModel,
    target,
    { by: 'key', keys },
    { lock: 'update', liveOnly: false },
  );
  const shownPath = item.input.path === '' ? attribute.name : `${item.input.path}.${attribute.name}`;
  if (members.length < keys.length) throw missingReference(action, shownPath);
  // Of a collection whose other members stay, only those that the request names are loaded and locked.
  const selection: RowSelection =
    removed === undefined
      ? { by: 'reference', slot, keys: [item.key] }
      : { by: 'key', keys: [...keys, ...removed.values()] };
  const found =
    item.stored === undefined
      ? []
      : await loadRows(transaction, writeModel, target, selection, { lock: 'update', liveOnly: true });
  const current = removed === undefined ? found : found.filter((row) => refersTo(row, path, item.key));
  const named = new Set(keys.map(keyText));
  const isLeaving = (key: string): boolean => !named.has(key) && removed?.has(key) !== false;
  const leaving = current.filter((row) => isLeaving(keyText(row.key)));
  const here = new Set(current.map((row) => keyText(row.key)));
  const coming = members.filter((row) => !here.has(keyText(row.key)));
  const staying = members.filter((row) => here.has(keyText(row.key)));
  const asked = [...leaving, ...coming].map((row) => row.key);
  const visible = asked.length === 0 ? undefined : await rights.visibleKeys?.(attribute.target, asked);
  // The member itself is changed, so the caller must see it; the error does not show whether it exists.
  if (visible !== undefined && coming.some((row) => !visible.has(keyText(row.key))))
    throw missingReference(action, shownPath);
  const unseen = new Set((item.input.hiddenAtRead?.get(attribute.name) ?? []).map(keyText));
  const node = (row: StoredRow, key: Key | null): Repointed => ({
    node: pointTo(scope, row, path, key, shownPath),
    path,
    isNamed: key !== null,
    isChange: true,
  });
  return [
    ...staying.map((row) => ({ ...node(row, item.key), isChange: false })),
    ...coming.map((row) => node(row, item.key)),
    ...leaving
      .filter((row) => (visible?.has(keyText(row.key)) ?? true) && !unseen.has(keyText(row.key)))
      .map((row) => node(row, null)),
  ];
}

function refersTo(row: StoredRow, path: string, key: Key): boolean {
  const reference = row.values.get(path);
  return isReference(reference) && keyText(reference.key) === keyText(key);
}

function pointTo(scope: WriteScope, row: StoredRow, path: string, key: Key | null, shownPath: string): InstanceNode {
  const after = new Map<string, Value>([...row.values, [path, key === null ? null : { key }]]);
  const node = nodeOfRow(scope.writeModel, row, { path: shownPath, after });
  assertSettled(scope, node, after, new Set([path]));
  return node;
}
