import type { DataFixture } from '../../data-fixture.ts';
import { checkWrites, newTally } from './check-writes.ts';
import { startLibrary } from './start-library.ts';

const callers = { admin: [], bea: [] };
let data: DataFixture;
beforeAll(async () => {
  data = await startLibrary(callers);
});
afterAll(() => data.close());

const STEPS = 125;
const tally = newTally();

// Asserts contract/decisions.md#10, contract/decisions.md#15, contract/decisions.md#16, contract/decisions.md#17,
// contract/decisions.md#18, contract/decisions.md#19, contract/decisions.md#47, contract/decisions.md#50,
// contract/decisions.md#51, contract/decisions.md#52, contract/decisions.md#53, contract/decisions.md#54,
// contract/decisions.md#6, contract/decisions.md#72, contract/writing.md#merge-patch,
// contract/writing.md#soft-deletion, contract/writing.md#writing.
test.each([1, 2, 3])(
  'random graphs of writes have the outcome of the contract: seed %i',
  (seed) => checkWrites(data, callers, seed, STEPS, tally),
  240_000,
);

test('enough writes of every kind succeeded, and enough were refused', () => {
  const { done, refused, touched } = tally;
  expect(data.errors).toEqual([]);
  expect(Math.min(done['POST'] ?? 0, (done['PUT'] ?? 0) + (done['PATCH'] ?? 0), done['DELETE'] ?? 0)).toBeGreaterThan(
    STEPS / 5,
  );
  expect(done['PATCH']).toBeGreaterThan(STEPS / 10);
  expect(Object.keys(refused)).toEqual(
    expect.arrayContaining([
      'parse',
      'items',
      'Entity not found',
      'Entity already exists',
      'Entity creation failed',
      'Entity update failed',
      'Optimistic lock',
      'Unique constraint violation',
      'Delete policy violation',
      'Referential integrity violation',
    ]),
  );
  expect(touched).toBeGreaterThan(0);
});
