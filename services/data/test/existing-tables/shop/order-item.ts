import { compositionOfMany, embeddable, embedded, integer, keyedEntity, long, toOne } from '@lintel/metadata';

// What this does not say of public.order_items:
// - foreign key order_items_order_id_fkey has the column order_id, which is in the primary key; its columns are plain attributes

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
    product: toOne('shop_Product').mandatory(),
    quantity: integer().mandatory(),
    itemNotes: compositionOfMany('shop_ItemNote', 'orderItem'),
  },
});
