import { attribute, children, entity, reference, rightsOn } from '../../../../../test/page/model-of-tests.ts';
import { columnsOfLines } from './line-fields.ts';

const LINE = entity(
  'Line',
  [
    attribute('id', 'uuid'),
    attribute('code'),
    attribute('version', 'int'),
    reference('order', 'Order'),
    attribute('data', 'json'),
    attribute('photo', 'fileRef'),
    attribute('pin', 'string', { writeOnly: true }),
    attribute('tags', 'string', { cardinality: 'ONE_TO_MANY' }),
    attribute('address', 'Address', { attributeType: 'EMBEDDED' }),
    children('parts', 'Part', 'line'),
    reference('product', 'Product'),
    attribute('quantity', 'decimal'),
    attribute('price', 'decimal'),
    attribute('notes', 'string', { ui: { widget: 'textarea' } }),
    attribute('due', 'date'),
    attribute('state', 's.State', { attributeType: 'ENUM' }),
  ],
  { key: 'code' },
);
const names = (without: readonly string[] = [], inverse: string | undefined = 'order') => {
  const of = [LINE, entity('Order', []), entity('Product', [])];
  return columnsOfLines(LINE, rightsOn(of, { without }), inverse).map(({ attribute: { name } }) => name);
};

test('a table of lines has five columns, without the way back, the key and what needs more room than a cell', () => {
  expect(names()).toEqual(['product', 'quantity', 'price', 'notes', 'due']);
});

test('columns that the user may not see make room for others', () => {
  expect(names(['Line.quantity', 'Product:read'])).toEqual(['price', 'notes', 'due', 'state']);
});

test('without an inverse the reference to the owner is a column', () => {
  const of = [LINE, entity('Order', []), entity('Product', [])];
  expect(columnsOfLines(LINE, rightsOn(of), undefined).map(({ attribute: { name } }) => name)).toContain('order');
});

test('a column that the user may not change is read-only', () => {
  const of = [LINE, entity('Order', []), entity('Product', [])];
  const columns = columnsOfLines(LINE, rightsOn(of, { without: ['Line.price:modify'] }), 'order');
  expect(columns.filter(({ isReadOnly }) => isReadOnly).map(({ attribute: { name } }) => name)).toEqual(['price']);
});
