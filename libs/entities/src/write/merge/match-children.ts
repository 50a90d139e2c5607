import { entityOf, isSoftDeleted, type ReferenceAttribute } from '@lintel/metadata';
import { mapInSlices, pauseAfter, pauseAt } from '../../slices/map-in-slices.ts';
import { assertVersion } from '../graph/assert-version.ts';
import type { InstanceNode, Removal } from '../graph/instance-node.ts';
import { assertConcrete, assertUnchangedEntity } from '../parse/assert-entity.ts';
import { cannotDeserialize } from '../parse/deserialization-error.ts';
import type { InstanceInput, SentChildren } from '../parse/instance-input.ts';
import { isDeleted, loadRows, type StoredRow } from '../rows/rows.ts';
import type { WriteRights, WriteScope } from '../scope/write-scope.ts';
import { copyOf } from '../values/slot-values.ts';
import { isReference, type Key, keyText, type Value } from '../values/value.ts';
import { alignSiblings } from './align-siblings.ts';
import { type KeyedItem, type SaveItem, withKeys } from './build-graph.ts';
import { completeKey } from './complete-key.ts';
import { withStoredKeys } from './match-by-key.ts';

interface Matched {
  /** The nodes of the level, with their children's keys. */
  readonly nodes: readonly InstanceNode[];
  /** The next level. */
  readonly next: readonly KeyedItem[];
  readonly removals: readonly Removal[];
}

/** One composition of one instance: its stored and its sent children. */
interface Composition {
  /** Position of the parent in the level. */
  readonly at: number;
  /** The parent is stored. */
  readonly isUpdate: boolean;
  /** Each child is merged by what it names itself. */
  readonly isPatch: boolean;
  readonly attribute: ReferenceAttribute;
  readonly children: readonly InstanceInput[];
  readonly stored: readonly StoredRow[];
  /** Keys of stored children that the caller cannot see: they stay untouched. */
  readonly hidden: ReadonlySet<string>;
  /**
   * Keys of the children that the caller did not see when the parent was read: their absence from the request is no
   * removal.
   */
  readonly unseen: ReadonlySet<string>;
  /** Keys of the children that leave, if the others stay. */
  readonly removed: ReadonlyMap<string, Key> | undefined;
}

/**
 * Decides for each sent child whether it changes a stored one or is new, and which stored children leave
 * (contract/row-policies.md#merge).
 */
export async function matchChildren(
  scope: WriteScope,
  rights: WriteRights,
  level: readonly KeyedItem[],
  nodes: readonly InstanceNode[],
): Promise<Matched> {
  if (level.every(({ input }) => input.children.size === 0)) return { nodes, next: [], removals: [] };
  const compositions = await loadCompositions(scope, rights, level, nodes);
  const pairs = await mapInSlices(compositions, (composition) =>
    pairsOf(scope, composition, rights.isStrict === true).map(({ input, stored }) => ({
      composition,
      input,
      stored,
      parent: parentLink(composition.attribute, nodes[composition.at] as InstanceNode),
    })),
  );
  const drafts = pairs.flat();
  await pauseAfter(drafts.length);
  const next = await withKeys(scope, drafts);
  const result = await mapInSlices(nodes, (node) => ({
    ...node,
    after: copyOf(node.after),
    children: new Map(node.children),
  }));
  const keysOf = new Map<Composition, Key[]>(compositions.map((composition) => [composition, []]));
  for (const [index, item] of next.entries()) {
    const composition = drafts[index]?.composition;
    if (composition !== undefined) keysOf.get(composition)?.push(item.key);
  }
  for (const [{ at, attribute }, keys] of keysOf) {
    const node = result[at] as (typeof result)[number];
    node.children.set(attribute.name, keys);
    if (attribute.owning) node.after.set(attribute.name, keys[0] === undefined ? null : ({ key: keys[0] } as Value));
  }
  const removals = compositions.flatMap((composition) => removedFrom(composition));
  return { nodes: result, next, removals };
}

/** A 1:1 composition stores the link itself; in other compositions the child refers to its parent. */
const parentLink = (attribute: ReferenceAttribute, parent: InstanceNode): KeyedItem['parent'] =>
  attribute.owning || attribute.inverse === undefined ? undefined : { path: attribute.inverse, key: parent.key };

async function loadCompositions(
  scope: WriteScope,
  rights: WriteRights,
  level: readonly KeyedItem[],
  nodes: readonly InstanceNode[],
): Promise<readonly Composition[]> {
  const asked = level.flatMap(({ input }, at) =>
    [...input.children].map(([name, sent]) => {
      const attribute = input.entity.attributes.get(name) as ReferenceAttribute;
      return {
        at,
        attribute,
        children: withCompleteKeys(scope, attribute, nodes[at] as InstanceNode, sent),
        isMany: sent.kind === 'many',
        isPatch: sent.kind === 'many' && sent.isPatch === true,
        removed: sent.kind === 'many' ? sent.removed : undefined,
        unseen: new Set((input.hiddenAtRead?.get(name) ?? []).map(keyText)),
      };
    }),
  );
  const compositions: Composition[] = [];
  for (const group of Map.groupBy(asked, ({ attribute }) => attribute).values()) {
    const attribute = (group[0] as (typeof group)[number]).attribute;
    const parents = group.flatMap(({ at }) => (nodes[at]?.kind === 'update' ? [nodes[at]] : []));
    const sent = group.flatMap(({ children }) => children.flatMap(({ key }) => (key === undefined ? [] : [key])));
    const rows = await loadChildren(scope, attribute, parents, sent);
    const keys = rows.map((row) => row.key);
    const visible = keys.length === 0 ? undefined : await rights.visibleKeys?.(attribute.target, keys);
    const hidden = new Set(visible === undefined ? [] : keys.map(keyText).filter((key) => !visible.has(key)));
    const storedOf = childrenByParent(attribute, rows);
    const withKnownKeys = (children: readonly InstanceInput[], stored: readonly StoredRow[]) => {
      if (rights.findsChildren !== true) return children;
      const shown = stored.filter((row) => !hidden.has(keyText(row.key)) && !isDeleted(row));
      return withStoredKeys(scope.writeModel, attribute, children, shown);
    };
    for (const [position, { at, children, isMany, isPatch, unseen, removed }] of group.entries()) {
      await pauseAt(position);
      const stored = storedOf(nodes[at] as InstanceNode);
      const single = isMany ? undefined : children[0];
      // The one child is changed in place, with any id that is sent (contract/writing.md#update).
      const merged =
        single === undefined || stored[0] === undefined
          ? withKnownKeys(children, stored)
          : [{ ...single, key: stored[0].key }];
      const isUpdate = nodes[at]?.kind === 'update';
      compositions.push({ at, isUpdate, isPatch, attribute, children: merged, stored, hidden, unseen, removed });
    }
  }
  return compositions;
}

/** The sent children. A reference to the parent over columns of their key completes their keys. */
function withCompleteKeys(
  scope: WriteScope,
  attribute: ReferenceAttribute,
  parent: InstanceNode,
  sent: SentChildren,
): readonly InstanceInput[] {
  const children = sent.kind === 'many' ? sent.children : sent.child === null ? [] : [sent.child];
  const completed = children.map((child) =>
    completeKey(scope.writeModel.of(child.entity), child, parentLink(attribute, parent)),
  );
  if (completed.every((child, at) => child === children[at])) return children;
  const known = new Set<string>();
  for (const { key, path } of completed) {
    if (key === undefined) continue;
    if (known.has(keyText(key))) throw cannotDeserialize(`Attribute '${path}' has the id of another member`);
    known.add(keyText(key));
  }
  return completed;
}

/** The live children, and the deleted ones that are sent: those are restored. */
async function loadChildren(
  scope: WriteScope,
  attribute: ReferenceAttribute,
  parents: readonly InstanceNode[],
  sent: readonly Key[],
): Promise<readonly StoredRow[]> {
  const target = entityOf(scope.model, attribute.target);
  if (attribute.owning) {
    const keys = parents.flatMap(({ before }) => {
      const value = before?.get(attribute.name);
      return isReference(value) ? [value.key] : [];
    });
    return loadRows(
      scope.transaction,
      scope.writeModel,
      target,
      { by: 'key', keys },
      { lock: 'update', liveOnly: false },
    );
  }
  const slot = scope.writeModel.of(target).slots.get(attribute.inverse ?? '');
  if (slot === undefined) throw new Error(`${attribute.declaredBy}.${attribute.name} has no stored other end`);
  const keys = parents.map((parent) => parent.key);
  const { transaction, writeModel } = scope;
  const live = await loadRows(
    transaction,
    writeModel,
    target,
    { by: 'reference', slot, keys },
    { lock: 'update', liveOnly: true },
  );
  if (parents.length === 0 || !isSoftDeleted(target)) return live;
  const known = new Set(live.map((row) => keyText(row.key)));
  const others = sent.filter((key) => !known.has(keyText(key)));
  const found = await loadRows(
    transaction,
    writeModel,
    target,
    { by: 'key', keys: others },
    { lock: 'update', liveOnly: false },
  );
  const owners = new Set(parents.map((parent) => keyText(parent.key)));
  return [...live, ...found.filter((row) => owners.has(linkText(row.values.get(attribute.inverse ?? ''))))];
}

/** The stored children of each parent, grouped in one pass. */
function childrenByParent(
  attribute: ReferenceAttribute,
  rows: readonly StoredRow[],
): (parent: InstanceNode) => readonly StoredRow[] {
  const groups = Map.groupBy(rows, (row) =>
    attribute.owning ? keyText(row.key) : linkText(row.values.get(attribute.inverse ?? '')),
  );
  return (parent) => {
    const wanted = attribute.owning ? linkText(parent.before?.get(attribute.name)) : keyText(parent.key);
    return (wanted === '' ? undefined : groups.get(wanted)) ?? [];
  };
}

/** The text of the key in a reference; empty if there is none. */
const linkText = (link: Value | undefined): string => (isReference(link) ? keyText(link.key) : '');

function pairsOf(
  scope: WriteScope,
  { attribute, children, stored, hidden, isUpdate, isPatch }: Composition,
  isStrict: boolean,
): readonly SaveItem[] {
  const known = new Map(stored.map((row) => [keyText(row.key), row]));
  const isAligned = isUpdate && !isPatch && attribute.cardinality === 'ONE_TO_MANY';
  const aligned = isAligned ? alignSiblings(scope.writeModel, attribute.name, children, isStrict) : children;
  return aligned.flatMap((input): readonly SaveItem[] => {
    const row = input.key === undefined ? undefined : known.get(keyText(input.key));
    if (row === undefined) {
      assertConcrete(input.entity, input.path);
      return [{ input, stored: undefined }];
    }
    if (hidden.has(keyText(row.key))) return [];
    assertUnchangedEntity(scope.model, input.entity, row.entity, input.path);
    assertVersion(input, row);
    return [{ input: { ...input, entity: row.entity }, stored: row }];
  });
}

function removedFrom({ attribute, children, stored, hidden, unseen, removed }: Composition): readonly Removal[] {
  const kept = new Set(children.flatMap((child) => (child.key === undefined ? [] : [keyText(child.key)])));
  return stored
    .filter((row) => {
      const key = keyText(row.key);
      const isLeaving = removed === undefined ? !kept.has(key) && !unseen.has(key) : removed.has(key);
      return isLeaving && !isDeleted(row) && !hidden.has(key);
    })
    .map((row) => ({ entity: row.entity, key: row.key, isTarget: attribute.owning }));
}
