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

// Asserts contract/decisions.md#56.
test('other roles decide anew, also for the same session', () => {
  let current = registry;
  const decide = createAccessDirectory(() => current);
  const caller = { kind: 'user', resourceRoles: ['api'] } as const;
  const before = decide(caller);
  expect(decide(caller)).toBe(before);
  expect(decide({ ...caller, resourceRoles: ['api'] })).toBe(before);
  current = {
    ...registry,
    version: '2',
    resourceRoles: new Map([['api', resourceRole('api', { name: 'API', policies: [entityPolicy('t_A', 'delete')] })]]),
  };
  expect([decide(caller).allows('t_A', 'read'), decide(caller).allows('t_A', 'delete')]).toEqual([false, true]);
});

test('the order of roles has no effect, and sets of roles have their own access', () => {
  const rightsOf = (...codes: readonly string[]) => {
    const access = accessOf({ kind: 'anonymous', resourceRoles: codes });
    return [access.allows('t_A', 'read'), access.allows('t_A', 'update')];
  };
  expect([rightsOf('api'), rightsOf('ui'), rightsOf(), rightsOf('ui', 'api'), rightsOf('api', 'ui')]).toEqual([
    [true, false],
    [false, true],
    [false, false],
    [true, true],
    [true, true],
  ]);
});

test('callers are decided correctly after a thousand other sets of roles', () => {
  const decide = createAccessDirectory(() => registry);
  for (let at = 0; at <= 1_000; at += 1) decide({ kind: 'user', resourceRoles: [`generated-${at}`] });
  expect(decide({ kind: 'user', resourceRoles: ['generated-0'] }).allows('t_A', 'read')).toBe(false);
  expect(decide({ kind: 'user', resourceRoles: ['generated-0', 'api'] }).allows('t_A', 'read')).toBe(true);
});
