import { mapInSlices, pauseAfter, pauseAt } from './map-in-slices.ts';

/** How often the event loop goes round while work is done. */
async function roundsOf(work: () => Promise<unknown>): Promise<number> {
  let rounds = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    rounds += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return rounds;
}

const numbers = (length: number) => Array.from({ length }, (_, at) => at);

test.each([0, 1, 500, 501, 1_700])('%i members are mapped in their order', async (length) => {
  expect(await mapInSlices(numbers(length), (item, at) => [item, at])).toEqual(numbers(length).map((at) => [at, at]));
});

test('a short list is mapped without a pause, a long one with pauses', async () => {
  expect(await roundsOf(async () => mapInSlices(numbers(500), String))).toBe(0);
  expect(await roundsOf(async () => mapInSlices(numbers(2_001), String))).toBeGreaterThanOrEqual(4);
});

test('loops and passes pause for long lists alone', async () => {
  expect(await roundsOf(async () => await pauseAfter(500))).toBe(0);
  expect(await roundsOf(async () => await pauseAfter(501))).toBeGreaterThanOrEqual(1);
  expect(await roundsOf(async () => await pauseAt(0))).toBe(0);
  expect(await roundsOf(async () => await pauseAt(1_000))).toBeGreaterThanOrEqual(1);
});
