import { BUILT_IN_ROLES } from '../roles/built-in-roles.ts';
import type { ResourcePolicy } from '../roles/role.ts';
import {
  entityPolicy,
  modifyAttributes,
  requireAcr,
  resourceRole,
  specificPolicy,
  viewAttributes,
} from '../roles/role-builder.ts';
import { buildAccess } from './build-access.ts';
import { exceedingPolicies } from './exceeding-policies.ts';

const directoryOf = (roles: Readonly<Record<string, readonly ResourcePolicy[]>>) =>
  new Map([
    ...BUILT_IN_ROLES.map((role) => [role.code, role] as const),
    ...Object.entries(roles).map(([code, policies]) => [code, resourceRole(code, { name: code, policies })] as const),
  ]);

/** Policies as the builders return them: one or several. */
type Policies = readonly (ResourcePolicy | readonly ResourcePolicy[])[];

function exceeding(own: Policies | 'full', other: Policies) {
  const directory = directoryOf({ own: own === 'full' ? [] : own.flat(), other: other.flat() });
  const roles = own === 'full' ? ['system-full-access'] : ['own'];
  return exceedingPolicies(['other'], directory, buildAccess(roles, directory, { requireApiScope: true }));
}

const READ = entityPolicy('t_Car', 'read');

// Asserts contract/rights.md#limits.
test('full access covers every policy, also those that need a stronger login', () => {
  const policies = [READ, modifyAttributes('t_Car', '*'), requireAcr('urn:lintel:acr:2fa', specificPolicy('x'))];
  expect(exceeding('full', policies)).toEqual([]);
  expect(exceeding('full', [entityPolicy('*', 'all'), modifyAttributes('*', '*'), specificPolicy('*')])).toEqual([]);
});

test('equal rights cover each other', () => {
  const policies = [READ, viewAttributes('t_Car', 'vin'), specificPolicy('rest.enabled')];
  expect(exceeding(policies, policies)).toEqual([]);
});

// Asserts contract/rights.md#limits.
test.each<[string, Policies, Policies[number]]>([
  ['another action', [READ], entityPolicy('t_Car', 'delete')],
  ['one of several actions', [READ], entityPolicy('t_Car', 'read', 'delete')],
  ['another entity', [READ], entityPolicy('t_Van', 'read')],
  ['all entities, if each one is only named', [READ], entityPolicy('*', 'read')],
  ['a change of an attribute that may be viewed', [viewAttributes('t_Car', 'vin')], modifyAttributes('t_Car', 'vin')],
  ['all attributes, if one is named', [viewAttributes('t_Car', 'vin')], viewAttributes('t_Car', '*')],
  ['a specific permission', [specificPolicy('rest.enabled')], specificPolicy('reports.sql.edit')],
  ['what only a stronger login has', [requireAcr('urn:lintel:acr:2fa', READ)], READ],
])('%s is more', (_title, own, other) => {
  expect(exceeding(own, [other])).toEqual([other].flat());
});

test('roles without the scope of the API grant nothing, child roles what they contain', () => {
  const directory = new Map([
    ['ui', resourceRole('ui', { name: 'UI', scopes: ['UI'], policies: [READ] })],
    ['parent', resourceRole('parent', { name: 'Parent', policies: [], childRoles: ['ui'] })],
  ]);
  const nothing = buildAccess([], directory, { requireApiScope: true });
  expect(exceedingPolicies(['ui'], directory, nothing)).toEqual([]);
  expect(exceedingPolicies(['parent'], directory, nothing)).toEqual([READ]);
});
