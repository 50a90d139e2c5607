import { integer, keyedEntity, string, text, uuid } from '@lintel/metadata';

// What this does not say of public.special:
// - table inherits from another table: the model has it on its own

export const Special = keyedEntity('library_Special', {
  table: { schema: 'public', name: 'special' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    firstName: string(50).column('firstName'),
    select: text(),
    placeId: integer(),
    more: text(),
  },
  instanceName: ['firstName'],
});
