import { BUILT_IN_ROLES, rowLevelRole } from '@lintel/security';
import { clientRoleWarnings } from './client-role-warnings.ts';

const roles = {
  resourceRoles: new Map(BUILT_IN_ROLES.map((role) => [role.code, role])),
  rowRoles: new Map([['own-jobs', rowLevelRole('own-jobs', { name: 'Own jobs', policies: [] })]]),
};
const warningsOf = (resource: readonly string[], row: readonly string[]) =>
  clientRoleWarnings(
    { robot: { 'resource-roles': resource, 'row-level-roles': row } } as unknown as Parameters<
      typeof clientRoleWarnings
    >[0],
    roles,
  );

test('roles that exist need no warning', () => {
  expect(warningsOf([], [])).toEqual([]);
  expect(warningsOf(['rest-minimal'], ['own-jobs'])).toEqual([]);
});

test('roles that do not exist are named, with the nearest one', () => {
  expect(warningsOf(['rest-minimal', 'rest-minimum'], ['own-job'])).toEqual([
    'svc.authserver.client.robot.resource-roles: there is no role rest-minimum; did you mean rest-minimal?',
    'svc.authserver.client.robot.row-level-roles: there is no row-level role own-job; did you mean own-jobs?',
  ]);
});
