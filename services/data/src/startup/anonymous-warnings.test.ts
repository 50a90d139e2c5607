import { BUILT_IN_ROLES, entityPolicy, resourceRole } from '@lintel/security';
import { anonymousWarnings } from './anonymous-warnings.ts';

const roles = [
  ...BUILT_IN_ROLES,
  resourceRole('visitor', { name: 'Visitor', policies: [entityPolicy('t_Product', 'read')] }),
  resourceRole('guest-book', { name: 'Guest book', policies: [entityPolicy('t_Entry', 'create')] }),
];
const resourceRoles = new Map(roles.map((role) => [role.code, role]));
const warningsOf = (patterns: readonly string[], ...roleCodes: readonly string[]) =>
  anonymousWarnings({ patterns, roleCodes }, { resourceRoles });

test('documents need no rights', () => {
  expect(warningsOf([])).toEqual([]);
  expect(warningsOf(['/rest/docs/**', '/rest/metadata/**'])).toEqual([]);
});

test('an open path without a role', () => {
  expect(warningsOf(['/rest/docs/**', '/rest/entities/t_Product'])).toEqual([
    expect.stringMatching(
      /may reach \/rest\/entities\/t_Product, and the user anonymous, as whom they run, has no role/,
    ),
  ]);
});

test('rights to read are what such a path is for, rights to change are named', () => {
  expect(warningsOf(['/rest/entities/**'], 'visitor')).toEqual([]);
  expect(warningsOf(['/rest/entities/**'], 'visitor', 'guest-book')).toEqual([
    expect.stringContaining(
      'and change t_Entry: the user anonymous, as whom they run, has the roles visitor, guest-book',
    ),
  ]);
  expect(warningsOf(['/rest/entities/**'], 'system-full-access')).toEqual([
    expect.stringContaining('change every entity'),
  ]);
});
