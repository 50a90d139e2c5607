import type { Entity, Ownership, ReferenceAttribute } from '@lintel/metadata';
import { recordChange } from '../changes/record-change.ts';
import { type InstanceNode, nodeOfRow } from '../graph/instance-node.ts';
import { afterSave, hasAfterSave } from '../listeners/call-listeners.ts';
import { compositionForm } from '../listeners/composition-form.ts';
import { planSave } from '../plan/plan-save.ts';
import { stampNode } from '../plan/stamp.ts';
import { loadRows, type StoredRow } from '../rows/rows.ts';
import type { ChangeRecord } from '../scope/change-log.ts';
import { linksOf, selectionOf } from '../scope/owner-links.ts';
import { runInOrder } from '../scope/run-in-order.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { isReference, type Key, keyText, type Values } from '../values/value.ts';

/** A child that changed: its state before and after. */
export interface ChangedChild {
  readonly entity: Entity;
  readonly key: Key;
  readonly before: Values | undefined;
  readonly after: Values | undefined;
}

const idOf = ({ entity, key }: Pick<InstanceNode, 'entity' | 'key'>): string => `${entity.name} ${keyText(key)}`;

/**
 * The version of an owner rises when a composition child at any depth changes (contract/decisions.md#54). Owners
 * that the transaction has written already have their new version.
 *
 * @param saved instances, whose listeners are called anyway
 * @returns the owners whose listeners must be called about their children
 */
export async function bumpOwnerVersions(
  scope: WriteScope,
  children: readonly (ChangedChild | InstanceNode)[],
  saved: readonly InstanceNode[] = [],
): Promise<readonly InstanceNode[]> {
  const called = new Set(saved.map(idOf));
  const all: InstanceNode[] = [];
  let changed: readonly ChangedChild[] = children;
  while (changed.length > 0) {
    const owners = await loadOwners(scope, changed, called);
    const isKnown = (row: StoredRow): boolean => scope.changes.find(row.entity, row.key) !== undefined;
    const touched = owners
      .filter((row) => !isKnown(row))
      .map((row) => stampNode(nodeOfRow(scope.writeModel, row), scope, false, true));
    for (const row of owners) if (isKnown(row)) all.push(nodeOfRow(scope.writeModel, row));
    for (const node of touched) all.push(node);
    await runInOrder(scope, planSave(scope.model, touched));
    for (const node of touched) recordChange(scope, node);
    changed = owners.map((row) => ({ entity: row.entity, key: row.key, before: row.values, after: row.values }));
  }
  return all;
}

/**
 * Calls the listeners of owners, once for each owner, however many of its children changed.
 *
 * @param saved instances, whose listeners have been called
 */
export async function notifyOwners(
  scope: WriteScope,
  owners: readonly InstanceNode[],
  saved: readonly InstanceNode[] = [],
): Promise<void> {
  const called = new Set(saved.map(idOf));
  const formOf = compositionForm(scope.model, []);
  const once = new Map(owners.map((node) => [idOf(node), node]));
  for (const [id, node] of once) if (!called.has(id)) await afterSave(scope, { node, formOf, isTouched: true });
}

async function loadOwners(
  scope: WriteScope,
  changed: readonly ChangedChild[],
  called: ReadonlySet<string>,
): Promise<readonly StoredRow[]> {
  const owners = new Map<string, StoredRow>();
  const isKnown = knownOwners(scope, called);
  const wanted = new Map<Ownership, Map<string, Key>>();
  for (const child of changed) {
    for (const ownership of scope.writeModel.ownershipsOf(child.entity)) {
      const keys = wanted.get(ownership) ?? new Map<string, Key>();
      wanted.set(ownership, keys);
      for (const key of linksOf(ownership, child)) if (!isKnown(ownership, key)) keys.set(keyText(key), key);
    }
  }
  for (const [{ owner, attribute }, keys] of wanted) {
    const selection = selectionOf(scope, attribute, owner, [...keys.values()]);
    if (selection === undefined) continue;
    const rows = await loadRows(scope.transaction, scope.writeModel, owner, selection, {
      lock: 'update',
      liveOnly: true,
    });
    for (const row of rows) owners.set(idOf(row), row);
  }
  return [...owners.values()];
}

/**
 * Owners that were written in this transaction: they and the owners above them have their new version. Only their
 * listeners may still need the change.
 */
function knownOwners(
  scope: WriteScope,
  called: ReadonlySet<string>,
): ({ owner, attribute }: Ownership, key: Key) => boolean {
  const isDone = (record: ChangeRecord | undefined): boolean =>
    record !== undefined &&
    (record.change === 'deleted' || called.has(idOf(record)) || !hasAfterSave(scope, record.entity));
  const referredTo = new Map<ReferenceAttribute, ReadonlySet<string>>();
  const targetsOf = (attribute: ReferenceAttribute): ReadonlySet<string> =>
    new Set(
      scope.changes.all().flatMap((record) => {
        const { entity, after } = record;
        const link = after?.get(attribute.name);
        if (!isDone(record)) return [];
        const isOwner = entity.attributes.get(attribute.name)?.declaredBy === attribute.declaredBy;
        return isOwner && isReference(link) ? [keyText(link.key)] : [];
      }),
    );
  return ({ owner, attribute }, key) => {
    if (!attribute.owning) return isDone(scope.changes.find(owner, key));
    const targets = referredTo.get(attribute) ?? targetsOf(attribute);
    referredTo.set(attribute, targets);
    return targets.has(keyText(key));
  };
}
