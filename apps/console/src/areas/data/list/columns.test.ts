import type { FetchPlanInfo } from '@lintel/client';
import { resolvePath } from '@lintel/react';
import { attribute, children, entity, modelOf, reference } from '../../../../test/page/model-of-tests.ts';
import { columnsOfPlan, firstColumnsOf, isSortable } from './columns.ts';

const plan = (...properties: readonly unknown[]): FetchPlanInfo => ({ name: 'list', properties }) as never;
const CUSTOMER = entity('Customer', [attribute('name'), attribute('vat')]);
const ORDER_ATTRIBUTES = [
  attribute('id', 'uuid'),
  attribute('version', 'int'),
  attribute('createdDate', 'offsetDateTime'),
  attribute('photo', 'byteArray'),
  attribute('pin', 'string', { writeOnly: true }),
  attribute('importKey', 'string', { ui: { widget: 'hidden' } }),
  children('lines', 'Line', 'order'),
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => attribute(name)),
  reference('customer', 'Customer'),
];
const ORDER = entity('Order', ORDER_ATTRIBUTES);
const pathsOf = (of = ORDER, without: readonly string[] = []) =>
  firstColumnsOf(of, modelOf([of, CUSTOMER], { without })).map(({ path }) => path);

test('a list first has six attributes with one value, and no secret, large or automatic ones', () => {
  expect(pathsOf()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(pathsOf(ORDER, ['Order.a', 'Order.c'])).toEqual(['b', 'd', 'e', 'f', 'g', 'customer']);
});

test('the order that the model proposes decides which attributes come first', () => {
  const ordered = entity('Order', ORDER_ATTRIBUTES, { ui: { order: ['customer', 'g'] } });
  expect(pathsOf(ordered)).toEqual(['customer', 'g', 'a', 'b', 'c', 'd']);
});

test('an entity that has attributes of the platform alone shows them', () => {
  expect(pathsOf(entity('Order', [attribute('id', 'uuid'), attribute('version', 'int')]))).toEqual(['id', 'version']);
});

test('a reference to instances that the user may not read is no column', () => {
  expect(pathsOf(entity('Order', [attribute('a'), reference('customer', 'Customer')]), ['Customer:read'])).toEqual([
    'a',
  ]);
});

test('the list plan of the model wins, as far as the user may see its attributes', () => {
  const listPlan = plan('g', { name: 'customer', fetchPlan: plan('name', 'vat') }, 'lines');
  const planned = entity('Order', ORDER_ATTRIBUTES, { ui: { listPlan } });
  expect(pathsOf(planned)).toEqual(['g', 'customer.name', 'customer.vat']);
  expect(pathsOf(planned, ['Customer.vat', 'Order.g'])).toEqual(['customer.name']);
  expect(pathsOf(planned, ['Customer:read', 'Order.g'])).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a reference in a plan is one column where its plan has nothing but the name', () => {
  const model = modelOf([ORDER, CUSTOMER]);
  const nested = [{ name: '_instance_name', properties: ['name'] }, plan()];
  for (const fetchPlan of nested)
    expect(columnsOfPlan(plan({ name: 'customer', fetchPlan }), 'Order', model).map(({ caption }) => caption)).toEqual([
      'CUSTOMER',
    ]);
  expect(
    columnsOfPlan(plan({ name: 'customer', fetchPlan: plan('name') }), 'Order', model).map(({ caption }) => caption),
  ).toEqual(['CUSTOMER › NAME']);
});

test.each([
  [attribute('x', 'decimal'), true],
  [attribute('x', 's.Status', { attributeType: 'ENUM' }), true],
  [attribute('x', 'json'), false],
  [attribute('x', 'fileRef'), false],
  [attribute('x', 'byteArray'), false],
  [attribute('x', 'string', { persistent: false }), false],
  [attribute('x', 'string', { cardinality: 'ONE_TO_MANY' }), false],
  [reference('x', 'Customer'), false],
])('the server sorts by %j: %s', (last, expected) => {
  const column = resolvePath(modelOf([entity('Order', [last]), CUSTOMER]), 'Order', 'x');
  expect(column === undefined ? undefined : isSortable(column)).toBe(expected);
});
