import { keyedEntity, long, manyToManyInverse, string } from '@lintel/metadata';

export const Tag = keyedEntity('shop_Tag', {
  table: { schema: 'public', name: 'tags' },
  key: 'id',
  generation: 'identity',
  attributes: {
    id: long(),
    label: string(30).mandatory(),
    products: manyToManyInverse('shop_Product', 'tags'),
  },
  instanceName: ['label'],
});
