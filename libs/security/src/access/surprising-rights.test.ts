import { buildModel, embeddable, embedded, integer, standardEntity, string } from '@lintel/metadata';
import { BUILT_IN_ROLES } from '../roles/built-in-roles.ts';
import { entityPolicy, modifyAttributes, resourceRole, viewAttributes } from '../roles/role-builder.ts';
import { surprisingRights } from './surprising-rights.ts';

const model = buildModel({
  entities: [
    embeddable('t_Address', { attributes: { city: string(10) } }),
    standardEntity('t_Owner', { attributes: { name: string(10), address: embedded('t_Address') } }),
    standardEntity('t_Car', { attributes: { vin: string(10), brand: string(10) } }),
    standardEntity('t_Truck', { extends: 't_Car', attributes: { axles: integer() } }),
  ],
});

type Policies = Parameters<typeof resourceRole>[1]['policies'];
const rightsOf = (policies: Policies, ...childRoles: readonly string[]): readonly string[] => {
  const roles = [
    ...BUILT_IN_ROLES,
    resourceRole('r', { name: 'R', policies, childRoles }),
    resourceRole('viewer', { name: 'V', policies: [viewAttributes('t_Car', '*'), viewAttributes('t_Truck', '*')] }),
  ];
  return surprisingRights(model, new Map(roles.map((role) => [role.code, role]))).filter((text) =>
    text.startsWith('Role r '),
  );
};

test('an entity without its attributes', () => {
  expect(rightsOf([entityPolicy('t_Car', 'read')])).toEqual([
    "Role r grants t_Car and none of its attributes: clients see the id alone; add viewAttributes('t_Car', '*') or modifyAttributes('t_Car', '*')",
  ]);
  expect(rightsOf([entityPolicy('t_Car', 'delete')])).toEqual([]);
  expect(rightsOf([entityPolicy('t_Car', 'read')], 'viewer')).toEqual([]);
  expect(rightsOf([entityPolicy('t_Car', 'read'), viewAttributes('*', '*')])).toEqual([]);
});

test('an attribute that a descendant does not grant', () => {
  expect(rightsOf([viewAttributes('t_Car', 'vin', 'brand'), viewAttributes('t_Truck', 'vin')])).toEqual([
    "Role r grants brand of t_Car and not of its descendant t_Truck: then they are hidden for t_Car, too; add viewAttributes('t_Truck', 'brand')",
  ]);
  expect(rightsOf([modifyAttributes('t_Car', '*')])).toEqual([
    expect.stringMatching(
      /^Role r grants .* and \d more attributes of t_Car .*; add viewAttributes\('t_Truck', '\*'\)$/,
    ),
  ]);
  expect(rightsOf([viewAttributes('t_Truck', 'vin')])).toEqual([]);
});

test('an embedded object whose entity cannot be read', () => {
  expect(rightsOf([viewAttributes('t_Owner', 'name', 'address')])).toEqual([
    "Role r grants t_Owner.address, an embedded object, and not to read t_Address: the object is hidden; add entityPolicy('t_Address', 'read') and viewAttributes('t_Address', '*')",
  ]);
  expect(
    rightsOf([
      viewAttributes('t_Owner', 'address'),
      entityPolicy('t_Address', 'read'),
      viewAttributes('t_Address', 'city'),
    ]),
  ).toEqual([]);
});

test('the roles of the platform are as they are meant', () => {
  expect(surprisingRights(model, new Map(BUILT_IN_ROLES.map((role) => [role.code, role])))).toEqual([]);
});
