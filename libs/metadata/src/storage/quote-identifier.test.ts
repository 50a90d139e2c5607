import { quoteIdentifier, quoteTable } from './quote-identifier.ts';

test('a quote inside a name is doubled', () => {
  expect(quoteIdentifier('a"b')).toBe('"a""b"');
});

test('schema and table are quoted apart', () => {
  expect(quoteTable({ schema: 'sales', name: 'order' })).toBe('"sales"."order"');
});
