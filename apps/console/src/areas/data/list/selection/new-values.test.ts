import { attribute, children, entity, reference, rightsOn } from '../../../../../test/page/model-of-tests.ts';
import { changeableAttributes, isComplete, writtenValues } from './new-values.ts';

const ORDER = entity('Order', [
  attribute('id', 'uuid'),
  attribute('version', 'int'),
  attribute('number'),
  attribute('total', 'decimal', { persistent: false }),
  attribute('posted', 'boolean', { readOnly: true }),
  attribute('photo', 'fileRef'),
  attribute('data', 'json'),
  attribute('address', 'Address', { attributeType: 'EMBEDDED' }),
  attribute('status', 's.Status', { attributeType: 'ENUM' }),
  attribute('discount', 'decimal'),
  reference('customer', 'Customer'),
  reference('tags', 'Tag', { cardinality: 'MANY_TO_MANY' }),
  children('lines', 'Line', 'order'),
  reference('delivery', 'Delivery', { attributeType: 'COMPOSITION', cardinality: 'ONE_TO_ONE' }),
]);
const namesWith = (...without: readonly string[]) =>
  changeableAttributes(ORDER, rightsOn([ORDER], { without })).map(({ name }) => name);

test('attributes with one value that the user may change can have a new one in several instances', () => {
  expect(namesWith()).toEqual(['number', 'status', 'discount', 'customer']);
  expect(namesWith('Order.discount:modify', 'Order.customer')).toEqual(['number', 'status']);
});

test('the key of an entity is not offered, also with another name than id', () => {
  const country = entity('Country', [attribute('code'), attribute('name')], { key: 'code', keyGeneration: 'assigned' });
  expect(changeableAttributes(country, rightsOn([country])).map(({ name }) => name)).toEqual(['name']);
});

test('without the right to change instances no attribute is offered', () => {
  expect(namesWith('Order:update')).toEqual([]);
});

test.each([
  ['nothing is chosen', [], false],
  ['an attribute has no value', [['number', { value: undefined, isCleared: false }]], false],
  ['a value is empty', [['number', { value: '', isCleared: false }]], false],
  ['the value is removed', [['number', { value: undefined, isCleared: true }]], true],
  ['the value is false', [['posted', { value: false, isCleared: false }]], true],
  ['the value is zero', [['discount', { value: 0, isCleared: false }]], true],
  [
    'one of two has no value',
    [
      ['number', { value: 'A', isCleared: false }],
      ['status', { value: null, isCleared: false }],
    ],
    false,
  ],
] as const)('where %s, the input is complete: %s', (_case, values, expected) => {
  expect(isComplete(new Map<string, { value: unknown; isCleared: boolean }>(values))).toBe(expected);
});

test('references are sent by their ids, removed values as null, and only what was chosen', () => {
  const [number, status, discount, customer] = changeableAttributes(ORDER, rightsOn([ORDER]));
  const attributes = [number, status, discount, customer].filter((each) => each !== undefined);
  const values = new Map([
    ['customer', { value: { country: 'DE', code: 7 }, isCleared: false }],
    ['discount', { value: '12345678901234567890.10', isCleared: false }],
    ['status', { value: 'OPEN', isCleared: true }],
    ['unknown', { value: 1, isCleared: false }],
  ]);
  expect(writtenValues(attributes, values)).toEqual({
    status: null,
    discount: '12345678901234567890.10',
    customer: { id: { country: 'DE', code: 7 } },
  });
});
