import { type DataFixture, startData } from '../../data-fixture.ts';
import { library } from '../library-application.ts';
import { checkWrites, newTally } from './check-writes.ts';

// Needs a database: createTestDatabase.

const full = { resourceRoles: ['system-full-access'] };
let data: DataFixture;
beforeAll(async () => {
  data = await startData(library, { admin: full, bea: full }, { 'svc.rest.optimistic-locking-enabled': 'true' });
}, 60_000);
afterAll(() => data.close());

/** 10,000 requests, every 250 of them from an empty library on. */
const ROUNDS = 40;
const STEPS = 250;
const tally = newTally();

test.each(Array.from({ length: ROUNDS }, (_, at) => 101 + at))(
  'random graphs of writes leave what the rules say: seed %i',
  (seed) => checkWrites(data, seed, STEPS, tally),
  600_000,
);

test('the service has failed at nothing', () => {
  expect(data.errors).toEqual([]);
});
