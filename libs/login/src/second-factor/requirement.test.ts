import { ACR_ONE_FACTOR as ONE, ACR_TWO_FACTORS as TWO } from '@lintel/contracts';
import { createRequirement, type RequirementFacts } from './requirement.ts';

const requiredFor = (
  facts: Partial<RequirementFacts>,
  { roles = [] as string[], afterProviderLogin = false, hasAny = false } = {},
) =>
  createRequirement({ factors: { hasAny: async () => hasAny }, roles, afterProviderLogin })({
    account: { id: 'u', resourceRoles: ['clerk'] },
    clientAcr: undefined,
    acrValues: [],
    methods: ['pwd'],
    ...facts,
  });

// Asserts contract/roles.md#definition, contract/tokens.md#second-factor.
test.each<[string, Partial<RequirementFacts>, Parameters<typeof requiredFor>[1], string]>([
  ['nothing asks for it', {}, {}, ONE],
  ['another role needs it', {}, { roles: ['admin'] }, ONE],
  ['a role needs it', {}, { roles: ['admin', 'clerk'] }, TWO],
  ['a role in another case needs it', {}, { roles: ['CLERK'] }, ONE],
  ['every user needs it', {}, { roles: ['*'] }, TWO],
  ['the user has one', {}, { hasAny: true }, TWO],
  ['the client requires it', { clientAcr: TWO }, {}, TWO],
  ['the request prefers it', { acrValues: ['unknown', TWO, ONE] }, {}, TWO],
  ['the request prefers one factor', { acrValues: [ONE, TWO] }, {}, ONE],
  ['the request asks for less than a role', { acrValues: [ONE] }, { roles: ['clerk'] }, TWO],
  ['a provider has logged the user in', { methods: ['fed'] }, { roles: ['*'], hasAny: true }, ONE],
  ['a provider has, and the setting says so', { methods: ['fed'] }, { roles: ['*'], afterProviderLogin: true }, TWO],
  ['a provider has, and the client requires it', { methods: ['fed'], clientAcr: TWO }, {}, TWO],
])('%s', async (_case, facts, rules, expected) => {
  expect(await requiredFor(facts, rules)).toBe(expected);
});
