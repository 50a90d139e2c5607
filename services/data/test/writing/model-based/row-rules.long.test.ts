import { seeds } from '@lintel/testkit/properties';
import type { DataFixture } from '../../data-fixture.ts';
import { checkWrites, newTally } from './check-writes.ts';
import { RULED_CALLERS, startLibrary } from './start-library.ts';

// Needs a database: createTestDatabase.

let data: DataFixture;
beforeAll(async () => {
  data = await startLibrary(RULED_CALLERS);
}, 60_000);
afterAll(() => data.close());

/** 5,000 requests, every 250 of them from an empty library on. */
const ROUNDS = 20;
const STEPS = 250;
const tally = newTally();

test.each(seeds(ROUNDS))(
  'row-level roles let the writes through that an in-memory reading of them lets through: seed %i',
  (seed) => checkWrites(data, RULED_CALLERS, seed, STEPS, tally),
  600_000,
);

test('the service has failed at nothing', () => {
  expect(data.errors).toEqual([]);
});
