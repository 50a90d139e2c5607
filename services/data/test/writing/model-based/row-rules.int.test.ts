import type { DataFixture } from '../../data-fixture.ts';
import { checkWrites, newTally } from './check-writes.ts';
import { RULED_CALLERS, startLibrary } from './start-library.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startLibrary(RULED_CALLERS);
});
afterAll(() => data.close());

const STEPS = 150;
const tally = newTally();

// Asserts contract/row-policies.md#merge, contract/row-policies.md#writing.
test.each([11, 12])(
  'row-level roles permit the writes that their evaluation in memory permits: seed %i',
  (seed) => checkWrites(data, RULED_CALLERS, seed, STEPS, tally),
  240_000,
);

test('rules refused some writes and permitted others', () => {
  expect(data.errors).toEqual([]);
  expect(tally.refused['Forbidden']).toBeGreaterThan(0);
  expect(tally.refused['Entity not found']).toBeGreaterThan(0);
  expect(Math.min(tally.done['POST'] ?? 0, tally.done['PUT'] ?? 0, tally.done['DELETE'] ?? 0)).toBeGreaterThan(10);
});
