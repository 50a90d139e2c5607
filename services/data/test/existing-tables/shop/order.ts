import {
  compositionOfMany,
  decimal,
  enumOf,
  keyedEntity,
  localTime,
  long,
  offsetDateTime,
  string,
  text,
  toOne,
  toOneInverse,
} from '@lintel/metadata';
import { OrderStatus, PaymentKind } from './enums.ts';

// What this does not say of public.orders:
// - column total has no limit of digits; the model takes 38, 10 of them after the point: choose others where they are too few

export const Order = keyedEntity('shop_Order', {
  table: { schema: 'public', name: 'orders' },
  key: 'id',
  generation: 'identity',
  traits: { versioned: true },
  attributes: {
    id: long(),
    number: string(20).mandatory().unique(),
    status: enumOf(OrderStatus).mandatory().default('NEW').storedAs('public.order_status'),
    payment: enumOf(PaymentKind).storedAs('public."Payment Kind"'),
    customer: toOne('shop_Customer').mandatory().onTargetDelete('DENY'),
    billingRegion: toOne('shop_Region').column('billing_region'),
    total: decimal(38, 10).storedAs('numeric'),
    totalText: text().generated(),
    placed: offsetDateTime(),
    due: localTime().storedAs('time without time zone'),
    invoice: toOneInverse('shop_Invoice', 'order'),
    orderItems: compositionOfMany('shop_OrderItem', 'order'),
  },
  instanceName: ['number'],
  indexes: [{ attributes: ['placed', 'status'], unique: false }],
});
