import {
  compositionOfMany,
  compositionOfOne,
  decimal,
  embedded,
  enumOf,
  fileRef,
  integer,
  localDate,
  localDateTime,
  localTime,
  offsetDateTime,
  softDeletedEntity,
  standardEntity,
  string,
  text,
  toOne,
  uuid,
} from '@lintel/metadata';
import { OrderStatus } from './enums.ts';

export const Order = softDeletedEntity('sales_Order', {
  attributes: {
    number: string(20).mandatory().unique().searchable({ weight: 'A', prefix: true }),
    date: localDate().mandatory(),
    status: enumOf(OrderStatus).mandatory().default('NEW'),
    customer: toOne('sales_Customer').mandatory().onTargetDelete('DENY').personal().searchable(),
    manager: toOne('sec_User'),
    lines: compositionOfMany('sales_OrderLine', 'order').searchable(),
    delivery: compositionOfOne('sales_Delivery'),
    amount: decimal(19, 2),
    discount: decimal(5, 4),
    notes: text().ui({ widget: 'textarea' }).personal().searchable({ language: 'english' }),
    placedAt: offsetDateTime(),
    confirmedAt: localDateTime(),
    deliverFrom: localTime(),
    externalId: uuid(),
    attachment: fileRef(),
    lineCount: integer().computed(['lines'], ({ lines }) => (Array.isArray(lines) ? lines.length : null)),
  },
  instanceName: ['number'],
  ui: {
    order: ['number', 'date', 'customer', 'status', 'manager', 'amount', 'discount', 'notes', 'attachment', 'lines'],
    groups: [{ name: 'delivery', attributes: ['delivery', 'deliverFrom', 'placedAt', 'confirmedAt'] }],
    listPlan: 'order-list',
  },
  rules: [
    {
      message: '{msg://closedOrderNeedsLines}',
      dependsOn: ['status', 'lines'],
      test: ({ status, lines }) => status !== 'CLOSED' || (Array.isArray(lines) && lines.length > 0),
    },
  ],
  indexes: [
    // Pages of the newest orders are read from it in their order.
    { attributes: ['date', 'id'], unique: false },
    { attributes: ['status', 'amount'], unique: false },
  ],
});

export const OrderLine = standardEntity('sales_OrderLine', {
  attributes: {
    order: toOne('sales_Order').mandatory(),
    product: toOne('sales_Product').mandatory().searchable(),
    quantity: decimal(19, 3).mandatory().positive(),
    price: decimal(19, 2),
    position: integer(),
    discounts: compositionOfMany('sales_LineDiscount', 'line'),
  },
  instanceName: ['product'],
  ui: { order: ['product', 'quantity', 'price'] },
});

export const LineDiscount = standardEntity('sales_LineDiscount', {
  attributes: {
    line: toOne('sales_OrderLine').mandatory(),
    reason: string(100).mandatory(),
    percent: decimal(5, 2).mandatory().min(0).max(100),
  },
  instanceName: ['reason'],
});

export const Delivery = standardEntity('sales_Delivery', {
  attributes: {
    address: embedded('sales_Address'),
    carrier: string(50),
    window: string(20),
  },
  instanceName: ['carrier'],
});
