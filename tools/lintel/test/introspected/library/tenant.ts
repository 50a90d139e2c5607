import { keyedEntity, long, toMany } from '@lintel/metadata';

export const Tenant = keyedEntity('library_Tenant', {
  table: { schema: 'public', name: 'tenants' },
  key: 'id',
  attributes: {
    id: long(),
    moves: toMany('library_Move', 'tenant'),
  },
});
