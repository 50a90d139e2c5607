import { addressedInstance } from './addressed-instance.ts';

const ID = '0d000000-0000-4000-8000-00000000000b';

test('the address of a form names an entity and an id', () => {
  const order = { entityName: 'sales_Order', id: ID };
  expect(addressedInstance(`http://localhost:8080/console/data/sales_Order/${ID}`)).toEqual(order);
  expect(addressedInstance(`  https://erp.example.com/data/sales_Order/${ID}?tab=1#lines `)).toEqual(order);
});

test('the id is decoded', () => {
  expect(addressedInstance('/console/data/sales_Country/C%C3%B4te%2F1')).toEqual({
    entityName: 'sales_Country',
    id: 'Côte/1',
  });
});

test.each([ID, 'A-00011', '', '/console/data/sales_Order', '/console/data/sales_Order/%'])(
  '%j is no address of a form',
  (text) => {
    expect(addressedInstance(text)).toBeUndefined();
  },
);
