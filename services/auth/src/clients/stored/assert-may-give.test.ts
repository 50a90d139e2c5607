import { assertMayGive } from './assert-may-give.ts';

const caller = {
  username: 'anna',
  isUnlimited: false,
  resourceRoles: ['a', 'b'],
  rowLevelRoles: ['own-region'],
  coversMaker: true,
};

// Asserts contract/clients.md#roles, contract/roles.md#definition.
test.each([
  ['no roles at all', { resourceRoles: [], rowLevelRoles: [] }, undefined],
  ['roles of the caller with the restriction', { resourceRoles: ['a'], rowLevelRoles: ['own-region'] }, undefined],
  ['a further restriction', { resourceRoles: ['a'], rowLevelRoles: ['own-region', 'active'] }, undefined],
  ['a role that the caller has not', { resourceRoles: ['a', 'c'], rowLevelRoles: ['own-region'] }, /does not have c/],
  ['a role of the caller in another case', { resourceRoles: ['A'], rowLevelRoles: ['own-region'] }, /does not have A/],
  ['the restriction in another case', { resourceRoles: ['a'], rowLevelRoles: ['Own-Region'] }, /caller: own-region/],
  ['no restriction', { resourceRoles: ['a'], rowLevelRoles: [] }, /those of the caller: own-region/],
])('%s', (_case, roles, refusal) => {
  const give = () => assertMayGive(roles, caller);
  if (refusal === undefined) expect(give).not.toThrow();
  else
    expect(give).toThrow(expect.objectContaining({ code: 'ACCESS_DENIED', details: expect.stringMatching(refusal) }));
  expect(() => assertMayGive(roles, { ...caller, isUnlimited: true })).not.toThrow();
});
