import { attribute, reference } from '../../../../../test/page/model-of-tests.ts';
import { hasList, hasNoValue, operatorsIn, operatorsOf } from './operators.ts';

const EQUAL = ['=', '<>', 'in', 'notIn', 'isNull', 'notEmpty'];
const ORDERED = [...EQUAL, '>', '>=', '<', '<='];
const TEXT = [...EQUAL, 'contains', 'doesNotContain', 'startsWith', 'endsWith'];

// The operators of contract/filters.md#types.
test.each([
  [attribute('a', 'string'), TEXT],
  [attribute('a', 'uuid'), TEXT],
  ...['int', 'long', 'short', 'bigInteger', 'decimal', 'double', 'float'].map(
    (type) => [attribute('a', type), ORDERED] as const,
  ),
  ...['date', 'localDate', 'dateTime', 'localDateTime', 'offsetDateTime', 'time', 'localTime'].map(
    (type) => [attribute('a', type), ORDERED] as const,
  ),
  [attribute('a', 'json'), [...TEXT, '>', '>=', '<', '<=']],
  [attribute('a', 's.Status', { attributeType: 'ENUM' }), EQUAL],
  [attribute('a', 'fileRef'), EQUAL],
  [attribute('a', 'interval'), EQUAL],
  [reference('a', 'Customer'), EQUAL],
  [attribute('a', 'Address', { attributeType: 'EMBEDDED' }), ['isNull', 'notEmpty']],
] as const)('%j has no other operators than %j', (of, expected) => {
  const operators = operatorsOf(of);
  expect(operators.toSorted()).toEqual([...expected].toSorted());
  expect(new Set(operators).size).toBe(operators.length);
});

test('a reference to instances of a tree is also below or above one', () => {
  const parent = { ...reference('parent', 'Site'), tree: true };
  const model = {
    entities: new Map([
      ['Site', { properties: [attribute('name', 'string'), parent] }],
      ['Customer', { properties: [attribute('name', 'string')] }],
    ]),
    rights: { may: () => true },
  } as never;
  expect(operatorsIn(model, reference('a', 'Site'))).toEqual([
    ...operatorsOf(reference('a', 'Site')),
    'under',
    'above',
  ]);
  for (const other of [reference('a', 'Customer'), attribute('a', 'string')])
    expect(operatorsIn(model, other)).toEqual(operatorsOf(other));
});

test('a boolean is equal, different or absent', () => {
  expect(operatorsOf(attribute('a', 'boolean'))).toEqual(['=', '<>', 'isNull', 'notEmpty']);
});

test('the usual operator comes first', () => {
  const first = (type: string) => operatorsOf(attribute('a', type))[0];
  expect(['string', 'decimal', 'date', 'dateTime', 'offsetDateTime', 'boolean'].map(first)).toEqual([
    ...['contains', '=', '=', '>', '>', '='],
  ]);
});

test('lists and tests for null are the operators with other values', () => {
  const all = operatorsOf(attribute('a', 'json'));
  expect([all.filter(hasList), all.filter(hasNoValue)]).toEqual([
    ['in', 'notIn'],
    ['isNull', 'notEmpty'],
  ]);
});
