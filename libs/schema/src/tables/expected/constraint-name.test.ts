import { constraintName } from './constraint-name.ts';

test('the table and the columns are distinguishable', () => {
  expect(constraintName('fk', 'order_line', ['order_id'])).toBe('fk_order_line__order_id');
  expect(constraintName('ix', 'order', ['line_id'])).not.toBe(constraintName('ix', 'order_line', ['id']));
});

test('a qualifier distinguishes variants with the same columns', () => {
  expect(constraintName('uq', 'order', ['number'], 'live')).toBe('uq_order__number__live');
});

test('long names are cut to what PostgreSQL keeps, and stay different', () => {
  const columns = Array.from({ length: 10 }, (_, at) => `column_number_${at}`);
  const first = constraintName('ix', 'table', columns);
  const second = constraintName('ix', 'table', [...columns, 'last']);
  expect(first).toHaveLength(63);
  expect(second).toHaveLength(63);
  expect(first).not.toBe(second);
});
