import { type Entity, entityOf, lineageOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import type { ColumnSlot } from '../model/layout.ts';
import { isReference, type Key, keyText } from '../values/value.ts';
import { leaversFirst, type Mover, type UpdateSlots } from './leavers-first.ts';

export interface ReferenceMoves {
  /** To run before rows are inserted. */
  readonly beforeInserts: readonly Statement[];
  /** To run after rows are inserted, before all other updates. */
  readonly afterInserts: readonly Statement[];
}

const NONE: ReferenceMoves = Object.freeze({ beforeInserts: [], afterInserts: [] });

/**
 * Updates of 1:1 references alone, so that the unique index holds after each statement of a save that moves them. A
 * target that moves from one instance to another is released first if the reference may be null: such references may be
 * exchanged. Mandatory ones are written in an order in which each target is released before it is assigned again, after
 * the rows that they may refer to, unless a new row refers to one of their targets. A cycle of mandatory references has
 * no such order, and the database refuses it.
 *
 * @param update the statements that write some slots of instances
 */
export function moveReferences(
  model: Model,
  created: readonly InstanceNode[],
  updated: readonly InstanceNode[],
  update: UpdateSlots,
): ReferenceMoves {
  if (created.length + updated.length < 2) return NONE;
  const moves = updated.flatMap(movesOf);
  if (moves.length === 0) return NONE;
  const inserted = new Set(created.flatMap((node) => targetsOf(oneToOneSlots(node), node.after)));
  const taken = new Set([...inserted, ...moves.flatMap(({ takes }) => [...takes])]);
  const released = moves.filter((move) => isNullable(move) && leavesOneOf(taken)(move));
  const mandatory = moves.filter((move) => !isNullable(move));
  const beforeInserts = released.length === 0 ? [] : update(released.map(withoutTarget));
  if (!mandatory.some(leavesOneOf(taken))) return { beforeInserts, afterInserts: [] };
  const ordered = [...leaversFirst(mandatory)];
  const write = (some: readonly Mover[]) => some.flatMap(({ node, slots }) => update([{ node, slots }]));
  if (!mandatory.some(leavesOneOf(inserted))) return { beforeInserts, afterInserts: write(ordered) };
  const isTargetNew = leadsToNew(model, created);
  return {
    beforeInserts: [...beforeInserts, ...write(ordered.filter((move) => !isTargetNew(move)))],
    afterInserts: [],
  };
}

const leavesOneOf =
  (values: ReadonlySet<string>) =>
  ({ leaves }: Mover): boolean =>
    [...leaves].some((value) => values.has(value));

const isOneToOne = ({ attribute }: ColumnSlot): boolean =>
  attribute.kind === 'reference' && attribute.cardinality === 'ONE_TO_ONE';

const isNullable = ({ slots }: Mover): boolean =>
  slots.every(({ columns }) => columns.every(({ nullable }) => nullable));

const oneToOneSlots = ({ layout }: InstanceNode): readonly ColumnSlot[] =>
  [...layout.slots.values()].filter(isOneToOne);

/** Each changed 1:1 reference of a stored instance by itself. */
const movesOf = (node: InstanceNode): readonly Mover[] =>
  changedPaths(node.layout, node.before, node.after).flatMap((path): Mover[] => {
    const slot = node.layout.slots.get(path);
    if (slot === undefined || !isOneToOne(slot)) return [];
    const slots = [slot];
    const leaves = new Set(targetsOf(slots, node.before));
    return [{ node, slots, leaves, takes: new Set(targetsOf(slots, node.after)) }];
  });

/** The values that the unique indexes of some references have for an instance. */
const targetsOf = (slots: readonly ColumnSlot[], values: InstanceNode['before']): readonly string[] =>
  slots.flatMap(({ table, path }) => {
    const value = values?.get(path);
    return isReference(value) ? [`${table} ${path} ${keyText(value.key)}`] : [];
  });

const withoutTarget = ({ node, slots }: Mover) => ({
  node: { ...node, after: new Map([...node.after, ...slots.map(({ path }) => [path, null] as const)]) },
  slots,
});

/** Whether a reference is to a row that the save inserts. */
function leadsToNew(model: Model, created: readonly InstanceNode[]): (move: Mover) => boolean {
  const idOf = (entity: Entity, key: Key): string => `${lineageOf(model, entity).at(-1)?.name} ${keyText(key)}`;
  const ids = new Set(created.map(({ entity, key }) => idOf(entity, key)));
  return ({ node, slots }) =>
    slots.some(({ path, attribute }) => {
      const value = node.after.get(path);
      const { target } = attribute as ReferenceAttribute;
      return isReference(value) && ids.has(idOf(entityOf(model, target), value.key));
    });
}
