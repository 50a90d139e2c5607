import { seeds } from '@lintel/testkit/properties';
import type { DataFixture } from '../../data-fixture.ts';
import { checkWrites, newTally } from './check-writes.ts';
import { startLibrary } from './start-library.ts';

const callers = { admin: [], bea: [] };
let data: DataFixture;
beforeAll(async () => {
  data = await startLibrary(callers);
});
afterAll(() => data.close());

/** 10,000 requests; after every 250 the library is emptied. */
const ROUNDS = 40;
const STEPS = 250;
const tally = newTally();

test.each(seeds(ROUNDS))(
  'random graphs of writes have the outcome of the contract: seed %i',
  (seed) => checkWrites(data, callers, seed, STEPS, tally),
  600_000,
);

test('the service had no internal error', () => {
  expect(data.errors).toEqual([]);
});
