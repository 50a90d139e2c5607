import { seeds } from '@lintel/testkit/properties';
import type { DataFixture } from '../../data-fixture.ts';
import { checkWrites, newTally } from './check-writes.ts';
import { RULED_CALLERS, startLibrary } from './start-library.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startLibrary(RULED_CALLERS);
});
afterAll(() => data.close());

/** 5,000 requests; after every 250 the library is emptied. */
const ROUNDS = 20;
const STEPS = 250;
const tally = newTally();

test.each(seeds(ROUNDS))(
  'row-level roles permit the writes that their evaluation in memory permits: seed %i',
  (seed) => checkWrites(data, RULED_CALLERS, seed, STEPS, tally),
  600_000,
);

test('the service had no internal error', () => {
  expect(data.errors).toEqual([]);
});
