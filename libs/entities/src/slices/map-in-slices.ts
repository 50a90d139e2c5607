import { setImmediate } from 'node:timers/promises';

/** Instances that are worked on between two pauses: a few milliseconds of work. */
const SLICE = 500;

/** Maps the members of a list, without a promise if it is short. Other requests go on between the slices of a long one. */
export function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
): readonly R[] | Promise<readonly R[]> {
  return items.length <= SLICE ? items.map(work) : mapLong(items, work);
}

async function mapLong<T, R>(items: readonly T[], work: (item: T, at: number) => R): Promise<readonly R[]> {
  const results: R[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % SLICE === 0) await setImmediate();
    results.push(work(item, at));
  }
  return results;
}

/** Called before the member of a list at this index is handled, where members are awaited one by one. */
export function pauseAt(position: number): Promise<void> | undefined {
  return position > 0 && position % SLICE === 0 ? setImmediate() : undefined;
}

/** Between two passes over all members of a list. */
export function pauseAfter(count: number): Promise<void> | undefined {
  return count > SLICE ? setImmediate() : undefined;
}
