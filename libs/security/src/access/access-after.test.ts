import {
  acrFor,
  assertSpecific,
  assertStrongLogin,
  buildAccess,
  createAccessDirectory,
  entityPolicy,
  type RoleHolder,
  requireAcr,
  resourceRole,
  specificPolicy,
  viewAttributes,
} from '../index.ts';

const ONE = 'urn:lintel:acr:1fa';
const TWO = 'urn:lintel:acr:2fa';
const roles = new Map(
  [
    resourceRole('clerk', {
      name: 'Clerk',
      policies: [
        entityPolicy('t_Order', 'read'),
        viewAttributes('t_Order', '*'),
        requireAcr(ONE, entityPolicy('t_Order', 'update')),
        requireAcr(TWO, entityPolicy('t_Order', 'delete'), specificPolicy('pay')),
      ],
    }),
    resourceRole('chief', { name: 'Chief', childRoles: ['clerk'], policies: [entityPolicy('t_Order', 'delete')] }),
    resourceRole('reader', {
      name: 'Reader',
      policies: [entityPolicy('*', 'read'), requireAcr(TWO, entityPolicy('*', 'read'))],
    }),
  ].map((role) => [role.code, role]),
);
const accessOf = createAccessDirectory(() => ({ version: '1', resourceRoles: roles, rowRoles: new Map() }));
const CLERK = ['clerk'];
const clerk = (holder: Partial<RoleHolder>) => accessOf({ kind: 'user', resourceRoles: CLERK, ...holder });
const rightsOf = (holder: Partial<RoleHolder>) => {
  const access = clerk(holder);
  return [
    ...(['read', 'update', 'delete'] as const).map((action) => access.allows('t_Order', action)),
    access.hasSpecific('pay'),
  ];
};

// Asserts contract/roles.md#step-up.
test.each<[string, Partial<RoleHolder>, boolean[]]>([
  ['two factors', { acr: TWO }, [true, true, true, true]],
  ['one factor', { acr: ONE }, [true, true, false, false]],
  ['an unknown acr', { acr: 'urn:mace:incommon:iap:silver' }, [true, false, false, false]],
  ['no acr', {}, [true, false, false, false]],
  ['a call without a token', { kind: 'anonymous' }, [true, false, false, false]],
  ['a client, which cannot log in', { kind: 'client' }, [true, true, true, true]],
])('policies that require an acr have an effect for strong logins alone: %s', (_case, holder, rights) => {
  expect(rightsOf(holder)).toEqual(rights);
});

// Asserts contract/roles.md#step-up.
test('callers of the same roles get the access of their own login', () => {
  expect([rightsOf({ acr: TWO })[2], rightsOf({ acr: ONE })[2], rightsOf({ acr: TWO })[2]]).toEqual([
    true,
    false,
    true,
  ]);
});

// Asserts contract/roles.md#step-up.
test('the weakest login that has a right is known', () => {
  const access = clerk({});
  expect(acrFor(access, (given) => given.allows('t_Order', 'update'))).toBe(ONE);
  expect(acrFor(access, (given) => given.allows('t_Order', 'delete'))).toBe(TWO);
  expect(acrFor(access, (given) => given.allows('t_Order', 'create'))).toBeUndefined();
  expect(acrFor(clerk({ acr: TWO }), (given) => given.allows('t_Order', 'create'))).toBeUndefined();
});

// Asserts contract/roles.md#step-up.
test('a right that a stronger login has is refused with a request for that login', () => {
  const remove = () => assertStrongLogin(clerk({ acr: ONE }), (given) => given.allows('t_Order', 'delete'));
  expect(remove).toThrow(
    expect.objectContaining({
      code: 'AUTH_STEP_UP_REQUIRED',
      headers: { 'WWW-Authenticate': expect.stringContaining(`acr_values="${TWO}"`) },
    }),
  );
  const pay = (holder: Partial<RoleHolder>, name: Parameters<typeof assertSpecific>[1] = 'pay') =>
    assertSpecific(clerk(holder), name, 'ACCESS_DENIED', 'No');
  expect(() => pay({ acr: ONE })).toThrow(expect.objectContaining({ code: 'AUTH_STEP_UP_REQUIRED' }));
  expect(() => pay({ acr: ONE }, 'other')).toThrow(expect.objectContaining({ code: 'ACCESS_DENIED', details: 'No' }));
  expect(() => pay({ acr: TWO })).not.toThrow();
  expect(() => pay({ acr: ONE }, ['other', 'pay'])).toThrow(expect.objectContaining({ code: 'AUTH_STEP_UP_REQUIRED' }));
  expect(() => pay({ acr: TWO }, ['other', 'pay'])).not.toThrow();
  expect(() => pay({ acr: ONE }, ['other', 'another'])).toThrow(
    expect.objectContaining({ headers: { 'X-Needed-Policy': 'other' } }),
  );
});

// Asserts contract/roles.md#step-up.
test('a grant without an acr is enough: of another policy, or of another role', () => {
  const chief = accessOf({ kind: 'user', resourceRoles: ['chief'] });
  expect([chief.allows('t_Order', 'delete'), chief.hasSpecific('pay')]).toEqual([true, false]);
  const reader = accessOf({ kind: 'user', resourceRoles: ['reader'] });
  expect([reader.allows('t_Order', 'read'), reader.afterLogin]).toEqual([true, undefined]);
});

test('equal rights have other fingerprints if a login gives more', () => {
  const weak = buildAccess(['clerk'], roles, { requireApiScope: true });
  const plain = resourceRole('plain', {
    name: 'Plain',
    policies: [entityPolicy('t_Order', 'read'), viewAttributes('t_Order', '*')],
  });
  const same = buildAccess(['plain'], new Map([['plain', plain]]), { requireApiScope: true });
  expect(weak.fingerprint).not.toBe(same.fingerprint);
  expect(clerk({ acr: TWO }).fingerprint).not.toBe(weak.fingerprint);
  const fingerprintOf = (...policies: Parameters<typeof resourceRole>[1]['policies']) =>
    buildAccess(['r'], new Map([['r', resourceRole('r', { name: 'R', policies })]]), { requireApiScope: true })
      .fingerprint;
  const pay = requireAcr(TWO, specificPolicy('pay'));
  const fingerprints = [
    fingerprintOf(pay),
    fingerprintOf(requireAcr(ONE, specificPolicy('pay'))),
    fingerprintOf(requireAcr(TWO, specificPolicy('see'))),
    fingerprintOf(pay, entityPolicy('t_Order', 'read')),
  ];
  expect(new Set(fingerprints).size).toBe(fingerprints.length);
});
