import { buildModel, embeddable, softDeletedEntity, standardEntity, string } from '@lintel/metadata';
import {
  buildAccess,
  entityPolicy,
  modifyAttributes,
  requireAcr,
  resourceRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';
import { listPermissions } from './list-permissions.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Car', { attributes: { vin: string(20), colour: string(20), secretNote: string().secret() } }),
    embeddable('t_Place', { attributes: { city: string(20), street: string(20) } }),
  ],
});
const role = resourceRole('r', {
  name: 'R',
  policies: [
    entityPolicy('t_Car', 'read', 'update'),
    modifyAttributes('t_Car', 'vin'),
    viewAttributes('t_Car', 'colour'),
    viewAttributes('t_Place', 'street'),
    specificPolicy('rest.enabled'),
  ],
});
const access = buildAccess(['r'], new Map([['r', role]]), { requireApiScope: true });
const permissions = listPermissions(model, access, { resourceRoles: ['r'], rowLevelRoles: ['own'] });
const permissionValue = (list: readonly { target: string; value: number }[], target: string) =>
  list.find((entry) => entry.target === target)?.value;

// Asserts contract/user.md#permissions.
test('granted and denied actions of every entity are listed, embeddables too', () => {
  expect(permissions.entities.filter(({ target }) => target.startsWith('t_Car:'))).toEqual([
    { target: 't_Car:create', value: 0 },
    { target: 't_Car:read', value: 1 },
    { target: 't_Car:update', value: 1 },
    { target: 't_Car:delete', value: 0 },
  ]);
  expect(permissionValue(permissions.entities, 't_Place:read')).toBe(0);
});

// Asserts contract/user.md#permissions.
test('attributes have 2 if they can be changed, 1 if they can be viewed, 0 if they are hidden', () => {
  expect(permissionValue(permissions.entityAttributes, 't_Car:vin')).toBe(2);
  expect(permissionValue(permissions.entityAttributes, 't_Car:colour')).toBe(1);
  expect(permissionValue(permissions.entityAttributes, 't_Car:secretNote')).toBe(0);
  expect(permissionValue(permissions.entityAttributes, 't_Place:city')).toBe(0);
});

// Asserts contract/roles.md#combination, contract/user.md#permissions.
test('all specific permissions of the API and the roles of the caller are listed', () => {
  expect(permissions.specifics).toContainEqual({ target: 'rest.enabled', value: 1 });
  expect(permissions.specifics).toContainEqual({ target: 'rest.fileUpload.enabled', value: 0 });
  expect(permissions.authorities).toEqual(['r', 'row_level_role:own']);
});

// Asserts contract/user.md#permissions.
test('rights to attributes do not depend on rights to their entity', () => {
  expect(permissionValue(permissions.entities, 't_Place:read')).toBe(0);
  expect(permissionValue(permissions.entityAttributes, 't_Place:street')).toBe(1);
});

// Asserts contract/roles.md#step-up.
test('permissions that a stronger login has are denied, with the acr of that login', () => {
  const policies = [requireAcr('urn:lintel:acr:2fa', entityPolicy('t_Car', 'delete'), specificPolicy('rest.enabled'))];
  const weak = buildAccess(['w'], new Map([['w', resourceRole('w', { name: 'W', policies })]]), {
    requireApiScope: true,
  });
  const { entities, specifics } = listPermissions(model, weak, { resourceRoles: ['w'], rowLevelRoles: [] });
  const acr = 'urn:lintel:acr:2fa';
  expect(entities.filter((entry) => entry.acr !== undefined)).toEqual([{ target: 't_Car:delete', value: 0, acr }]);
  expect(specifics.filter((entry) => entry.acr !== undefined)).toEqual([{ target: 'rest.enabled', value: 0, acr }]);
});

// Asserts contract/user.md#permissions.
test('histories and bins are listed by their entities, granted by the general permission too', () => {
  const recorded = buildModel({
    entities: [
      softDeletedEntity('t_Car', { attributes: { vin: string(20) }, history: true }),
      standardEntity('t_Place', { attributes: { city: string(20) } }),
    ],
  });
  const policies = [specificPolicy('history.read.t_Car'), specificPolicy('bin.read')];
  const given = buildAccess(['r'], new Map([['r', resourceRole('r', { name: 'R', policies })]]), {
    requireApiScope: false,
  });
  const { specifics } = listPermissions(recorded, given, { resourceRoles: ['r'], rowLevelRoles: [] });
  const ofEntities = specifics.filter(({ target }) => target.endsWith('.t_Car') || target.endsWith('.t_Place'));
  expect(ofEntities.map(({ target, value }) => `${target} ${value}`)).toEqual([
    'history.read.t_Car 1',
    'bin.read.t_Car 1',
    'bin.restore.t_Car 0',
    'bin.purge.t_Car 0',
  ]);
});
