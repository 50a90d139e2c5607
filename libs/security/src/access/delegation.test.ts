import { BUILT_IN_ROLES } from '../roles/built-in-roles.ts';
import {
  entityPolicy,
  queryPolicy,
  requireAcr,
  resourceRole,
  rowLevelRole,
  specificPolicy,
} from '../roles/role-builder.ts';
import { createAccessDirectory } from './access-directory.ts';
import { createDelegation } from './delegation.ts';

const READ = entityPolicy('t_Car', 'read');
const roles = {
  version: '1',
  resourceRoles: new Map(
    [
      ...BUILT_IN_ROLES,
      resourceRole('reader', { name: 'Reader', policies: [READ] }),
      resourceRole('same', { name: 'The same under another code', policies: [READ] }),
      resourceRole('screen', { name: 'Screen', scopes: ['UI'], policies: [READ] }),
      resourceRole('strong', { name: 'Strong', policies: [requireAcr('urn:lintel:acr:2fa', specificPolicy('x'))] }),
      resourceRole('many', { name: 'Many', policies: Array.from({ length: 12 }, (_, at) => specificPolicy(`p${at}`)) }),
    ].map((role) => [role.code, role]),
  ),
  rowRoles: new Map([['own', rowLevelRole('own', { name: 'Own', policies: [queryPolicy('t_Car', '1 = 1')] })]]),
};
const delegation = createDelegation(
  () => roles,
  createAccessDirectory(() => roles),
);
const caller = (resourceRoles: readonly string[], rowLevelRoles: readonly string[] = [], kind = 'user' as const) => ({
  kind,
  resourceRoles,
  rowLevelRoles,
});
const held = (resourceRoles: readonly string[], rowLevelRoles: readonly string[] = []) => ({
  resourceRoles,
  rowLevelRoles,
});
const outcome = (check: () => void): string => {
  try {
    check();
    return 'allowed';
  } catch (error) {
    return `${(error as { code: string }).code} ${(error as Error).message}`;
  }
};
const covers = (...given: Parameters<typeof delegation.assertCovers>) =>
  outcome(() => delegation.assertCovers(...given));

// Asserts contract/roles.md#delegation.
test('policies count and not the codes of roles', () => {
  expect(covers(caller(['reader']), held(['same']))).toBe('allowed');
  expect(covers(caller(['system-full-access']), held(['many', 'strong', 'screen']))).toBe('allowed');
  expect(covers(caller(['reader']), held(['reader', 'no-such-role']))).toBe('allowed');
});

test('at most ten missing policies are named', () => {
  expect(covers(caller(['reader']), held(['many']))).toMatch(/have: specific p0; .*specific p9 and 2 more$/);
});

// Asserts contract/roles.md#delegation.
test('roles of other programs count among themselves, and all roles of anonymous count in the API', () => {
  expect(covers(caller(['many']), held(['screen']))).toContain('entity t_Car (read)');
  expect(covers(caller(['screen']), held(['screen']))).toBe('allowed');
  expect(covers(caller(['screen']), held(['reader']))).toContain('entity t_Car (read)');
  expect(covers(caller(['screen']), { ...held(['screen']), isAnonymous: true })).toContain('entity t_Car (read)');
  expect(outcome(() => delegation.assertCoversRoles(caller(['screen']), ['screen'], roles))).toContain('t_Car');
});

// Asserts contract/roles.md#delegation.
test('a stronger login of a user is asked for where it is enough', () => {
  expect(covers(caller(['strong']), held(['strong']))).toContain('AUTH_STEP_UP_REQUIRED');
  expect(covers({ ...caller(['strong']), acr: 'urn:lintel:acr:2fa' }, held(['strong']))).toBe('allowed');
  expect(covers(caller(['strong']), held(['strong', 'reader']))).toContain('entity t_Car (read)');
});

// Asserts contract/roles.md#delegation.
test('row-level roles of the caller must be among those of users with rights', () => {
  expect(covers(caller(['reader'], ['own']), held(['reader']))).toMatch(/row-level roles of the caller may hide: own$/);
  expect(covers(caller(['reader'], ['own']), held(['reader'], ['own', 'more']))).toBe('allowed');
  expect(covers(caller(['reader'], ['own']), held([]))).toBe('allowed');
});

// Asserts contract/roles.md#delegation.
test('row-level roles need the entities that they restrict, and a caller without one', () => {
  const write = (...given: Parameters<typeof caller>) =>
    outcome(() => delegation.assertCoversRowRoles(caller(...given), ['own'], roles));
  expect(write(['reader'])).toBe('allowed');
  expect(write(['many'])).toContain('entity t_Car (read)');
  expect(write(['reader'], ['own'])).toContain('row-level roles of the caller');
});
