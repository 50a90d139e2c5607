import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { changeOf, hasChanged, newValuesOf } from './changes.ts';
import { createLine, type Values } from './values.ts';

const attribute = (
  name: string,
  type = 'string',
  attributeType: DetailedAttributeInfo['attributeType'] = 'DATATYPE',
  cardinality: DetailedAttributeInfo['cardinality'] = 'NONE',
) => ({ name, type, attributeType, cardinality }) as DetailedAttributeInfo;
const entity = (entityName: string, ...properties: DetailedAttributeInfo[]) =>
  [entityName, { entityName, properties } as unknown as DetailedEntityInfo] as const;
const SCHEMA = new Map([
  entity(
    'Order',
    attribute('id', 'uuid'),
    attribute('version', 'int'),
    attribute('number'),
    attribute('amount', 'decimal'),
    attribute('data', 'json'),
    attribute('tags', 'string', 'DATATYPE', 'ONE_TO_MANY'),
    attribute('customer', 'Customer', 'ASSOCIATION', 'MANY_TO_ONE'),
    attribute('labels', 'Label', 'ASSOCIATION', 'MANY_TO_MANY'),
    attribute('address', 'Address', 'EMBEDDED', 'ONE_TO_ONE'),
    attribute('delivery', 'Delivery', 'COMPOSITION', 'ONE_TO_ONE'),
    attribute('lines', 'Line', 'COMPOSITION', 'ONE_TO_MANY'),
  ),
  entity('Address', attribute('city'), attribute('zip')),
  entity('Delivery', attribute('id'), attribute('carrier'), attribute('address', 'Address', 'EMBEDDED', 'ONE_TO_ONE')),
  entity(
    'Line',
    attribute('id'),
    attribute('quantity', 'decimal'),
    attribute('note'),
    attribute('data', 'json'),
    attribute('discounts', 'Discount', 'COMPOSITION', 'ONE_TO_MANY'),
  ),
  entity('Discount', attribute('id'), attribute('percent', 'decimal')),
]);
const changed = (base: Values, draft: Values) => changeOf(SCHEMA, 'Order', base, draft);
const valuesOf = (base: Values, draft: Values) => changed(base, draft).values;

test('collections that were read in part are named, at any depth', () => {
  const line = { id: 1, quantity: 1, discounts: [{ id: 2, percent: 1 }], _partial: ['discounts'] };
  const base = { number: 'A', lines: [line], _partial: ['lines'] };
  const draft = { ...base, lines: [{ ...line, discounts: [{ id: 2, percent: 3 }] }] };
  expect(valuesOf(base, draft)).toEqual({
    lines: [{ id: 1, discounts: [{ id: 2, percent: 3 }], _partial: ['discounts'] }],
    _partial: ['lines'],
  });
});

test.each<[string, Values, Values, Values]>([
  ['nothing', { number: 'A', amount: '10.50', empty: null }, { number: 'A', amount: '10.50', version: 9 }, {}],
  ['an empty text is no value', { number: 'A' }, { number: '' }, { number: null }],
  ['zeros at the end', { amount: '10.50' }, { amount: '10.5' }, {}],
  ['zero', { amount: 0 }, { amount: '0.00' }, {}],
  [
    'the last digit',
    { amount: '0.10000000000000000001' },
    { amount: '0.10000000000000000002' },
    { amount: '0.10000000000000000002' },
  ],
  [
    'a reference',
    { customer: { id: 1, _instanceName: 'A' } },
    { customer: { id: 2, _instanceName: 'B' } },
    { customer: { id: 2 } },
  ],
  ['the name of a reference', { customer: { id: 1, _instanceName: 'A' } }, { customer: { id: 1 } }, {}],
  ['links in another order', { labels: [{ id: 1 }, { id: 2 }] }, { labels: [{ id: 2 }, { id: 1 }] }, {}],
  [
    'links',
    { labels: [{ id: 1 }] },
    { labels: [{ id: 1 }, { id: 2, _instanceName: 'x' }] },
    { labels: [{ id: 1 }, { id: 2 }] },
  ],
  ['links that are not loaded', { labels: [{ id: 1 }] }, { labels: undefined }, {}],
  ['elements, without empty ones', { tags: ['a'] }, { tags: ['a', '', 'b'] }, { tags: ['a', 'b'] }],
  [
    'an embedded object',
    { address: { city: 'A', zip: '1' } },
    { address: { city: 'B', zip: '1' } },
    { address: { city: 'B' } },
  ],
  ['an embedded object without a value', {}, { address: { city: '' } }, {}],
])('%s', (_, base, draft, expected) => {
  expect(valuesOf(base, draft)).toEqual(expected);
  expect(hasChanged(SCHEMA, 'Order', base, draft)).toBe(Object.keys(expected).length > 0);
});

const LINES = [
  { id: 1, quantity: '1', note: 'a', discounts: [{ id: 7, percent: '5' }] },
  { id: 2, quantity: '2', note: 'b', discounts: [] },
];

test('children name what has changed, at any depth; others name their ids', () => {
  const draft = [
    { ...LINES[0], discounts: [{ id: 7, percent: '6' }, createLine({ percent: '1' })] },
    LINES[1],
    createLine({ quantity: '3', note: '' }),
  ];
  expect(valuesOf({ lines: LINES }, { lines: draft })).toEqual({
    lines: [{ id: 1, discounts: [{ id: 7, percent: '6' }, { percent: '1' }] }, { id: 2 }, { quantity: '3' }],
  });
});

test('a removed child is not sent, and one that was added and removed changes nothing', () => {
  expect(valuesOf({ lines: LINES }, { lines: [LINES[0], { ...LINES[1], _removed: true }] })).toEqual({
    lines: [{ id: 1 }],
  });
  expect(valuesOf({ lines: LINES }, { lines: [...LINES, { ...createLine({}), _removed: true }] })).toEqual({});
});

test('the child of a composition to one is changed, created and removed', () => {
  const delivery = { id: 5, carrier: 'A', address: { city: 'X' } };
  expect(valuesOf({ delivery }, { delivery: { ...delivery, carrier: 'B' } })).toEqual({
    delivery: { id: 5, carrier: 'B' },
  });
  expect(valuesOf({ delivery }, { delivery: null })).toEqual({ delivery: null });
  expect(valuesOf({ delivery }, { delivery: { ...delivery, _removed: true } })).toEqual({ delivery: null });
  expect(valuesOf({}, { delivery: { carrier: 'A', _removed: true } })).toEqual({});
  expect(valuesOf({}, { delivery: { carrier: 'A' } })).toEqual({ delivery: { carrier: 'A' } });
  expect(valuesOf({ delivery }, { delivery })).toEqual({});
});

test('tokens of hidden rows are sent back with what is changed', () => {
  const line = { id: 1, quantity: '1', __securityToken: 'l' };
  expect(valuesOf({ __securityToken: 'r', lines: [line] }, { lines: [{ ...line, quantity: '2' }] })).toEqual({
    __securityToken: 'r',
    lines: [{ id: 1, __securityToken: 'l', quantity: '2' }],
  });
});

test('JSON is a merge patch; with null inside, which a merge patch removes, all is sent by PUT', () => {
  expect(changed({ data: { a: 1, b: 2 } }, { data: { a: 1, c: { d: [null] } } })).toEqual({
    values: { data: { b: null, c: { d: [null] } } },
    method: 'PATCH',
  });
  const base = { data: { a: 1 }, lines: LINES };
  expect(changed(base, { data: { a: null }, lines: [LINES[0], { ...LINES[1], quantity: '9' }] })).toEqual({
    values: {
      data: { a: null },
      lines: [
        { id: 1, quantity: '1', note: 'a', discounts: [{ id: 7, percent: '5' }] },
        { id: 2, quantity: '9', note: 'b', discounts: [] },
      ],
    },
    method: 'PUT',
  });
});

test('a new instance has the values that were entered', () => {
  expect(
    newValuesOf(SCHEMA, 'Order', {
      number: 'A',
      amount: '',
      data: { a: null },
      lines: [createLine({ quantity: '1' })],
    }),
  ).toEqual({
    number: 'A',
    data: { a: null },
    lines: [{ quantity: '1' }],
  });
});

test('without a model, members with an id are references, and an empty text is no value', () => {
  const before = { name: 'A', notes: 'x', amount: '10.50', customer: { id: 1, _instanceName: 'Duarte' }, empty: null };
  const changes = (after: Values) => changeOf(new Map(), 'Order', before, { ...before, ...after }).values;
  expect(changes({ empty: '', customer: { id: 1 } })).toEqual({});
  expect(changes({ notes: '', customer: { id: 2, _instanceName: 'Huang' }, amount: '10.500000000000000001' })).toEqual({
    notes: null,
    customer: { id: 2 },
    amount: '10.500000000000000001',
  });
});

test('a new child names its entity if this one extends that of the composition', () => {
  const added = [
    createLine({ quantity: '1', _entityName: 'Gift' }),
    createLine({ quantity: '2', _entityName: 'Line' }),
  ];
  const schema = new Map([...SCHEMA, entity('Gift', attribute('quantity', 'decimal'), attribute('card'))]);
  const change = (draft: Values) => changeOf(schema, 'Order', {}, draft).values;
  expect(change({ lines: added })).toEqual({ lines: [{ _entityName: 'Gift', quantity: '1' }, { quantity: '2' }] });
  expect(change({ delivery: { carrier: 'x', _entityName: 'Gift', card: 'y' } })).toEqual({
    delivery: { _entityName: 'Gift', card: 'y' },
  });
});
