import type { Statement } from '@lintel/persistence';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import { leaversFirst, type Mover, type UpdateSlots } from './leavers-first.ts';

/**
 * Updates of unique values alone, to run before everything else: a value that one instance of a save releases may be
 * assigned to another one, new or stored. The instance that releases a value is updated before the one that gets it;
 * values that are exchanged in a cycle have no such order, and the database refuses them.
 *
 * @param update the statements that write some slots of an instance
 */
export function freeUniqueValues(
  created: readonly InstanceNode[],
  updated: readonly InstanceNode[],
  update: UpdateSlots,
): readonly Statement[] {
  if (created.length + updated.length < 2) return [];
  const movers = updated.flatMap((node) => moverOf(node) ?? []);
  if (movers.length === 0) return [];
  return [...leaversFirst(movers)].flatMap(({ node, slots }) => update([{ node, slots }]));
}

function moverOf(node: InstanceNode): Mover | undefined {
  const slots = changedPaths(node.layout, node.before, node.after).flatMap((path) => {
    const slot = node.layout.slots.get(path);
    return slot !== undefined && slot.attribute.kind !== 'reference' && slot.attribute.unique ? [slot] : [];
  });
  if (slots.length === 0) return undefined;
  const valuesIn = (values: InstanceNode['before']): ReadonlySet<string> =>
    new Set(
      slots.flatMap((slot) => {
        const value = values?.get(slot.path) ?? null;
        // Any number of instances may have none.
        return value === null ? [] : [`${slot.table} ${slot.path} ${JSON.stringify(value)}`];
      }),
    );
  return { node, slots, leaves: valuesIn(node.before), takes: valuesIn(node.after) };
}
