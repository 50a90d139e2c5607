import {
  buildAccess,
  entityPolicy,
  modifyAttributes,
  type ResourceRole,
  type RoleRegistry,
  resourceRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { explainAccess } from './explain-access.ts';
import type { Right } from './rights.ts';

const roles: readonly ResourceRole[] = [
  resourceRole('reader', {
    name: 'Reader',
    scopes: ['API'],
    policies: [entityPolicy('shop_Order', 'read'), viewAttributes('shop_Order', 'number')],
  }),
  resourceRole('writer', {
    name: 'Writer',
    scopes: ['API'],
    childRoles: ['reader', 'base'],
    policies: [entityPolicy('shop_Order', 'update'), modifyAttributes('shop_Order', '*')],
  }),
  // Counts as a child role, but not by itself.
  resourceRole('base', { name: 'Base', scopes: ['UI'], policies: [specificPolicy('rest.enabled')] }),
  // A circle of roles.
  resourceRole('all', {
    name: 'All',
    scopes: ['API'],
    childRoles: ['all', 'writer'],
    policies: [entityPolicy('*', 'all'), modifyAttributes('*', '*'), specificPolicy('*')],
  }),
];
const registry: RoleRegistry = {
  version: '1',
  resourceRoles: new Map(roles.map((role) => [role.code, role])),
  rowRoles: new Map([
    [
      'own',
      { code: 'own', name: 'Own', policies: [{ kind: 'query', entity: 'shop_Order', where: "{E}.country = 'DE'" }] },
    ],
  ]),
};
const RIGHTS: readonly Right[] = [
  { kind: 'entity', entity: 'shop_Order', action: 'read' },
  { kind: 'entity', entity: 'shop_Order', action: 'update' },
  { kind: 'entity', entity: 'shop_Line', action: 'delete' },
  { kind: 'attribute', entity: 'shop_Order', attribute: 'number', action: 'view' },
  { kind: 'attribute', entity: 'shop_Order', attribute: 'number', action: 'modify' },
  { kind: 'attribute', entity: 'shop_Order', attribute: 'note', action: 'view' },
  { kind: 'specific', name: 'rest.enabled' },
];
/** Lines are children of orders, and visible where these are. */
const deciding = (entity: string) =>
  new Map<string, readonly string[]>([
    [entity, []],
    ...(entity === 'shop_Line' ? ([['shop_Order', ['shop_Order.lines']]] as const) : []),
  ]);
const resource = (...codes: string[]) => codes.map((roleCode) => ({ roleType: 'resource', roleCode }) as const);

/** All subsets. */
const SETS = Array.from({ length: 2 ** roles.length }, (_, bits) =>
  roles.filter((_role, index) => (bits & (1 << index)) !== 0).map(({ code }) => code),
);

test.each(SETS.flatMap((codes) => [true, false].map((isAnonymous) => [codes, isAnonymous] as const)))(
  'of %j (anonymous: %s) it says what the access decision is',
  (codes, isAnonymous) => {
    const access = buildAccess(codes, registry.resourceRoles, { requireApiScope: !isAnonymous });
    const decided = RIGHTS.map((right) => {
      if (right.kind === 'entity') return access.allows(right.entity, right.action);
      if (right.kind === 'specific') return access.hasSpecific(right.name);
      const { entity, attribute } = right;
      return right.action === 'view' ? access.mayView(entity, attribute) : access.mayModify(entity, attribute);
    });
    const { rights } = explainAccess({ isAnonymous, roles: resource(...codes) }, RIGHTS, registry, deciding);
    expect(rights.map(({ granted }) => granted)).toEqual(decided);
  },
);

test('a right is explained by the policy that grants it, also over child roles', () => {
  const [read] = RIGHTS;
  const { rights, ineffective } = explainAccess(
    { isAnonymous: false, roles: resource('writer') },
    read === undefined ? [] : [read],
    registry,
    deciding,
  );
  expect(rights).toEqual([
    {
      right: 'read shop_Order',
      granted: true,
      by: [{ path: ['writer', 'reader'], policy: 'read of shop_Order' }],
      roles: [],
    },
  ]);
  expect(ineffective).toEqual([]);
});

test('a missing right is explained by the roles that would grant it', () => {
  const { rights } = explainAccess(
    { isAnonymous: false, roles: resource('reader') },
    RIGHTS.slice(1, 2),
    registry,
    deciding,
  );
  expect(rights).toEqual([{ right: 'update shop_Order', granted: false, by: [], roles: ['all', 'writer'] }]);
});

test('roles without an effect, and rules on rows, are named', () => {
  const holder = {
    isAnonymous: false,
    roles: [
      ...resource('base', 'gone'),
      { roleType: 'row-level', roleCode: 'own' } as const,
      { roleType: 'row-level', roleCode: 'lost' } as const,
    ],
  };
  const { ineffective, rows } = explainAccess(holder, RIGHTS.slice(0, 1), registry, deciding);
  expect(ineffective).toEqual([
    { role: 'base', reason: 'it has no scope API, so it does not count for the API' },
    { role: 'gone', reason: 'there is no such role, so it grants nothing' },
  ]);
  expect(rows).toEqual([
    { role: 'lost', rule: 'there is no such row-level role, so the user sees no rows' },
    { role: 'own', rule: "read of shop_Order: only rows where {E}.country = 'DE'" },
  ]);
});

test('rules on the rows of an owner are named with the compositions between them', () => {
  const holder = { isAnonymous: false, roles: [{ roleType: 'row-level', roleCode: 'own' } as const] };
  expect(explainAccess(holder, RIGHTS.slice(2, 3), registry, deciding).rows).toEqual([
    {
      role: 'own',
      rule: "read of shop_Order: only rows where {E}.country = 'DE', and their children (shop_Order.lines)",
    },
  ]);
});
