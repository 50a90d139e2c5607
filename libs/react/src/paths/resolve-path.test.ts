import type { AttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { resolvePath, valueAt } from './resolve-path.ts';

const attribute = (name: string, values: Partial<AttributeInfo> = {}): AttributeInfo => ({
  name,
  attributeType: 'DATATYPE',
  type: 'string',
  cardinality: 'NONE',
  mandatory: false,
  readOnly: false,
  description: name,
  persistent: true,
  transient: false,
  ...values,
});
const entity = (entityName: string, ...properties: AttributeInfo[]): DetailedEntityInfo => ({
  entityName,
  ancestor: null,
  kind: 'entity',
  abstract: false,
  key: 'id',
  keyGeneration: 'uuid',
  nameAttributes: [],
  properties,
});
const order = entity(
  'Order',
  attribute('number'),
  attribute('total', { persistent: false }),
  attribute('hidden'),
  attribute('customer', { attributeType: 'ASSOCIATION', type: 'Customer', cardinality: 'MANY_TO_ONE' }),
  attribute('secret', { attributeType: 'ASSOCIATION', type: 'Secret', cardinality: 'MANY_TO_ONE' }),
  attribute('lines', { attributeType: 'COMPOSITION', type: 'Line', cardinality: 'ONE_TO_MANY' }),
);
const model = {
  entities: new Map(
    [order, entity('Customer', attribute('name')), entity('Line', attribute('quantity')), entity('Secret')].map(
      (each) => [each.entityName, each] as const,
    ),
  ),
  captions: { 'Order.customer': 'Customer', 'Customer.name': 'Name' },
  rights: {
    authorities: [],
    may: (name: string) => name !== 'Secret',
    mayView: (_: string, name: string) => name !== 'hidden',
    mayModify: () => false,
    has: () => false,
    hasAny: () => false,
    hasRole: () => false,
  },
};

test('a path leads through references, with the captions of its attributes', () => {
  expect(resolvePath(model, 'Order', 'customer.name')).toMatchObject({
    path: 'customer.name',
    owner: 'Customer',
    caption: 'Customer › Name',
    isMany: false,
    isStored: true,
  });
  expect(resolvePath(model, 'Order', 'lines.quantity')).toMatchObject({ owner: 'Line', isMany: true });
  expect(resolvePath(model, 'Order', 'total')).toMatchObject({ isStored: false });
});

test.each(['', 'unknown', 'hidden', 'secret', 'number.more', 'customer.unknown', 'customer.', '.customer'])(
  'the path "%s" leads to nothing that the user may see',
  (path) => {
    expect(resolvePath(model, 'Order', path)).toBeUndefined();
  },
);

test('the value of a path ends where a reference has none', () => {
  expect(valueAt({ customer: { name: 'Smith' } }, 'customer.name')).toBe('Smith');
  expect(valueAt({ customer: null }, 'customer.name')).toBeUndefined();
  expect(valueAt({}, 'customer.name')).toBeUndefined();
});
