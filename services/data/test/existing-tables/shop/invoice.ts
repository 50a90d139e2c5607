import { integer, keyedEntity, localDate, toOne } from '@lintel/metadata';

export const Invoice = keyedEntity('shop_Invoice', {
  table: { schema: 'public', name: 'invoices' },
  key: 'id',
  attributes: {
    id: integer(),
    order: toOne('shop_Order').mandatory().unique().onTargetDelete('CASCADE'),
    issued: localDate().mandatory().default('2026-01-01'),
  },
});
