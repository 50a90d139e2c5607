import { setImmediate } from 'node:timers/promises';

/** Instances that are worked on between two pauses: a few milliseconds of work. */
const SLICE = 500;

/** Graphs of instances that are worked on between two pauses: each may have many children. */
export const GRAPHS = 100;

/** Maps the members of a list, without a promise if it is short. Other requests go on between the slices of a long one. */
export function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
  slice = SLICE,
): readonly R[] | Promise<readonly R[]> {
  return items.length <= slice ? items.map(work) : mapLong(items, work, slice);
}

async function mapLong<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
  slice: number,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % slice === 0) await setImmediate();
    results.push(work(item, at));
  }
  return results;
}

/** Called before the member of a list at this index is handled, where members are awaited one by one. */
export function pauseAt(position: number, slice = SLICE): Promise<void> | undefined {
  return position > 0 && position % slice === 0 ? setImmediate() : undefined;
}

/** Between two passes over all members of a list. */
export function pauseAfter(count: number): Promise<void> | undefined {
  return count > SLICE ? setImmediate() : undefined;
}
