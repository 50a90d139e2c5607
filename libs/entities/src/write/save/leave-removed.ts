import { isSoftDeleted, type Model, rootOf } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { InstanceNode } from '../graph/instance-node.ts';
import { takenBy, uniqueKeysOf, valueIn } from '../graph/unique-keys.ts';
import type { WriteModel } from '../model/write-model.ts';
import { withNulls } from '../plan/leavers-first.ts';
import { updateSlots } from '../plan/plan-save.ts';
import type { StoredRow } from '../rows/rows.ts';
import { isReference, keyText } from '../values/value.ts';

/**
 * Children to which their owners refer are removed last, but first if instances of the save take their unique values.
 *
 * @returns the updates by which the owners leave children that are removed first; undefined if these are removed last
 */
export function leaveRemoved(
  { model, writeModel }: { readonly model: Model; readonly writeModel: WriteModel },
  nodes: readonly InstanceNode[],
  removed: readonly StoredRow[],
): readonly Statement[] | undefined {
  if (removed.length === 0) return undefined;
  const taken = new Set(nodes.flatMap((node) => [...takenBy(model, node)]));
  const isTaken = ({ entity, values }: StoredRow): boolean =>
    uniqueKeysOf(model, writeModel.of(entity)).some((key) => taken.has(valueIn(model, key, values) ?? '')) ||
    // What its own children have is not known here.
    [...entity.attributes.values()].some((attribute) => attribute.kind === 'reference' && attribute.composition);
  if (taken.size === 0 || !removed.some(isTaken)) return undefined;
  const hard = removed.filter(({ entity }) => !isSoftDeleted(entity));
  const names = new Set(hard.map(({ entity, key }) => `${rootOf(model, entity).name} ${keyText(key)}`));
  const owners = nodes.flatMap((node) =>
    node.layout.references.flatMap(({ path, rootName }) => {
      const value = node.before?.get(path);
      const slot = node.layout.slots.get(path);
      return slot !== undefined && isReference(value) && names.has(`${rootName} ${keyText(value.key)}`)
        ? [{ node, slots: [slot] }]
        : [];
    }),
  );
  return [...updateSlots(owners.map(withNulls))];
}
