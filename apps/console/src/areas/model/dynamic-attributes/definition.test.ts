import { type AttributeDefinition, inOrder, writtenAttribute } from './definition.ts';

const SIZE: AttributeDefinition = {
  code: 'size',
  name: 'Size',
  dataType: 'ENUMERATION',
  enumeration: ' S,M ',
  orderNo: 2,
};

test('a new attribute has its type; what belongs to other types is null', () => {
  expect(writtenAttribute({ ...SIZE, entityClass: 'sales_Order', localeNames: ' ' }, 'c1')).toEqual({
    category: { id: 'c1' },
    code: 'size',
    name: 'Size',
    dataType: 'ENUMERATION',
    entityClass: null,
    enumeration: 'S,M',
    isCollection: false,
    required: false,
    orderNo: 2,
    description: null,
    localeNames: null,
  });
});

test('of an attribute that exists only what can be changed is written', () => {
  const written = writtenAttribute({ ...SIZE, id: 'a1', required: true, description: 'How big' }, 'c1');
  expect(written).toEqual({
    name: 'Size',
    enumeration: 'S,M',
    required: true,
    orderNo: 2,
    description: 'How big',
    localeNames: null,
  });
});

test('attributes have the order of their numbers, then of their codes', () => {
  const of = (code: string, orderNo?: number): AttributeDefinition => ({
    ...SIZE,
    code,
    orderNo: orderNo ?? null,
  });
  expect(inOrder([of('c', 1), of('b'), of('a', 0), of('d', -1)]).map(({ code }) => code)).toEqual(['d', 'a', 'b', 'c']);
  expect(inOrder()).toEqual([]);
});
