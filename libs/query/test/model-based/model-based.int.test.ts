import { checkRequests, newTally } from './check-requests.ts';

/** Ten models with fifty requests each; each model has a database of its own (`createTestDatabase`). */
const MODELS = 10;
const REQUESTS = 50;
const tally = newTally();

test.each(Array.from({ length: MODELS }, (_, at) => at + 1))(
  'PostgreSQL answers as the naive evaluation does: model %i',
  (seed) => checkRequests(seed, REQUESTS, tally),
  60_000,
);

test('enough of the requests found something', () => {
  expect(tally.requests).toBe(MODELS * REQUESTS);
  expect(tally.fruitful).toBeGreaterThan(tally.requests / 4);
  expect(tally.refused).toBeLessThan(tally.requests / 4);
  expect(tally.aggregates).toBeGreaterThan(tally.requests / 8);
  expect(tally.trees).toBeGreaterThan(tally.requests / 50);
  expect(tally.relative).toBeGreaterThan(tally.requests / 100);
  expect(tally.walks).toBeGreaterThan(tally.requests / 20);
  expect(tally.pages).toBeGreaterThan(1.4 * tally.walks);
});
