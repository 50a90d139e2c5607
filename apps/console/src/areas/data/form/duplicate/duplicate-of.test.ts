import type { FormAttribute, Widget } from '../attributes/form-attributes.ts';
import { duplicateOf } from './duplicate-of.ts';

const field = (name: string, widget: Widget, more: object = {}, isReadOnly = false) =>
  ({ attribute: { name, type: 'string', ...more }, widget, isReadOnly }) as unknown as FormAttribute;
const FIELDS: Readonly<Record<string, readonly FormAttribute[]>> = {
  Order: [
    field('number', 'text'),
    field('total', 'number', {}, true),
    field('customer', 'reference'),
    field('lines', 'lines', { type: 'Line', inverse: 'order' }),
    field('document', 'file'),
    field('tags', 'references'),
    field('notes', 'text'),
  ],
  Line: [field('quantity', 'number'), field('order', 'reference')],
};
const schema = new Map() as never;

test('a copy has what may be entered, new children, and neither files nor ids', () => {
  const customer = { id: 'c1', _instanceName: 'Ann' };
  const values = {
    ...{ id: 'o1', version: 3, number: 'A-1', total: 5, customer, document: 'file', tags: [{ id: 't' }], notes: null },
    lines: [
      { _entityName: 'Line', id: 'l1', quantity: 2, order: { id: 'o1' } },
      { id: 'l2', quantity: 3, _removed: true as const },
    ],
  };
  const copy = duplicateOf(schema, (entity) => FIELDS[entity] ?? [], 'Order', values);
  expect(copy).toEqual({
    ...{ number: 'A-1', customer },
    lines: [{ _entityName: 'Line', _key: expect.stringMatching(/^new:/), quantity: 2 }],
  });
});
