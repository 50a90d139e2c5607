import { seeds } from '@lintel/testkit/properties';
import { checkAgreement, newAgreementTally } from './check-agreement.ts';

/** Ten thousand policies, other ones than in the short run. `LINTEL_PROPERTY_SEED` names another first model. */
const MODELS = 40;
const POLICIES = 250;
const tally = newAgreementTally();

test.each(seeds(MODELS))(
  'a policy hides the same rows as a query and as a predicate: model %i',
  (seed) => checkAgreement(seed, POLICIES, tally),
  600_000,
);

test('enough of the policies hide some rows and show others', () => {
  console.log(tally);
  expect(tally.policies).toBe(MODELS * POLICIES);
  expect(tally.unsupported).toBeLessThan(tally.policies / 4);
  expect(tally.selective).toBeGreaterThan(tally.policies / 5);
});
