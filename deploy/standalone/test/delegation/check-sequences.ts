import { SEED } from '@lintel/testkit/properties';
import { AUTH_ROUTES } from './auth-routes.ts';
import { newTally, Sequence, type Tally } from './run-sequence.ts';
import type { System } from './system.ts';

const ofTrial = (trial: string): readonly string[] =>
  Object.keys(AUTH_ROUTES).filter((route) => AUTH_ROUTES[route] === trial);

/** Asserts that sequences of requests find nothing, and returns what they have tried. */
export async function checkSequences(system: System, sequences: number): Promise<Tally> {
  const tally = newTally();
  const found: string[] = [];
  for (let at = 0; at < sequences && found.length < 3; at += 1) {
    const problems = await Sequence.run(system, { maxRequests: 30, probes: true, seed: SEED + at, tally });
    if (problems.length > 0) found.push(problems.join('\n'));
  }
  if (process.env['LINTEL_TEST_LONG'] === 'true') console.log(tally);
  expect(found.join('\n\n')).toBe('');
  return tally;
}

/** Asserts that everything that the model knows was tried. */
export function assertComplete({ tried, byRoute }: Tally): void {
  const kinds = ['API', 'client', 'code', 'link', 'login', 'see-as', 'sign-up', ...ofTrial('own')];
  expect([...tried.keys()].sort()).toEqual(kinds.sort());
  expect(ofTrial('provider').filter((route) => !byRoute.has(route))).toEqual([]);
}
