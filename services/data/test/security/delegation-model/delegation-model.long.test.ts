import { cases } from '@lintel/testkit/properties';
import { checkSequences } from './check-sequences.ts';
import { startWorld, type World } from './world.ts';

/**
 * Ten thousand sequences, other ones than in the short run. `LINTEL_PROPERTY_SEED` names another first one,
 * `LINTEL_PROPERTY_RUNS` another number of them.
 */
const SEQUENCES = cases(10_000).numRuns;
const MAX_REQUESTS = 30;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

test(
  'no sequence of requests to any route gives an administrator more than it had',
  () => checkSequences(world, SEQUENCES, MAX_REQUESTS),
  7_200_000,
);
