import { fc, type GeneratorValue } from '@lintel/testkit/properties';

/** Chooses at random, so that fast-check can repeat and shrink what was chosen. */
export type Choose = GeneratorValue;

/** An integer between both bounds, bounds included. */
export const between = (choose: Choose, min: number, max: number): number => choose(fc.integer, { min, max });

/** True in `percent` of all cases. */
export const chance = (choose: Choose, percent: number): boolean => between(choose, 1, 100) > 100 - percent;

/** One of the items; there must be one. */
export function pick<T>(choose: Choose, items: readonly T[]): T {
  if (items.length === 0) throw new Error('Nothing to pick from');
  return items[between(choose, 0, items.length - 1)] as T;
}

/** Some of the items, each at most once, in their order. */
export const some = <T>(choose: Choose, items: readonly T[], percent: number): readonly T[] =>
  items.filter(() => chance(choose, percent));

/** The given number of values, each made by `make`. */
export const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));
