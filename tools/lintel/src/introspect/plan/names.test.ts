import { camelCase, constantCase, freeName, kebabCase, pascalCase, plural, singular } from './names.ts';

test.each([
  ['order_lines', 'order_line'],
  ['categories', 'category'],
  ['addresses', 'address'],
  ['statuses', 'status'],
  ['boxes', 'box'],
  ['people', 'person'],
  ['sales_people', 'sales_person'],
  ['news', 'news'],
  ['analysis', 'analysis'],
  ['status', 'status'],
  ['address', 'address'],
  ['ties', 'tie'],
  ['orderLines', 'order_line'],
  ['warehouses', 'warehouse'],
  ['analyses', 'analysis'],
  ['series', 'series'],
  ['data', 'data'],
  ['staff', 'staff'],
  ['films', 'film'],
  ['inventory', 'inventory'],
  ['cookies', 'cookie'],
  ['houses', 'house'],
  ['licenses', 'license'],
  ['criteria', 'criterion'],
  ['Kunden', 'kunden'],
])('one row of %s is a %s', (name, expected) => {
  expect(singular(name)).toBe(expected);
});

test.each([
  ['OrderLine', 'order_lines'],
  ['Category', 'categories'],
  ['Address', 'addresses'],
  ['Person', 'people'],
  ['Day', 'days'],
  ['Warehouse', 'warehouses'],
  ['Virus', 'viruses'],
  ['Data', 'data'],
  ['News', 'news'],
])('several of %s are %s', (name, expected) => {
  expect(plural(name)).toBe(expected);
});

test('any name becomes one of TypeScript', () => {
  expect(['customer_id', 'customerId', 'CUSTOMER-ID', '2nd line', 'größe', 'constructor', '$'].map(camelCase)).toEqual([
    ...['customerId', 'customerId', 'customerId', 'n2ndLine', 'grosse', 'constructorValue', 'n'],
  ]);
  expect(pascalCase('order_line')).toBe('OrderLine');
  expect(kebabCase('OrderLine')).toBe('order-line');
  expect(['in progress', 'A', '10%', ''].map(constantCase)).toEqual(['IN_PROGRESS', 'A', 'N10', 'EMPTY']);
});

test('a name is given once', () => {
  const taken = new Set(['orders']);
  expect([freeName(taken, 'orders', 'ordersByManager'), freeName(taken, 'orders', 'ordersByManager')]).toEqual([
    'ordersByManager',
    'ordersByManager2',
  ]);
});
