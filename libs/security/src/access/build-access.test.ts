import {
  BUILT_IN_ROLES,
  buildAccess,
  entityPolicy,
  modifyAttributes,
  type ResourcePolicy,
  resourceRole,
  specificPolicy,
  viewAttributes,
} from '../index.ts';

const roles = [
  ...BUILT_IN_ROLES,
  resourceRole('reader', { name: 'Reader', policies: [entityPolicy('t_A', 'read'), viewAttributes('t_A', 'name')] }),
  resourceRole('writer', {
    name: 'Writer',
    childRoles: ['reader'],
    policies: [entityPolicy('t_A', 'update'), modifyAttributes('t_A', '*')],
  }),
  resourceRole('wrong', { name: 'Wrong', childRoles: ['Reader', 'reader '], policies: [] }),
  resourceRole('ui', { name: 'UI', scopes: ['UI'], policies: [entityPolicy('*', 'all')] }),
  resourceRole('ring', { name: 'Ring', childRoles: ['ring', 'ui'], policies: [specificPolicy('x')] }),
];
const directory = new Map(roles.map((role) => [role.code, role]));
const accessOf = (codes: string[], requireApiScope = true) => buildAccess(codes, directory, { requireApiScope });

// Asserts contract/roles.md#combination, contract/roles.md#evaluation, contract/roles.md#predefined.
test('nothing is permitted without a policy', () => {
  const access = accessOf(['rest-minimal']);
  expect(access.allows('t_A', 'read')).toBe(false);
  expect(access.mayView('t_A', 'name')).toBe(false);
  expect(access.hasSpecific('rest.enabled')).toBe(true);
  expect(access.hasSpecific('rest.fileUpload.enabled')).toBe(false);
});

// Asserts contract/roles.md#definition.
test('codes are compared exactly, those of child roles too', () => {
  for (const code of ['Reader', 'READER', ' reader', 'wrong'])
    expect(accessOf([code]).allows('t_A', 'read')).toBe(false);
});

// Asserts contract/roles.md#combination, contract/roles.md#definition, contract/roles.md#evaluation.
test('rights are the union of all roles and their child roles', () => {
  const access = accessOf(['writer']);
  expect([access.allows('t_A', 'read'), access.allows('t_A', 'update'), access.allows('t_A', 'delete')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([access.mayView('t_A', 'other'), access.mayModify('t_A', 'other')]).toEqual([true, true]);
});

// Asserts contract/roles.md#evaluation.
test('viewing an attribute does not mean changing it; changing it means viewing it', () => {
  const access = accessOf(['reader']);
  expect([access.mayView('t_A', 'name'), access.mayModify('t_A', 'name'), access.mayView('t_A', 'other')]).toEqual([
    true,
    false,
    false,
  ]);
});

// Asserts contract/roles.md#evaluation, contract/roles.md#predefined, contract/roles.md#rest-enabled.
test('full access allows everything', () => {
  const access = accessOf(['system-full-access']);
  expect([access.allows('any', 'delete'), access.mayModify('any', 'thing'), access.hasSpecific('any')]).toEqual([
    true,
    true,
    true,
  ]);
});

// Asserts contract/roles.md#combination.
test('a role without the scope API counts only where no scope is asked for', () => {
  expect(accessOf(['ui']).allows('t_A', 'read')).toBe(false);
  expect(accessOf(['ui'], false).allows('t_A', 'read')).toBe(true);
});

// Asserts contract/roles.md#combination.
test('a child role counts with any scope of its own, and a ring of child roles comes to an end', () => {
  const access = accessOf(['ring']);
  expect([access.hasSpecific('x'), access.allows('t_A', 'read')]).toEqual([true, true]);
});

// Asserts contract/roles.md#combination, contract/roles.md#definition.
test('a role that names no scope never counts for a token, a role of code has both', () => {
  const grant = { name: 'Role', policies: [specificPolicy('x')] };
  const codes = new Map([
    ['none', resourceRole('none', { ...grant, scopes: [] })],
    ['both', resourceRole('both', grant)],
  ]);
  const granted = (code: string, requireApiScope: boolean) =>
    buildAccess([code], codes, { requireApiScope }).hasSpecific('x');
  expect([granted('none', true), granted('none', false), granted('both', true)]).toEqual([false, true, true]);
});

// Asserts contract/roles.md#evaluation.
test('an attribute is granted by its name, by all of its entity or by all of every entity', () => {
  const granted = (policies: readonly ResourcePolicy[]) => {
    const access = buildAccess(['r'], new Map([['r', resourceRole('r', { name: 'R', policies })]]), {
      requireApiScope: true,
    });
    return [access.mayView('t_A', 'name'), access.mayView('t_A', 'other'), access.mayView('t_B', 'name')];
  };
  expect(granted(viewAttributes('t_A', 'name'))).toEqual([true, false, false]);
  expect(granted(viewAttributes('t_A', '*'))).toEqual([true, true, false]);
  expect(granted(viewAttributes('*', '*'))).toEqual([true, true, true]);
  expect(granted(viewAttributes('*', 'name'))).toEqual([false, false, false]);
});

// Asserts contract/roles.md#definition.
test('unknown roles are ignored', () => {
  expect(accessOf(['no-such-role']).allows('t_A', 'read')).toBe(false);
});

test('equal rights have equal fingerprints, however they came about', () => {
  expect(accessOf(['writer']).fingerprint).toBe(accessOf(['reader', 'writer']).fingerprint);
  expect(accessOf(['writer']).fingerprint).not.toBe(accessOf(['reader']).fingerprint);
});

test('each kind of right changes the fingerprint', () => {
  const fingerprintOf = (...policies: readonly ResourcePolicy[]) =>
    buildAccess(['r'], new Map([['r', resourceRole('r', { name: 'R', policies })]]), { requireApiScope: true })
      .fingerprint;
  const fingerprints = [
    fingerprintOf(),
    fingerprintOf(entityPolicy('t_A', 'read')),
    fingerprintOf(entityPolicy('t_A', 'update')),
    fingerprintOf(...viewAttributes('t_A', 'name')),
    fingerprintOf(...viewAttributes('t_A', 'other')),
    fingerprintOf(...modifyAttributes('t_A', 'name')),
    fingerprintOf(specificPolicy('x')),
    fingerprintOf(specificPolicy('y')),
  ];
  expect(new Set(fingerprints).size).toBe(fingerprints.length);
  expect(fingerprintOf(specificPolicy('x'), specificPolicy('y'))).toBe(
    fingerprintOf(specificPolicy('y'), specificPolicy('x')),
  );
  expect(fingerprintOf(...modifyAttributes('t_A', 'a', 'b'))).toBe(fingerprintOf(...modifyAttributes('t_A', 'b', 'a')));
});

// Asserts contract/roles.md#predefined.
test('the role for reports reads reports, groups and templates, and nothing more', () => {
  const access = accessOf(['report-run-api']);
  const readable = ['report_Report', 'report_ReportGroup', 'report_ReportTemplate', 'report_ReportExecution', 't_A'];
  expect(readable.map((entity) => access.allows(entity, 'read'))).toEqual([true, true, true, false, false]);
  expect(readable.some((entity) => access.allows(entity, 'update') || access.mayView(entity, 'name'))).toBe(false);
  expect([access.hasSpecific('reports.rest.enabled'), access.hasSpecific('rest.enabled')]).toEqual([true, false]);
});

// Asserts contract/roles.md#predefined.
test('the predefined roles have their scopes', () => {
  expect(BUILT_IN_ROLES.map(({ code, scopes }) => [code, scopes])).toEqual([
    ['rest-minimal', ['API']],
    ['system-full-access', ['API', 'UI']],
    ['report-run-api', ['API']],
  ]);
});
