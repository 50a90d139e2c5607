import { buildModel, decimal, entityOf, standardEntity, string, toOne } from '@lintel/metadata';
import { parseSelect } from '../../parse/language/parse-language.ts';
import type { QueryParameter } from '../../parse/parsed-query.ts';
import { argumentEntities } from './argument-entities.ts';

const model = buildModel({
  entities: [
    standardEntity('t_Customer', { attributes: { name: string() } }),
    standardEntity('t_Order', {
      attributes: { customer: toOne('t_Customer'), payer: toOne('t_Customer'), sum: decimal(19, 2) },
    }),
  ],
});
const uuid = (name: string, isList = false): QueryParameter => ({
  name,
  type: { kind: 'datatype', datatype: 'uuid' },
  isList,
});
const entitiesOf = (where: string, ...parameters: QueryParameter[]) =>
  Object.fromEntries(
    argumentEntities(
      model,
      entityOf(model, 't_Order'),
      parseSelect(`select o from t_Order o where ${where}`),
      parameters,
    ),
  );

// Asserts contract/queries.md#callable.
test.each([
  ['an id is compared with it', 'o.customer.id = :x', { x: 't_Customer' }],
  ['it comes first', ':x = o.id', { x: 't_Order' }],
  ['it is one of several values', 'o.customer.id in (:x, :y)', { x: 't_Customer', y: 't_Customer' }],
  ['it is used twice for the same', 'o.customer.id = :x or o.payer.id = :x', { x: 't_Customer' }],
  ['it is used for two entities', 'o.customer.id = :x or o.id = :x', {}],
  [
    'it is in a subquery',
    "exists (select c from t_Customer c where c.id = :x and c.name = 'A') and o.sum > 1",
    { x: 't_Customer' },
  ],
])('a parameter is an id of the entity whose key it is compared with: %s', (_, where, expected) => {
  const names = ['x', 'y'].filter((name) => where.includes(`:${name}`));
  expect(entitiesOf(where, ...names.map((name) => uuid(name)))).toEqual(expected);
});

// Asserts contract/queries.md#callable.
test('a collection has ids, too; values that are no ids have no entity', () => {
  expect(entitiesOf('o.customer.id in :x', uuid('x', true))).toEqual({ x: 't_Customer' });
  expect(
    entitiesOf('o.sum > :x', { name: 'x', type: { kind: 'datatype', datatype: 'decimal' }, isList: false }),
  ).toEqual({});
});
