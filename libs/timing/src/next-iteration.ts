import { setImmediate } from 'node:timers/promises';

let latest: Promise<unknown> = Promise.resolve();

/**
 * Yields to the event loop, one piece of work for each of its iterations: all immediates of an iteration run in a row,
 * so that the slices of several pieces of work at once would add up to one long block.
 */
export function nextIteration(): Promise<unknown> {
  latest = latest.then(() => setImmediate());
  return latest;
}
