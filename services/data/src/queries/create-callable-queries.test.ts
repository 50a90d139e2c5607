import { defineApplication, loadQueries, predefinedQuery } from '@lintel/application';
import { decimal, standardEntity, string, toOne } from '@lintel/metadata';
import type { ReadAccess } from '@lintel/query';
import { createCallableQueries } from './create-callable-queries.ts';

const ofOrder = (name: string, condition: string, parameters: Readonly<Record<string, string>> = {}) =>
  predefinedQuery('t_Order', name, {
    text: `select o from t_Order o where ${condition}`,
    fetchPlan: '_local',
    parameters,
  });
const { predefinedQueries, model } = await loadQueries(
  {
    ...defineApplication({
      id: 't',
      name: 'Things',
      entities: [
        standardEntity('t_Order', {
          attributes: { number: string(20), margin: decimal(19, 2), customer: toOne('t_Customer') },
        }),
        standardEntity('t_Customer', { attributes: { name: string(20) } }),
      ],
    }),
    queries: [
      predefinedQuery('t_Order', 'margins', { text: 'select o.margin as margin from t_Order o' }),
      ofOrder('byMargin', 'o.margin > :least', { least: 'decimal' }),
      ofOrder('byCustomer', 'o.customer.id in :customers', { customers: 'uuid[]' }),
      predefinedQuery('t_Customer', 'customers', { text: 'select c from t_Customer c', fetchPlan: '_local' }),
    ],
  },
  [],
  () => Promise.reject(new Error('no file')),
);

const access = (entities: readonly string[], hidden: readonly string[] = []): ReadAccess => ({
  fingerprint: [entities, hidden].join(),
  entity: (name) => ({
    canRead: entities.includes(name),
    mayView: (attribute) => !hidden.includes(`${name}.${attribute}`),
    rows: undefined,
    predicates: [],
  }),
});
const callableQueries = createCallableQueries(predefinedQueries);
const namesFor = (read: ReadAccess) => callableQueries(model, read).map(({ name }) => name);

// Asserts contract/queries.md#callable.
test('queries are listed by entity, without those that name what is hidden', () => {
  expect(namesFor(access(['t_Order', 't_Customer']))).toEqual(['customers', 'margins', 'byMargin', 'byCustomer']);
  expect(namesFor(access(['t_Order', 't_Customer'], ['t_Order.margin']))).toEqual(['customers', 'byCustomer']);
  expect(namesFor(access(['t_Order']))).toEqual(['margins', 'byMargin']);
  expect(namesFor(access([]))).toEqual([]);
});

test('a query says what it returns, and of which types its parameters are', () => {
  const list = callableQueries(model, access(['t_Order', 't_Customer']));
  const uuid = { kind: 'datatype', type: 'uuid', entity: 't_Customer' };
  expect(list.map(({ name, returns, params }) => [name, returns, params.map(({ valueType }) => valueType)])).toEqual([
    ['customers', 'instances', []],
    ['margins', 'values', []],
    ['byMargin', 'instances', [{ kind: 'datatype', type: 'decimal' }]],
    ['byCustomer', 'instances', [{ kind: 'list', item: uuid }]],
  ]);
});

test('a query is described once, for all callers', () => {
  const ofOne = callableQueries(model, access(['t_Order', 't_Customer'])).find(({ name }) => name === 'margins');
  expect(callableQueries(model, access(['t_Order'])).find(({ name }) => name === 'margins')).toBe(ofOne);
});
