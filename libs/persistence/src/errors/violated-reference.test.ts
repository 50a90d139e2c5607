import { violatedReferenceOf } from './translate-database-error.ts';

test.each([
  [
    'insert or update on table "order" violates foreign key constraint "fk_order_customer"',
    'Key (customer_id)=(7) is not present in table "customer".',
    { kind: 'missing', values: '7' },
  ],
  [
    'update or delete on table "customer" violates foreign key constraint "fk_order_customer" on table "order"',
    'Key (id)=(7) is still referenced from table "order".',
    { kind: 'used', values: '7' },
  ],
  [
    'Einfügen oder Aktualisieren in Tabelle »line« verletzt Fremdschlüssel-Constraint »fk«',
    'Schlüssel (order_id, "Position")=(7, a (b)) ist nicht in Tabelle »order« vorhanden.',
    { kind: 'missing', values: '7, a (b)' },
  ],
])('%s', (message, detail, expected) => {
  expect(violatedReferenceOf({ message, detail })).toEqual(expected);
});

test('an error without a detail says nothing about the side', () => {
  expect(violatedReferenceOf({ message: 'x', detail: undefined })).toBeUndefined();
  expect(violatedReferenceOf({ message: 'x', detail: 'no key' })).toBeUndefined();
});
