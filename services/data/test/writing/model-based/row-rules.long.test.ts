import type { DataFixture } from '../../data-fixture.ts';
import { checkWrites, newTally } from './check-writes.ts';
import { startLibrary } from './start-library.ts';

// Needs a database: createTestDatabase.

const callers = {
  admin: [],
  modest: ['no-secrets'],
  coded: ['no-secret-topics'],
  narrow: ['narrow'],
  careful: ['careful'],
  strict: ['no-secrets', 'no-secret-topics', 'narrow', 'careful'],
};
let data: DataFixture;
beforeAll(async () => {
  data = await startLibrary(callers);
}, 60_000);
afterAll(() => data.close());

/** 5,000 requests, every 250 of them from an empty library on. */
const ROUNDS = 20;
const STEPS = 250;
const tally = newTally();

test.each(Array.from({ length: ROUNDS }, (_, at) => 301 + at))(
  'row-level roles let the writes through that an in-memory reading of them lets through: seed %i',
  (seed) => checkWrites(data, callers, seed, STEPS, tally),
  600_000,
);

test('the service has failed at nothing', () => {
  expect(data.errors).toEqual([]);
});
