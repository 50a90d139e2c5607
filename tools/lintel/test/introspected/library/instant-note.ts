import { keyedEntity, toOne, uuid } from '@lintel/metadata';

export const InstantNote = keyedEntity('library_InstantNote', {
  table: { schema: 'public', name: 'instant_note' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    at: toOne('library_Instant').column('at'),
  },
});
