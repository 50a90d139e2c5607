import { snakeCase } from './snake-case.ts';

test('words of a camel-case name are joined by underscores', () => {
  expect(snakeCase('lastModifiedDate')).toBe('last_modified_date');
  expect(snakeCase('HTTPPort')).toBe('http_port');
  expect(snakeCase('OrderLine')).toBe('order_line');
});
