import { demoId } from './demo-ids.ts';

interface DemoUser {
  readonly username: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly country?: string;
  readonly locale?: string;
  readonly resourceRoles: readonly string[];
  readonly rowLevelRoles?: readonly string[];
}

const USERS: readonly DemoUser[] = [
  { username: 'admin', firstName: 'Ada', lastName: 'Lindqvist', resourceRoles: ['system-full-access'] },
  {
    username: 'manager',
    firstName: 'Marta',
    lastName: 'Okafor',
    country: 'FR',
    resourceRoles: ['rest-minimal', 'sales-manager'],
  },
  {
    username: 'clerk',
    firstName: 'Claus',
    lastName: 'Berger',
    country: 'DE',
    locale: 'de',
    resourceRoles: ['rest-minimal', 'sales-clerk'],
    rowLevelRoles: ['own-region'],
  },
  {
    username: 'auditor',
    firstName: 'Aiko',
    lastName: 'Sato',
    resourceRoles: ['rest-minimal', 'sales-manager'],
    rowLevelRoles: ['no-discounted-lines'],
  },
  { username: 'viewer', resourceRoles: ['rest-minimal'] },
  { username: 'nobody', resourceRoles: [] },
  { username: 'anonymous', resourceRoles: ['catalog-reader'] },
];

/** Demo passwords equal the user names; `anonymous` has none and cannot log in. */
export function demoUsers(): readonly { readonly entity: string; readonly values: Record<string, unknown> }[] {
  const users = USERS.map(({ resourceRoles: _resource, rowLevelRoles: _row, ...user }, index) => ({
    entity: 'sec_User',
    values: {
      id: demoId('user', index + 1),
      ...user,
      ...(user.username === 'anonymous' ? {} : { password: user.username, email: `${user.username}@example.com` }),
      active: true,
    },
  }));
  const assignments = USERS.flatMap((user) => [
    ...user.resourceRoles.map((roleCode) => ({ username: user.username, roleCode, roleType: 'resource' })),
    ...(user.rowLevelRoles ?? []).map((roleCode) => ({ username: user.username, roleCode, roleType: 'row-level' })),
  ]).map((values, index) => ({
    entity: 'sec_RoleAssignment',
    values: { id: demoId('assignment', index + 1), ...values },
  }));
  return [...users, ...assignments];
}
