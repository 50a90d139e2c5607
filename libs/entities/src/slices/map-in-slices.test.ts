import { countRounds } from '@lintel/testkit';
import { mapInSlices, pauseAfter, pauseAt } from './map-in-slices.ts';

const numbers = (length: number) => Array.from({ length }, (_, at) => at);

test.each([0, 1, 500, 501, 1_700])('%i members are mapped in their order', async (length) => {
  expect(await mapInSlices(numbers(length), (item, at) => [item, at])).toEqual(numbers(length).map((at) => [at, at]));
});

test('a short list is mapped without a pause, a long one with pauses', async () => {
  expect(await countRounds(async () => mapInSlices(numbers(500), String))).toBe(0);
  expect(await countRounds(async () => mapInSlices(numbers(2_001), String))).toBeGreaterThanOrEqual(4);
});

test('loops and passes pause for long lists alone', async () => {
  expect(await countRounds(async () => await pauseAfter(500))).toBe(0);
  expect(await countRounds(async () => await pauseAfter(501))).toBeGreaterThanOrEqual(1);
  expect(await countRounds(async () => await pauseAt(0))).toBe(0);
  expect(await countRounds(async () => await pauseAt(1_000))).toBeGreaterThanOrEqual(1);
});
