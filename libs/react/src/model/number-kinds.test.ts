import type { AttributeInfo, EntityInfo } from '@lintel/client';
import { numberKindsOf } from './number-kinds.ts';

const attribute = (name: string, type: string, attributeType: AttributeInfo['attributeType'] = 'DATATYPE') =>
  ({ name, type, attributeType }) as AttributeInfo;
const entity = (entityName: string, ...properties: AttributeInfo[]): EntityInfo => ({
  entityName,
  ancestor: null,
  properties,
});

test('decimals, longs and big integers are exact, those of embedded objects too; entities without them are left out', () => {
  expect(
    numberKindsOf([
      entity(
        'Order',
        attribute('amount', 'decimal'),
        attribute('count', 'int'),
        attribute('price', 'Money', 'EMBEDDED'),
      ),
      entity('Money', attribute('value', 'bigInteger'), attribute('serial', 'long'), attribute('currency', 'string')),
      entity('Tag', attribute('name', 'string')),
    ]),
  ).toEqual({
    Order: { amount: true, price: { value: true, serial: true } },
    Money: { value: true, serial: true },
  });
});

test('embedded objects that contain each other end', () => {
  expect(
    numberKindsOf([entity('A', attribute('b', 'B', 'EMBEDDED')), entity('B', attribute('a', 'A', 'EMBEDDED'))]),
  ).toEqual({});
});
