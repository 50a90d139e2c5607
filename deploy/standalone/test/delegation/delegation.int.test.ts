import { hashPassword } from '@lintel/passwords';
import { cases, SEED } from '@lintel/testkit/properties';
import { AUTH_ROUTES } from './auth-routes.ts';
import { assertComplete, checkSequences } from './check-sequences.ts';
import { newTally, prepare, ROOT_PASSWORD, Sequence } from './run-sequence.ts';
import { type System, startSystem } from './system.ts';

const SEQUENCES = cases(40).numRuns;
const options = { maxRequests: 30, probes: true };

let system: System;
beforeAll(async () => {
  system = await startSystem();
  await prepare(system, await hashPassword(ROOT_PASSWORD));
});
afterAll(() => system?.close());

test('the model knows every route of auth that writes', () => {
  const writes = system.authRoutes.filter((route) => !/^(?:GET|HEAD|OPTIONS) /.test(route));
  expect([...new Set(writes)].sort()).toEqual(Object.keys(AUTH_ROUTES).sort());
});

test(
  'nothing that an administrator holds after a sequence of requests permits more than before',
  async () => assertComplete(await checkSequences(system, SEQUENCES)),
  1_800_000,
);

test('the same holds where the provider gets users that exist', async () => {
  const linking = await startSystem({ links: true });
  try {
    await prepare(linking, await hashPassword(ROOT_PASSWORD));
    await checkSequences(linking, SEQUENCES / 4);
  } finally {
    await linking.close();
  }
}, 1_800_000);

test('the model finds what is wrong without the ceiling', async () => {
  const unlimited = await startSystem({ delegation: 'unlimited' });
  try {
    await prepare(unlimited, await hashPassword(ROOT_PASSWORD));
    const found: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      const problems = await Sequence.run(unlimited, { ...options, seed: SEED + at, tally: newTally() });
      if (problems.length > 0) found.push(at);
    }
    expect(found.length).toBeGreaterThan(1);
  } finally {
    await unlimited.close();
  }
}, 600_000);
