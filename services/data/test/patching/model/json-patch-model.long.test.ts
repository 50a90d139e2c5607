import { seeds } from '@lintel/testkit/properties';
import { type DataFixture, startData } from '../../data-fixture.ts';
import { workers, workshop } from '../workshop-application.ts';
import { checkPatches, newTally } from './check-patches.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(workshop, workers);
});
afterAll(() => data?.close());

/** 10,000 patches. */
const ROUNDS = 40;
const PATCHES = 250;
const tally = newTally();

test.each(seeds(ROUNDS))(
  'random JSON Patches have the result of another implementation of RFC 6902: seed %i',
  (seed) => checkPatches(data, seed, PATCHES, tally),
  600_000,
);

test('the service had no internal error', () => {
  expect(data.errors).toEqual([]);
});
