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

const STEPS = 125;
const tally = newTally();

test.each([1, 2])(
  'random graphs of writes leave what the rules say: seed %i',
  (seed) => checkWrites(data, seed, STEPS, tally),
  60_000,
);

test('enough of them were done, and enough refused', () => {
  expect(data.errors).toEqual([]);
  console.log(JSON.stringify(tally));
});
