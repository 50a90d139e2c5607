import { keyedEntity, uuid } from '@lintel/metadata';

export const Index = keyedEntity('library_Index', {
  table: { schema: 'public', name: 'Index' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
  },
});
