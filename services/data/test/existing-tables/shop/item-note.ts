import { keyedEntity, text, toOne, uuid } from '@lintel/metadata';

export const ItemNote = keyedEntity('shop_ItemNote', {
  table: { schema: 'public', name: 'item_notes' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    orderItem: toOne('shop_OrderItem').mandatory().column('item_order', 'item_line'),
    note: text().mandatory(),
  },
});
