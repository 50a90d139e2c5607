import { setImmediate } from 'node:timers/promises';
import { collectWhenIdle } from './collect-when-idle.ts';

/** Runs through intervals in which the event loop was as busy as given; returns after which of them it collected. */
async function collectedIn(utilizations: readonly number[]): Promise<readonly number[]> {
  const left = [...utilizations];
  const collected: number[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const stop = collectWhenIdle({
    intervalMs: 1,
    collect: () => void collected.push(utilizations.length - left.length),
    utilizationSince(former) {
      if (former === undefined && left.length === 0) end();
      return { idle: 0, active: 0, utilization: former === undefined ? 1 : (left.shift() ?? 1) };
    },
  });
  await ended;
  stop();
  return collected;
}

test('an idle process collects once what its start left', async () => {
  expect(await collectedIn([0.01, 0, 0.01, 0])).toEqual([1]);
});

test('a busy process collects when it is idle, and not again before it was busy', async () => {
  expect(await collectedIn([0.5, 0.9, 0.08, 0.02, 0.01, 0.08, 0])).toEqual([4]);
  expect(await collectedIn([0, 0.1, 0.08, 0, 0, 0.3, 0.3, 0])).toEqual([1, 4, 8]);
});

test('by default it collects the garbage of this process', async () => {
  const garbage = makeGarbage();
  await setImmediate();
  const { promise: first, resolve } = Promise.withResolvers<void>();
  let intervals = 0;
  const stop = collectWhenIdle({
    intervalMs: 1,
    utilizationSince() {
      // At the start and twice in each interval.
      intervals += 1;
      if (intervals === 3) resolve();
      return { idle: 0, active: 0, utilization: 0 };
    },
  });
  await first;
  stop();
  expect(garbage.deref()).toBeUndefined();
});

const makeGarbage = (): WeakRef<object> => new WeakRef({ text: 'unreachable' });
