import { resourceRole, rowLevelRole } from '@lintel/security';
import { assertDataParts, defineApplication } from './define-application.ts';
import { ApplicationError } from './invalid-application.ts';

const assignment = (roleCode: string, roleType: string) => ({
  entity: 'sec_RoleAssignment',
  values: { username: 'ada', roleCode, roleType },
});
const define = (...instances: readonly { readonly entity: string; readonly values: Record<string, unknown> }[]) =>
  assertDataParts(
    defineApplication({
      id: 't',
      name: 'T',
      entities: [],
      roles: [resourceRole('clerk', { name: 'Clerk', policies: [] })],
      rowLevelRoles: [rowLevelRole('own', { name: 'Own', policies: [] })],
      demoData: { instances: [{ entity: 'sec_User', values: { username: 'ada' } }, ...instances] },
    }),
  );

test('the demo data assigns roles of the application, built-in ones, and roles that it brings itself', () => {
  const stored = { entity: 'sec_RowLevelRole', values: { name: 'Stored', code: 'stored' } };
  const known = [
    ['clerk', 'resource'],
    ['rest-minimal', 'resource'],
    ['own', 'row-level'],
    ['stored', 'row-level'],
  ] as const;
  expect(() => define(...known.map(([code, type]) => assignment(code, type)), stored)).not.toThrow();
});

test('an assignment of another roleType stops the start with the types that exist', () => {
  expect(() => define(assignment('own', 'row_level'))).toThrow(
    'own to ada as row_level: roleType is resource or row-level',
  );
});

test.each([
  ['clerk-old', 'resource'],
  ['own-old', 'row-level'],
  ['own', 'resource'],
])('an assignment of the unknown role %s, %s, stops the start', (code, type) => {
  expect(() => define(assignment(code, type))).toThrow(ApplicationError);
  expect(() => define(assignment(code, type))).toThrow(`assigns the unknown ${type} role ${code} to ada`);
});
