import { nextIteration } from '@lintel/timing';

export interface SliceOptions {
  /** Maximum time on the event loop of all slices together; waits do not count. */
  readonly maxMs: number;
  /** Creates the error of work that takes longer. */
  readonly onTooLong: () => Error;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum delay of other work, unless a single step takes longer. */
const SLICE_MS = 10;
/** Reading the clock costs as much as a step. */
const STEPS_PER_CHECK = 32;

const isIterator = (value: unknown): value is Iterator<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  'next' in value &&
  'throw' in value &&
  typeof value.next === 'function' &&
  typeof value.throw === 'function';
const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/**
 * Runs generators as liquidjs does (runs a yielded generator, awaits a yielded promise), and lets the event loop
 * continue after each slice.
 *
 * @throws the error of `onTooLong`; the reason of the signal
 */
export async function runInSlices(root: Iterator<unknown>, options: SliceOptions): Promise<unknown> {
  const { maxMs, onTooLong, signal } = options;
  const running = [root];
  let value: unknown;
  let hasFailed = false;
  let usedMs = 0;
  let sliceAtMs = performance.now();
  for (let steps = 1; ; steps += 1) {
    if (steps % STEPS_PER_CHECK === 0) {
      const sliceMs = performance.now() - sliceAtMs;
      if (usedMs + sliceMs > maxMs) throw onTooLong();
      if (sliceMs > SLICE_MS) {
        usedMs += sliceMs;
        await nextIteration();
        signal?.throwIfAborted();
        sliceAtMs = performance.now();
      }
    }
    const top = running.at(-1);
    if (top === undefined) {
      if (hasFailed) throw value;
      return value;
    }
    let state: IteratorResult<unknown>;
    try {
      state = hasFailed && top.throw !== undefined ? top.throw(value) : top.next(value);
    } catch (error) {
      // The generator has ended; the one that waits for it gets the error.
      running.pop();
      hasFailed = true;
      value = error;
      continue;
    }
    hasFailed = false;
    value = state.value;
    if (state.done === true) running.pop();
    if (isIterator(value)) {
      running.push(value);
      value = undefined;
    } else if (isThenable(value)) {
      usedMs += performance.now() - sliceAtMs;
      try {
        value = await value;
      } catch (error) {
        hasFailed = true;
        value = error;
      }
      sliceAtMs = performance.now();
    }
  }
}
