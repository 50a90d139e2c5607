import { setImmediate } from 'node:timers/promises';

/** Instances that are worked on between two pauses: a few milliseconds of work. */
const SLICE = 500;

/** Maps the members of a list. Other requests go on between the slices of a long one. */
export async function mapInSlices<T, R>(items: readonly T[], work: (item: T, at: number) => R): Promise<readonly R[]> {
  if (items.length <= SLICE) return items.map(work);
  const results: R[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % SLICE === 0) await setImmediate();
    results.push(work(item, at));
  }
  return results;
}

/** Called before the member of a list at this index is handled, where members are awaited one by one. */
export async function pauseAt(position: number): Promise<void> {
  if (position > 0 && position % SLICE === 0) await setImmediate();
}

/** Between two passes over all members of a list. */
export async function pauseAfter(count: number): Promise<void> {
  if (count > SLICE) await setImmediate();
}
