import { decimal, enumOf, integer, keyedEntity, localTime, long, offsetDateTime, string, text } from '@lintel/metadata';
import { OrderStatus, PaymentKind } from './enums.ts';

// What this does not say of public.big_orders:
// - view is a view: its key is id, the primary key of its only table public.orders
// - view can be written in PostgreSQL; the entity is read-only until you add writable: true to its view
// - column total has no limit of digits; the model takes 38, 10 of them after the point: choose others where they are too few

export const BigOrder = keyedEntity('shop_BigOrder', {
  view: { schema: 'public', name: 'big_orders' },
  key: 'id',
  attributes: {
    id: long(),
    number: string(20),
    status: enumOf(OrderStatus).storedAs('public.order_status'),
    payment: enumOf(PaymentKind).storedAs('public."Payment Kind"'),
    customerId: integer(),
    billingRegion: string(5),
    total: decimal(38, 10).storedAs('numeric'),
    totalText: text(),
    placed: offsetDateTime(),
    due: localTime().storedAs('time without time zone'),
    version: integer(),
  },
  instanceName: ['number'],
});
