import { type DataFixture, startData } from '../../data-fixture.ts';
import { workers, workshop } from '../workshop-application.ts';
import { checkPatches, newTally } from './check-patches.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(workshop, workers);
});
afterAll(() => data?.close());

const PATCHES = 100;
const tally = newTally();

// Asserts contract/writing.md#json-patch.
test.each([1, 2, 3])(
  'random JSON Patches have the result of another implementation of RFC 6902: seed %i',
  (seed) => checkPatches(data, seed, PATCHES, tally),
  60_000,
);

test('enough patches were applied, with every operation, and enough were conflicts', () => {
  expect(data.errors).toEqual([]);
  expect(Math.min(tally.statuses['200'] ?? 0, tally.statuses['409'] ?? 0)).toBeGreaterThan(PATCHES / 2);
  expect(Object.keys(tally.operations).sort()).toEqual(['add', 'copy', 'move', 'remove', 'replace', 'test']);
  expect(Math.min(...Object.values(tally.operations))).toBeGreaterThan(PATCHES / 10);
});
