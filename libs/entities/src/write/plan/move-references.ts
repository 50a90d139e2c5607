import { type Entity, entityOf, lineageOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import type { Statement } from '@lintel/persistence';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import type { ColumnSlot } from '../model/layout.ts';
import { isReference, type Key, keyText } from '../values/value.ts';
import { referencesAmong } from './insert-order.ts';
import { heldInRings, leaversFirst, type Mover, type UpdateSlots, withNulls } from './leavers-first.ts';

export interface ReferenceMoves {
  /** To run before rows are inserted. */
  readonly beforeInserts: readonly Statement[];
  /** New rows that are inserted before the others, because moved references lead to them. */
  readonly insertedFirst: ReadonlySet<InstanceNode>;
  /** To run after these rows are inserted, before the others: a target is left before a new row takes it. */
  readonly betweenInserts: readonly Statement[];
  /** To run after rows are inserted, before all other updates. */
  readonly afterInserts: readonly Statement[];
  /** Mandatory references change their targets in a ring: only a deferrable constraint allows it. */
  readonly isExchange: boolean;
}

const NONE: ReferenceMoves = Object.freeze({
  beforeInserts: [],
  insertedFirst: new Set<InstanceNode>(),
  betweenInserts: [],
  afterInserts: [],
  isExchange: false,
});

/**
 * Updates of 1:1 references alone, so that the unique index holds after each statement of a save that moves them. A
 * target that one instance leaves and another one takes is released first, where the reference may be null: such
 * references may be exchanged. Mandatory ones are written in an order in which each target is left before it is taken:
 * after the rows that they refer to, and before a new row that takes one of their targets. A ring of mandatory
 * references has no such order, and the database refuses it.
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
  const beforeInserts = released.length === 0 ? [] : update(released.map(withNulls));
  if (!mandatory.some(leavesOneOf(taken))) return { ...NONE, beforeInserts };
  const ordered = [...leaversFirst(mandatory)];
  const moved = ordered.flatMap(({ node, slots }) => update([{ node, slots }]));
  const isExchange = heldInRings(ordered).size > 0;
  if (!mandatory.some(leavesOneOf(inserted))) return { ...NONE, beforeInserts, afterInserts: moved, isExchange };
  const insertedFirst = rowsReferredTo(model, created, mandatory);
  return { ...NONE, beforeInserts, insertedFirst, betweenInserts: moved, isExchange };
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

/** The new rows that some references lead to, and those that these rows refer to themselves. */
function rowsReferredTo(
  model: Model,
  created: readonly InstanceNode[],
  moves: readonly Mover[],
): ReadonlySet<InstanceNode> {
  const idOf = (entity: Entity, key: Key): string => `${lineageOf(model, entity).at(-1)?.name} ${keyText(key)}`;
  const known = new Map(created.map((node) => [idOf(node.entity, node.key), node]));
  const references = referencesAmong(model, created);
  const open = moves.flatMap(({ node, slots }) =>
    slots.flatMap(({ path, attribute }) => {
      const value = node.after.get(path);
      const target = entityOf(model, (attribute as ReferenceAttribute).target);
      return isReference(value) ? (known.get(idOf(target, value.key)) ?? []) : [];
    }),
  );
  const found = new Set<InstanceNode>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    open.push(...(references.get(node) ?? []));
  }
  return found;
}
