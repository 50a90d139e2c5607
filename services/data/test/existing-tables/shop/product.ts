import { byteArray, float, keyedEntity, manyToMany, text, toMany, uuid } from '@lintel/metadata';

export const Product = keyedEntity('shop_Product', {
  table: { schema: 'public', name: 'products' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    title: text().mandatory(),
    weight: float(),
    image: byteArray(),
    orderItems: toMany('shop_OrderItem', 'product'),
    tags: manyToMany('shop_Tag').linkedBy({
      schema: 'public',
      name: 'product_tags',
      columns: ['product_id'],
      targetColumns: ['tag_id'],
    }),
  },
  instanceName: ['title'],
});
