import { checkAgreement, newAgreementTally } from './check-agreement.ts';

/** Models with a database of their own, and policies on each. */
const MODELS = 5;
const POLICIES = 50;
const tally = newAgreementTally();

test.each(Array.from({ length: MODELS }, (_, at) => at + 1))(
  'a policy hides the same rows as a query and as a predicate: model %i',
  (seed) => checkAgreement(seed, POLICIES, tally),
  60_000,
);

test('enough of the policies hide some rows and show others', () => {
  expect(tally.policies).toBe(MODELS * POLICIES);
  expect(tally.unsupported).toBeLessThan(tally.policies / 4);
  expect(tally.selective).toBeGreaterThan(tally.policies / 5);
});
