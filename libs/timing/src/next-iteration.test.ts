import { setImmediate } from 'node:timers';
import { nextIteration } from './next-iteration.ts';

test('pieces of work that yield at once are continued in iterations of their own', async () => {
  let iteration = 0;
  let isCounting = true;
  const count = (): void => {
    iteration += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const work = async (): Promise<readonly number[]> => {
    await nextIteration();
    const first = iteration;
    await nextIteration();
    return [first, iteration];
  };
  const iterations = (await Promise.all([work(), work(), work()])).flat();
  isCounting = false;
  expect(new Set(iterations).size).toBe(6);
});
