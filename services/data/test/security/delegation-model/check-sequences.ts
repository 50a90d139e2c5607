import { SEED } from '@lintel/testkit/properties';
import { ROUTES } from './requests.ts';
import { newTally, runSequence } from './run-sequence.ts';
import type { World } from './world.ts';

/** One in so many sequences is tried by real requests, too. */
const PROBED = 20;
/** A run names so many sequences. */
const MAX_FOUND = 5;

/** @throws Error with the requests of a sequence after which somebody has more than before */
export async function checkSequences(world: World, count: number, maxRequests: number): Promise<void> {
  const tally = newTally();
  const found: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const problems = await runSequence(world, { seed: SEED + at, maxRequests, probes: at % PROBED === 0, tally });
    if (problems.length > 0) found.push(problems.join('\n'));
    if (found.length === MAX_FOUND) break;
  }
  if (found.length > 0) throw new Error(found.join('\n\n'));
  const sent = [...tally.byRoute.values()].reduce((sum, each) => sum + each, 0);
  if (process.env['LINTEL_TEST_LONG'] === 'true')
    console.log({ ...tally, byRoute: Object.fromEntries(tally.byRoute), sent });
  const unsent = ROUTES.filter(({ operationId }) => !tally.byRoute.has(operationId));
  expect(unsent.map(({ operationId }) => operationId)).toEqual([]);
  expect(tally.accepted).toBeGreaterThan(sent / 10);
  expect(tally.refused).toBeGreaterThan(sent / 10);
  expect(tally.controlled).toBeGreaterThan(count / 10);
}
