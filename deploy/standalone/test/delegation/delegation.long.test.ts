import { hashPassword } from '@lintel/passwords';
import { cases } from '@lintel/testkit/properties';
import { assertComplete, checkSequences } from './check-sequences.ts';
import { prepare, ROOT_PASSWORD } from './run-sequence.ts';
import { startSystem } from './system.ts';

/** `LINTEL_PROPERTY_SEED` names another first one, `LINTEL_PROPERTY_RUNS` another number of them. */
const SEQUENCES = cases(400).numRuns;

test.each([
  ['creates its users', false],
  ['gets users that exist', true],
])(
  'nothing that an administrator holds permits more than before, where the provider %s',
  async (_case, links) => {
    const system = await startSystem({ links });
    try {
      await prepare(system, await hashPassword(ROOT_PASSWORD));
      assertComplete(await checkSequences(system, SEQUENCES));
    } finally {
      await system.close();
    }
  },
  7_200_000,
);
