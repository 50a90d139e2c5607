import { keyedEntity, string, text, toMany } from '@lintel/metadata';

export const Region = keyedEntity('shop_Region', {
  table: { schema: 'public', name: 'regions' },
  key: 'code',
  attributes: {
    code: string(5),
    name: text().mandatory().unique(),
    customers: toMany('shop_Customer', 'region'),
    orders: toMany('shop_Order', 'billingRegion'),
  },
  instanceName: ['name'],
});
