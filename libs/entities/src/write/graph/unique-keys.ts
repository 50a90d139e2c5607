import { type Entity, lineageOf, type Model } from '@lintel/metadata';
import { keyTypeOf, type LiteralType } from '@lintel/query';
import type { ColumnSlot, Layout } from '../model/layout.ts';
import { isReference, keyText, type Scalar, type Value, type Values } from '../values/value.ts';
import type { InstanceNode } from './instance-node.ts';
import { convertedValue } from './settle-shared.ts';

/** Attributes whose values together differ from row to row; 1:1 references are `move-references.ts`'s. */
export interface UniqueKey {
  readonly name: string;
  readonly slots: readonly ColumnSlot[];
  /** Those that take the row out of the key while they are null. */
  readonly nullable: readonly ColumnSlot[];
  /** Equal values are those that conflict; of expressions and periods only the database knows it. */
  readonly isCompared: boolean;
}

const KNOWN = new WeakMap<Layout, readonly UniqueKey[]>();

/** The unique attributes, unique indexes and exclusions of an entity and its ancestors. */
export function uniqueKeysOf(model: Model, layout: Layout): readonly UniqueKey[] {
  const known = KNOWN.get(layout) ?? findUniqueKeys(model, layout);
  KNOWN.set(layout, known);
  return known;
}

function findUniqueKeys(model: Model, { entity, slots }: Layout): readonly UniqueKey[] {
  const all = [...slots.values()].filter(({ attribute }) => attribute.generated !== true);
  const at = (paths: readonly string[]): readonly ColumnSlot[] =>
    paths.flatMap((path) => all.filter((slot) => slot.path === path || slot.path.startsWith(`${path}.`)));
  const keyOf = (own: readonly ColumnSlot[], isCompared: boolean, releasing = own): UniqueKey => ({
    name: `${own[0]?.table} ${own.map(({ path }) => path).join(' ')}`,
    slots: own,
    nullable: releasing.filter(isNullable),
    isCompared,
  });
  const declared = ({ indexes, exclusions = {} }: Entity): readonly UniqueKey[] => [
    ...indexes
      .filter(({ unique }) => unique)
      .map(({ attributes, expression }) => keyOf(at(attributes), expression === undefined)),
    // An absent end of a period is an open one.
    ...Object.values(exclusions).map(({ equal = [], period }) => keyOf(at([...equal, ...period]), false, at(equal))),
  ];
  return [
    ...all.flatMap((slot) =>
      slot.attribute.kind !== 'reference' && slot.attribute.unique ? [keyOf([slot], true)] : [],
    ),
    ...lineageOf(model, entity).flatMap(declared),
  ];
}

const isNullable = ({ columns, isKey, written }: ColumnSlot): boolean =>
  !isKey && written.length === columns.length && columns.every(({ nullable }) => nullable);

/** A text that is equal for values that conflict; undefined if the row is not in the key. */
export function valueIn(model: Model, key: UniqueKey, values: Pick<Values, 'get'> | undefined): string | undefined {
  const parts = key.slots.map((slot) => normalValue(model, slot, values?.get(slot.path) ?? null));
  if (parts.includes(null) && key.isCompared) return undefined;
  return key.isCompared ? `${key.name} ${JSON.stringify(parts)}` : key.name;
}

/** In the form in which the database compares it. */
function normalValue(model: Model, { attribute, types }: ColumnSlot, value: Value): Scalar {
  if (value === null) return null;
  if (isReference(value)) return keyText(value.key);
  const type = types[0] as LiteralType;
  return convertedValue(type, keyTypeOf(model, attribute) ?? type, value as Scalar);
}

/** The unique values that an instance has after the save. */
export const takenBy = (model: Model, { layout, after }: Pick<InstanceNode, 'layout' | 'after'>): ReadonlySet<string> =>
  new Set(uniqueKeysOf(model, layout).flatMap((key) => valueIn(model, key, after) ?? []));
