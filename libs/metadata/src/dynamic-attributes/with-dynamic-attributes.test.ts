import {
  buildModel,
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicOwnerProblem,
  dynamicTargetProblem,
  dynamicValueColumnOf,
  embeddable,
  embedded,
  entityOf,
  keyedEntity,
  localDate,
  long,
  standardEntity,
  string,
  withDynamicAttributes,
} from '../index.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Party', { attributes: { name: string() }, instanceName: ['name'] }),
    standardEntity('t_Person', { extends: 't_Party', attributes: { birthDate: localDate() } }),
    keyedEntity('t_Place', { key: 'code', attributes: { code: string(10) } }),
    keyedEntity('t_Move', { key: 'id', generation: 'identity', attributes: { id: long() } }),
    keyedEntity('t_Day', { key: 'day', attributes: { day: localDate() } }),
    embeddable('t_Pair', { attributes: { left: string(3), right: string(3) } }),
    keyedEntity('t_Paired', { key: 'id', attributes: { id: embedded('t_Pair') } }),
  ],
});

const attribute = (entity: string, code: string, more: Partial<DynamicAttribute> = {}): DynamicAttribute => ({
  id: `${entity}.${code}`,
  code,
  entity,
  category: 'c',
  name: code,
  description: undefined,
  type: 'STRING',
  collection: false,
  required: false,
  target: undefined,
  values: [],
  localizedNames: {},
  localizedDescriptions: {},
  ...more,
});

const codesOf = (attributes: readonly DynamicAttribute[], entity: string): readonly string[] => {
  const extended = withDynamicAttributes(model, attributes);
  return dynamicAttributesOf(extended, entityOf(extended, entity)).map(({ code }) => code);
};

test('an entity has the dynamic attributes of its ancestors before its own', () => {
  const attributes = [attribute('t_Person', 'own'), attribute('t_Party', 'inherited')];
  expect(codesOf(attributes, 't_Person')).toEqual(['inherited', 'own']);
  expect(codesOf(attributes, 't_Party')).toEqual(['inherited']);
  expect(codesOf(attributes, 't_Place')).toEqual([]);
});

test('an attribute of the entity itself hides an inherited one with the same code', () => {
  const extended = withDynamicAttributes(model, [attribute('t_Party', 'a'), attribute('t_Person', 'a')]);
  expect(dynamicAttributesOf(extended, entityOf(extended, 't_Person')).map(({ entity }) => entity)).toEqual([
    't_Person',
  ]);
});

test('other definitions have another version, and nothing else changes', () => {
  const extended = withDynamicAttributes(model, [attribute('t_Party', 'a')]);
  expect(extended.version).not.toBe(model.version);
  expect(withDynamicAttributes(model, [attribute('t_Party', 'a')]).version).toBe(extended.version);
  expect(withDynamicAttributes(model, [attribute('t_Party', 'b')]).version).not.toBe(extended.version);
  expect(withDynamicAttributes(model, [])).toBe(model);
  expect(extended.entities).toBe(model.entities);
});

test('definitions about entities that the model does not have are left out', () => {
  const lost = [attribute('t_Lost', 'a'), attribute('t_Party', 'b', { type: 'ENTITY', target: 't_Lost' })];
  expect(codesOf([...lost, attribute('t_Party', 'c')], 't_Party')).toEqual(['c']);
});

test('an entity whose key is a UUID, a text or an integer can have dynamic attributes and be referred to', () => {
  for (const name of ['t_Party', 't_Place', 't_Move']) {
    expect(dynamicOwnerProblem(model, name)).toBeUndefined();
    expect(dynamicTargetProblem(model, name)).toBeUndefined();
  }
  for (const entity of ['t_Paired', 't_Day'])
    expect(dynamicOwnerProblem(model, entity)).toEqual({ rule: 'DynamicAttributeKey', parameters: { entity } });
  expect(dynamicOwnerProblem(model, 't_Pair')).toEqual({
    rule: 'StoredEntityUnknown',
    parameters: { entity: 't_Pair' },
  });
  expect(dynamicTargetProblem(model, undefined)).toMatchObject({ rule: 'DynamicAttributeTarget' });
});

test('a reference is kept in the column that fits the key of its target', () => {
  const columnTo = (target: string) =>
    dynamicValueColumnOf(model, attribute('t_Party', 'a', { type: 'ENTITY', target })).name;
  expect(['t_Person', 't_Place', 't_Move'].map(columnTo)).toEqual(['target_uuid', 'target_text', 'target_number']);
  expect(() => columnTo('t_Paired')).toThrow('t_Paired');
});
