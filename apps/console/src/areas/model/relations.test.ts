import type { EntityInfo } from '@lintel/client';
import { relationsOf, relationsTo } from './relations.ts';

const attribute = (name: string, type: string, cardinality: string, attributeType = 'ASSOCIATION') =>
  ({ name, type, cardinality, attributeType }) as EntityInfo['properties'][number];
const order = {
  entityName: 'sales_Order',
  properties: [
    attribute('number', 'string', 'NONE', 'DATATYPE'),
    attribute('customer', 'sales_Customer', 'MANY_TO_ONE'),
    attribute('lines', 'sales_OrderLine', 'ONE_TO_MANY', 'COMPOSITION'),
  ],
} as unknown as EntityInfo;

test('references have their cardinality; attributes with values are none', () => {
  expect(relationsOf(order)).toEqual([
    { attribute: 'customer', entity: 'sales_Customer', cardinality: 'n:1', isComposition: false },
    { attribute: 'lines', entity: 'sales_OrderLine', cardinality: '1:n', isComposition: true },
  ]);
});

test('references to an entity name the other entity, and hidden ones are left out', () => {
  expect(relationsTo('sales_Customer', [order], () => true)).toEqual([
    { attribute: 'customer', entity: 'sales_Order', cardinality: 'n:1', isComposition: false },
  ]);
  expect(relationsTo('sales_Customer', [order], () => false)).toEqual([]);
});
