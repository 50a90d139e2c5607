import type { Model } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { ColumnSlot } from '../layout/layout.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { changedPaths } from '../merge/merge-values.ts';

/** A stored instance whose unique values change. */
interface Mover {
  readonly node: InstanceNode;
  readonly slots: readonly ColumnSlot[];
  readonly leaves: ReadonlySet<string>;
  readonly takes: ReadonlySet<string>;
}

/**
 * Updates of unique values alone, to run before everything else: a value that one instance of a save lets
 * go may be taken by another one, new or stored. Who leaves a value comes before who takes it; values that
 * are exchanged in a ring have no such order, and the database refuses them.
 *
 * @param update the statements that write some slots of an instance
 */
export function freeUniqueValues(
  model: Model,
  created: readonly InstanceNode[],
  updated: readonly InstanceNode[],
  update: (
    model: Model,
    rows: readonly { readonly node: InstanceNode; readonly slots: readonly ColumnSlot[] }[],
  ) => readonly Statement[],
): readonly Statement[] {
  if (created.length + updated.length < 2) return [];
  const movers = updated.flatMap((node) => moverOf(node) ?? []);
  if (movers.length === 0) return [];
  const ordered: Mover[] = [];
  const visit = (mover: Mover, path: ReadonlySet<Mover>): void => {
    if (ordered.includes(mover) || path.has(mover)) return;
    for (const other of movers)
      if ([...other.leaves].some((value) => mover.takes.has(value))) visit(other, new Set([...path, mover]));
    ordered.push(mover);
  };
  for (const mover of movers) visit(mover, new Set());
  return ordered.flatMap(({ node, slots }) => update(model, [{ node, slots }]));
}

function moverOf(node: InstanceNode): Mover | undefined {
  const slots = changedPaths(node.layout, node.before, node.after).flatMap((path) => {
    const slot = node.layout.slots.get(path);
    return slot !== undefined && slot.attribute.kind !== 'reference' && slot.attribute.unique ? [slot] : [];
  });
  if (slots.length === 0) return undefined;
  const valuesIn = (values: InstanceNode['before']): ReadonlySet<string> =>
    new Set(slots.map((slot) => `${slot.table} ${slot.path} ${JSON.stringify(values?.get(slot.path) ?? null)}`));
  return { node, slots, leaves: valuesIn(node.before), takes: valuesIn(node.after) };
}
