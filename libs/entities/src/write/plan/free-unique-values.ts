import { entityOf, type Model, rootOf } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import { takenBy, uniqueKeysOf, valueIn } from '../graph/unique-keys.ts';
import { isReference, keyText } from '../values/value.ts';
import { heldInRings, leaversFirst, type Mover, type UpdateSlots, withNulls } from './leavers-first.ts';

/** Updates of unique values alone. */
export interface FreedValues {
  /** To run before everything else. */
  readonly statements: readonly Statement[];
  /** Values are exchanged that pass through no null: only a deferrable constraint allows it. */
  readonly isExchange: boolean;
}

const NONE: FreedValues = Object.freeze({ statements: [], isExchange: false });

/**
 * Updates of unique values alone: a value that one instance of a save releases may be assigned to another one, new or
 * stored. The instance that releases a value is updated before the one that gets it. Values that are exchanged in a ring
 * have no such order: columns that may be null are null first.
 *
 * @param update the statements that write some slots of an instance
 */
export function freeUniqueValues(
  model: Model,
  created: readonly InstanceNode[],
  updated: readonly InstanceNode[],
  update: UpdateSlots,
): FreedValues {
  if (created.length + updated.length < 2) return NONE;
  const changing = updated.flatMap((node) => moverOf(model, node) ?? []);
  if (changing.length === 0) return NONE;
  const taken = new Map<string, number>();
  for (const takes of [...created.map((node) => takenBy(model, node)), ...changing.map((mover) => mover.takes)])
    for (const value of takes) taken.set(value, (taken.get(value) ?? 0) + 1);
  const isWanted = ({ leaves, takes }: Mover): boolean =>
    [...leaves].some((value) => (taken.get(value) ?? 0) > (takes.has(value) ? 1 : 0));
  const ordered = [...leaversFirst(changing.filter(isWanted))];
  const isEarly = followsStored(model, created);
  const held = [...heldInRings(ordered), ...ordered.filter((mover) => !isEarly(mover))];
  const keys = [...new Set(held)].map(({ node, slots }) => ({
    node,
    keys: uniqueKeysOf(model, node.layout).filter(
      (key) => key.slots.some((slot) => slots.includes(slot)) && taken.has(valueIn(model, key, node.before) ?? ''),
    ),
  }));
  const released = keys.flatMap(({ node, keys: some }) => {
    const nulls = [...new Set(some.flatMap(({ nullable }) => nullable[0] ?? []))];
    return nulls.length === 0 ? [] : [withNulls({ node, slots: nulls })];
  });
  return {
    statements: [
      ...(released.length === 0 ? [] : update(released)),
      ...ordered.filter(isEarly).flatMap(({ node, slots }) => update([{ node, slots }])),
    ],
    isExchange: keys.some(({ keys: some }) => some.some(({ nullable }) => nullable.length === 0)),
  };
}

/** Whether no reference of the values leads to a row that is not inserted yet. */
function followsStored(model: Model, created: readonly InstanceNode[]): (mover: Mover) => boolean {
  const names = new Set(created.map(({ layout, key }) => `${layout.rootName} ${keyText(key)}`));
  return ({ node, slots }) =>
    !slots.some(({ path, attribute }) => {
      const value = node.after.get(path);
      if (attribute.kind !== 'reference' || !isReference(value)) return false;
      return names.has(`${rootOf(model, entityOf(model, attribute.target)).name} ${keyText(value.key)}`);
    });
}

function moverOf(model: Model, node: InstanceNode): Mover | undefined {
  const changed = new Set(changedPaths(node.layout, node.before, node.after));
  const keys = uniqueKeysOf(model, node.layout).filter(({ slots }) => slots.some(({ path }) => changed.has(path)));
  if (keys.length === 0) return undefined;
  const slots = new Set(keys.flatMap((key) => key.slots.filter(({ path }) => changed.has(path))));
  const valuesIn = (values: InstanceNode['before']) =>
    new Set(keys.flatMap((key) => valueIn(model, key, values) ?? []));
  return { node, slots: [...slots], leaves: valuesIn(node.before), takes: valuesIn(node.after) };
}
