import { BUILT_IN_ROLES } from '../roles/built-in-roles.ts';
import {
  entityPolicy,
  modifyAttributes,
  predicatePolicy,
  queryPolicy,
  requireAcr,
  resourceRole,
  rowLevelRole,
  specificPolicy,
} from '../roles/role-builder.ts';
import { createAccessDirectory } from './access-directory.ts';
import { buildAccess } from './build-access.ts';
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
  rowRoles: new Map(
    [
      rowLevelRole('own', { name: 'Own', policies: [queryPolicy('t_Car', '1 = 1')] }),
      rowLevelRole('mine', { name: 'Mine', policies: [queryPolicy('t_Car', '{E}.vin = :current_user_id')] }),
      rowLevelRole('branch', {
        name: 'Branch',
        policies: [queryPolicy('t_Car', '1 = 1', 'join {E}.owner o on o.branch = :session_branch')],
      }),
      rowLevelRole('code', {
        name: 'Code',
        policies: [
          queryPolicy('t_Car', '1 = 1'),
          predicatePolicy('t_Car', { actions: ['update', 'delete'], dependsOn: [], test: () => true }),
        ],
      }),
    ].map((role) => [role.code, role]),
  ),
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
  expect(covers(caller(['strong', 'reader']), held(['reader']))).toBe('allowed');
});

// Asserts contract/roles.md#delegation.
test('row-level roles of the caller must be among those of users with rights', () => {
  expect(covers(caller(['reader'], ['own']), held(['reader']))).toMatch(/row-level roles of the caller may hide: own$/);
  expect(covers(caller(['reader'], ['own']), held(['reader'], ['own', 'more']))).toBe('allowed');
  expect(covers(caller(['reader'], ['own']), held([]))).toBe('allowed');
  expect(covers(caller(['reader'], ['gone']), held(['reader'], ['gone']))).toBe('allowed');
});

// Asserts contract/roles.md#delegation.
test('row-level roles need the entities that they restrict, and a caller without one', () => {
  const write = (...given: Parameters<typeof caller>) =>
    outcome(() => delegation.assertCoversRowRoles(caller(...given), ['own'], roles));
  expect(write(['reader'])).toBe('allowed');
  expect(write(['many'])).toContain('entity t_Car (read)');
  expect(write(['reader'], ['own'])).toContain('row-level roles of the caller');
});

// Asserts contract/roles.md#delegation.
test.each(['mine', 'branch', 'code'])(
  'the row-level role %s may show other rows to another user, so that both having it is not enough',
  (code) => {
    expect(covers(caller(['reader'], ['own', code]), held(['reader'], ['own', code]))).toMatch(
      new RegExp(`may hide: ${code}$`),
    );
    expect(covers(caller(['reader'], [code]), held([], [code]))).toBe('allowed');
  },
);

// Asserts contract/roles.md#delegation.
test('a caller with a row-level role cannot write roles', () => {
  const write = (...given: Parameters<typeof caller>) =>
    outcome(() => delegation.assertCoversRoles(caller(...given), ['reader'], roles));
  expect(write(['reader'])).toBe('allowed');
  expect(write(['reader'], ['own'])).toMatch(/row-level roles of the caller may hide: own$/);
});

// Asserts contract/roles.md#delegation.
test('row-level roles need the actions that they restrict', () => {
  const write = (policies: Parameters<typeof entityPolicy>[1][]) =>
    createDelegation(
      () => roles,
      () =>
        buildAccess(
          ['r'],
          new Map([['r', resourceRole('r', { name: 'R', policies: [entityPolicy('t_Car', ...policies)] })]]),
          {
            requireApiScope: true,
          },
        ),
    );
  const restrict = (...actions: Parameters<typeof entityPolicy>[1][]) =>
    outcome(() => write(actions).assertCoversRowRoles(caller([]), ['code', 'no-such-role'], roles));
  expect(restrict('read', 'update', 'delete')).toBe('allowed');
  expect(restrict('read', 'update')).toMatch(/have: entity t_Car \(update, delete\)$/);
  expect(restrict('update', 'delete')).toMatch(/have: entity t_Car \(read\)$/);
});

test('roles as they are for the check count, and not the current ones', () => {
  const changed = {
    ...roles,
    resourceRoles: new Map([['reader', resourceRole('reader', { name: 'R', policies: [specificPolicy('new')] })]]),
    rowRoles: new Map<string, never>(),
  };
  expect(covers(caller(['reader']), held(['reader']), changed)).toContain('specific new');
  expect(covers(caller(['many'], ['mine']), held(['same'], ['mine']), changed)).toBe('allowed');
  expect(outcome(() => delegation.assertCoversRoles(caller(['reader']), ['reader'], changed))).toContain(
    'specific new',
  );
});

// Asserts contract/roles.md#delegation.
test('a missing policy is named once, by its kind', () => {
  const policies = [READ, READ, ...modifyAttributes('t_Car', 'vin'), specificPolicy('x')];
  const directory = new Map([['new', resourceRole('new', { name: 'New', policies })]]);
  expect(outcome(() => delegation.assertCoversRoles(caller([]), ['new'], { ...roles, resourceRoles: directory }))).toBe(
    'ACCESS_DENIED Forbidden: The change needs policies that the caller does not have: entity t_Car (read); attribute t_Car.vin (modify); specific x',
  );
});

// Asserts contract/roles.md#delegation.
test('a client and a call without a token have no stronger login', () => {
  expect(covers({ ...caller(['strong']), kind: 'anonymous' }, held(['strong']))).toMatch(
    /^ACCESS_DENIED .*specific x$/,
  );
  expect(covers({ ...caller(['strong']), kind: 'client' }, held(['strong']))).toBe('allowed');
});
