import { attributeOf, buildModel, entityOf } from '@lintel/metadata';
import { SYSTEM_ENTITIES } from './system-entities.ts';

const model = buildModel({ entities: [...SYSTEM_ENTITIES] });
const attribute = (entity: string, name: string) => attributeOf(entityOf(model, entity), name);

test.each([
  ['sec_User', 'active', true],
  ['sec_ResourcePolicy', 'effect', 'allow'],
  ['sec_RowLevelPolicy', 'action', 'read'],
])('a new instance of %s has in %s the value %j', (entity, name, value) => {
  expect(attribute(entity, name)).toMatchObject({ defaultValue: value });
});

test('a role is assigned once to a user', () => {
  expect(entityOf(model, 'sec_RoleAssignment').indexes).toEqual([
    expect.objectContaining({ attributes: ['username', 'roleCode', 'roleType'], unique: true }),
  ]);
});
