import { compositionOfMany, embeddable, embedded, integer, keyedEntity, long, toOne } from '@lintel/metadata';

export const OrderItemKey = embeddable('shop_OrderItemKey', {
  attributes: {
    orderId: long().mandatory(),
    lineNo: integer().mandatory(),
  },
});

export const OrderItem = keyedEntity('shop_OrderItem', {
  table: { schema: 'public', name: 'order_items' },
  key: 'id',
  attributes: {
    id: embedded('shop_OrderItemKey').columnPrefix(''),
    order: toOne('shop_Order').mandatory(),
    product: toOne('shop_Product').mandatory(),
    quantity: integer().mandatory(),
    itemNotes: compositionOfMany('shop_ItemNote', 'orderItem'),
  },
});
