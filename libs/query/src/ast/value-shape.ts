import { type ExactJson, type ExactObject, isExactObject } from '../json/exact-json.ts';

/**
 * The attributes of an object in a filter, without their values: an embedded object is compared by the attributes that
 * were sent, so they belong to the shape of the request.
 */
export type ObjectShape = readonly (readonly [name: string, shape: ValueShape])[];
export type ValueShape = 'value' | 'null' | ObjectShape;

/** The shape of a value; that of an object is the same in any order of its members. */
export function shapeOf(value: ExactJson): ValueShape {
  if (value === null) return 'null';
  return isExactObject(value) ? shapeOfObject(value) : 'value';
}

const shapeOfObject = (value: ExactObject): ObjectShape =>
  Object.keys(value)
    .sort()
    .map((name) => [name, shapeOf(value[name] ?? null)] as const);

/** Equal for equal shapes only. */
export const shapeKeyOf = (shape: ValueShape): string => JSON.stringify(shape);

/** The different shapes of a list; nothing if no item is an object. */
export function shapesOf(items: readonly ExactJson[]): readonly ValueShape[] | undefined {
  if (items.length > 0 && !items.some(isExactObject)) return undefined;
  return [...new Map(items.map(shapeOf).map((shape) => [shapeKeyOf(shape), shape])).values()];
}

/** Values that the shape is compared by: one where it is none of an embedded object, since instances have an `id`. */
export function valuesOf(shape: ValueShape): number {
  if (typeof shape === 'string' || shape.some(([name]) => name === 'id')) return 1;
  return Math.max(
    1,
    shape.reduce((sum, [, member]) => sum + valuesOf(member), 0),
  );
}
