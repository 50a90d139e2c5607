import { BUILT_IN_ROLES } from '@lintel/security';
import { roleWarnings } from './role-warnings.ts';

const resourceRoles = new Map(BUILT_IN_ROLES.map((role) => [role.code, role]));

test('limits of roles that exist need no warning', () => {
  expect(roleWarnings({}, { resourceRoles })).toEqual([]);
  expect(roleWarnings({ 'system-full-access': {} }, { resourceRoles })).toEqual([]);
});

test('limits of an unknown role have no effect', () => {
  expect(roleWarnings({ 'system-full-acess': {}, quark: {} }, { resourceRoles })).toEqual([
    'svc.rest.limits.role.system-full-acess applies to no user: there is no role system-full-acess; did you mean system-full-access?',
    'svc.rest.limits.role.quark applies to no user: there is no role quark',
  ]);
});
