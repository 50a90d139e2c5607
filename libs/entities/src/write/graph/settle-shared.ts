import { canonicalKey, fromColumn, type LiteralType, toParameter } from '@lintel/query';
import type { ColumnSlot, Layout } from '../model/layout.ts';
import { isSameValue } from '../values/same-value.ts';
import type { MutableValues } from '../values/slot-values.ts';
import { isReference, type Scalar, type Values } from '../values/value.ts';

/** Two attributes with different values for one column. */
export interface Disagreement {
  /** The one of the two that was set, if it was one alone. */
  readonly path: string;
  readonly other: string;
}

/**
 * Settles the values of references over columns of other attributes: a reference that was set sets the others, and a
 * reference that has no column of its own follows from them. An instance without such references is not changed.
 *
 * @param values are changed
 * @param given paths of the attributes that were set; all others are as stored, or as a new instance has them
 * @returns the attributes that do not agree
 */
export function settleShared(
  layout: Layout,
  values: MutableValues,
  given: ReadonlySet<string>,
): readonly Disagreement[] {
  if (layout.overShared.length === 0) return [];
  const setBy = new Map<string, string>();
  for (const slot of layout.overShared) if (given.has(slot.path)) setPlain(layout, values, given, slot, setBy);
  for (const slot of layout.overShared) if (!given.has(slot.path) && isDerived(slot)) derive(layout, values, slot);
  return layout.overShared.flatMap((slot) => {
    const plain = disagreeing(layout, values, given, slot);
    if (plain === undefined) return [];
    const other = setBy.get(plain) ?? plain;
    return [given.has(slot.path) ? { path: slot.path, other } : { path: other, other: slot.path }];
  });
}

/** The value that another attribute of the same column has. */
export const convertedValue = (from: LiteralType, to: LiteralType, value: Scalar): Scalar =>
  fromColumn(to, toParameter(from, value));

/** Whether the reference has no column of its own. */
const isDerived = ({ written }: ColumnSlot): boolean => written.length === 0;

const slotOf = (layout: Layout, path: string): ColumnSlot => {
  const slot = layout.slots.get(path);
  if (slot === undefined) throw new Error(`${layout.entity.name} has no stored attribute ${path}`);
  return slot;
};

const typeOf = (slot: ColumnSlot, at: number): LiteralType => slot.types[at] as LiteralType;

/** Sets the other attributes of a reference's columns, unless they were set themselves. The key is complete. */
function setPlain(
  layout: Layout,
  values: MutableValues,
  given: ReadonlySet<string>,
  slot: ColumnSlot,
  setBy: Map<string, string>,
): void {
  const value = values.get(slot.path);
  for (const { at, path } of slot.shared) {
    const plain = slotOf(layout, path);
    if (plain.isKey || given.has(path)) continue;
    if (isReference(value)) {
      values.set(path, convertedValue(typeOf(slot, at), typeOf(plain, 0), value.key[at] ?? null));
      setBy.set(path, slot.path);
    } else if (isDerived(slot) && !plain.attribute.mandatory) {
      values.set(path, null);
      setBy.set(path, slot.path);
    }
  }
}

function derive(layout: Layout, values: MutableValues, slot: ColumnSlot): void {
  const key = slot.types.map((type, at): Scalar => {
    const path = slot.shared.find((part) => part.at === at)?.path ?? '';
    return convertedValue(typeOf(slotOf(layout, path), 0), type, (values.get(path) ?? null) as Scalar);
  });
  const value = key.includes(null) ? null : { key: canonicalKey(key) };
  if (!isSameValue(values.get(slot.path) ?? null, value, false)) values.set(slot.path, value);
}

/** The path of an attribute whose value differs from that of the reference. */
function disagreeing(layout: Layout, values: Values, given: ReadonlySet<string>, slot: ColumnSlot): string | undefined {
  const value = values.get(slot.path);
  const differs = ({ at, path }: ColumnSlot['shared'][number]): boolean => {
    const plain = slotOf(layout, path);
    const type = typeOf(plain, 0);
    const own = (values.get(path) ?? null) as Scalar;
    // A missing part of the key is reported as such.
    if (!isReference(value) || (plain.isKey && own === null)) return false;
    // In the form of the key, in which equal values are equal texts.
    return convertedValue(type, typeOf(slot, at), own) !== (value.key[at] ?? null);
  };
  const isCleared = !isReference(value) && given.has(slot.path) && isDerived(slot) && !slot.attribute.mandatory;
  const isFull = slot.shared.every(({ path }) => (values.get(path) ?? null) !== null);
  return (isCleared && isFull ? slot.shared[0] : slot.shared.find(differs))?.path;
}
