import { integer, keyedEntity, uuid } from '@lintel/metadata';

export const StringEntity = keyedEntity('library_StringEntity', {
  table: { schema: 'public', name: 'string' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    order: integer(),
  },
});
