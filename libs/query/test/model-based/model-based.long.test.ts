import { seeds } from '@lintel/testkit/properties';
import { checkRequests, newTally } from './check-requests.ts';

/**
 * Ten thousand requests: a hundred models with a hundred requests each, other ones than in the short run. Each
 * model has a database of its own (`createTestDatabase`). `LINTEL_PROPERTY_SEED` names another first model.
 */
const MODELS = 100;
const REQUESTS = 100;
const tally = newTally();

test.each(seeds(MODELS))(
  'PostgreSQL answers as the naive evaluation does: model %i',
  (seed) => checkRequests(seed, REQUESTS, tally),
  120_000,
);

test('enough of the requests found something', () => {
  console.log(tally);
  expect(tally.requests).toBe(MODELS * REQUESTS);
  expect(tally.fruitful).toBeGreaterThan(tally.requests / 4);
  expect(tally.refused).toBeLessThan(tally.requests / 4);
  expect(tally.aggregates).toBeGreaterThan(tally.requests / 8);
  expect(tally.trees).toBeGreaterThan(tally.requests / 50);
  expect(tally.relative).toBeGreaterThan(tally.requests / 100);
  expect(tally.walks).toBeGreaterThan(tally.requests / 20);
  expect(tally.pages).toBeGreaterThan(1.4 * tally.walks);
});
