import type { Statement } from '@lintel/persistence';
import type { InstanceNode } from '../graph/instance-node.ts';
import type { ColumnSlot } from '../model/layout.ts';

/** A stored instance whose unique values change. */
export interface Mover {
  readonly node: InstanceNode;
  readonly slots: readonly ColumnSlot[];
  readonly leaves: ReadonlySet<string>;
  readonly takes: ReadonlySet<string>;
}

/** Returns the statements that write some slots of instances. */
export type UpdateSlots = (
  rows: readonly { readonly node: InstanceNode; readonly slots: readonly ColumnSlot[] }[],
) => readonly Statement[];

/**
 * The movers in an order in which each value is released before it is assigned again. Values that are exchanged in a
 * cycle have no such order. Without recursion: a client may send a chain of any length. Each leaver of a value is looked
 * at once, however many movers take it.
 */
export function leaversFirst(movers: readonly Mover[]): ReadonlySet<Mover> {
  const leavers = leaversOf(movers);
  const ordered = new Set<Mover>();
  const open = new Set<Mover>();
  const nextLeaver = ({ takes }: Mover): Mover | undefined => {
    for (const value of [...takes].reverse()) {
      const left = leavers.get(value) ?? [];
      for (let next = left.pop(); next !== undefined; next = left.pop())
        if (!ordered.has(next.mover) && !open.has(next.mover)) return next.mover;
    }
    return undefined;
  };
  for (const start of movers) {
    const pending = ordered.has(start) ? [] : [start];
    for (let mover = pending.at(-1); mover !== undefined; mover = pending.at(-1)) {
      open.add(mover);
      const next = nextLeaver(mover);
      if (next !== undefined) pending.push(next);
      else {
        ordered.add(mover);
        open.delete(mover);
        pending.pop();
      }
    }
  }
  return ordered;
}

const leaversOf = (movers: readonly Mover[]) =>
  Map.groupBy(
    movers.flatMap((mover) => [...mover.leaves].map((value) => ({ value, mover }))),
    ({ value }) => value,
  );

/** The movers that still have a value when another one gets it: one of each ring at least. */
export function heldInRings(ordered: readonly Mover[]): ReadonlySet<Mover> {
  const leavers = leaversOf(ordered);
  const done = new Set<Mover>();
  const held = new Set<Mover>();
  const taken = new Set<string>();
  for (const mover of ordered) {
    for (const value of mover.takes) {
      // Those who leave it and are not done are held by its first taker.
      if (taken.has(value)) continue;
      taken.add(value);
      for (const { mover: leaver } of leavers.get(value) ?? [])
        if (leaver !== mover && !done.has(leaver)) held.add(leaver);
    }
    done.add(mover);
  }
  return held;
}

/** The instance with null in some slots. */
export const withNulls = ({ node, slots }: Pick<Mover, 'node' | 'slots'>) => ({
  node: { ...node, after: new Map([...node.after, ...slots.map(({ path }) => [path, null] as const)]) },
  slots,
});
