import { createAccessDirectory, entityPolicy, resourceRole } from '../index.ts';

const roles = [
  resourceRole('api', { name: 'API', scopes: ['API'], policies: [entityPolicy('t_A', 'read')] }),
  resourceRole('ui', { name: 'UI', scopes: ['UI'], policies: [entityPolicy('t_A', 'update')] }),
];
const registry = {
  version: '1',
  resourceRoles: new Map(roles.map((role) => [role.code, role])),
  rowRoles: new Map<string, never>(),
};
const accessOf = createAccessDirectory(() => registry);
const resourceRoles = ['api', 'ui'];

// Asserts contract/roles.md#combination, contract/tokens.md#anonymous.
test.each([
  ['user', [true, false]],
  ['client', [true, false]],
  ['anonymous', [true, true]],
] as const)('of %s all roles count only where it is anonymous, else those with the scope API', (kind, rights) => {
  // The same array for each: what is remembered of one kind of caller is not another's.
  const access = accessOf({ kind, resourceRoles });
  expect([access.allows('t_A', 'read'), access.allows('t_A', 'update')]).toEqual(rights);
});

test('a role that does not exist gives no rights, and is reported once', () => {
  const reported: string[] = [];
  const decide = createAccessDirectory(
    () => registry,
    (code) => reported.push(code),
  );
  for (const kind of ['client', 'user'] as const)
    expect(decide({ kind, resourceRoles: ['api', 'apo'] }).allows('t_A', 'read')).toBe(true);
  decide({ kind: 'client', resourceRoles: ['apo'] });
  expect(reported).toEqual(['apo']);
});
