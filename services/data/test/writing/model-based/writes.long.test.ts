import { seeds } from '@lintel/testkit/properties';
import type { DataFixture } from '../../data-fixture.ts';
import { checkWrites, newTally } from './check-writes.ts';
import { startLibrary } from './start-library.ts';

// Needs a database: createTestDatabase.

const callers = { admin: [], bea: [] };
let data: DataFixture;
beforeAll(async () => {
  data = await startLibrary(callers);
}, 60_000);
afterAll(() => data.close());

/** 10,000 requests, every 250 of them from an empty library on. */
const ROUNDS = 40;
const STEPS = 250;
const tally = newTally();

test.each(seeds(ROUNDS))(
  'random graphs of writes leave what the rules say: seed %i',
  (seed) => checkWrites(data, callers, seed, STEPS, tally),
  600_000,
);

test('the service has failed at nothing', () => {
  expect(data.errors).toEqual([]);
});
