import { SEED } from '@lintel/testkit/properties';
import { checkSequences } from './check-sequences.ts';
import { newTally, runSequence } from './run-sequence.ts';
import { startWorld, type World } from './world.ts';

const SEQUENCES = 50;
const MAX_REQUESTS = 20;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

// Asserts contract/roles.md#delegation.
test(
  'no sequence of requests to any route gives an administrator more than it had',
  () => checkSequences(world, SEQUENCES, MAX_REQUESTS),
  300_000,
);

// Asserts contract/roles.md#delegation.
test('the model finds what is wrong without the ceiling', async () => {
  const unlimited = await world.unlimited();
  try {
    const found: (readonly string[])[] = [];
    for (let at = 0; at < 10; at += 1) {
      const options = { seed: SEED + at, maxRequests: MAX_REQUESTS, probes: false, tally: newTally() };
      found.push(await runSequence(unlimited, options));
    }
    expect(found.filter((problems) => problems.length > 0).length).toBeGreaterThan(3);
  } finally {
    await unlimited.close();
  }
});
