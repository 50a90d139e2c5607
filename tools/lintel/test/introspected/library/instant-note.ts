import { keyedEntity, offsetDateTime, uuid } from '@lintel/metadata';

// What this does not say of public.instant_note:
// - foreign key instant_note_at_fkey refers to public.instant, which has no key in this model; its columns are plain attributes

export const InstantNote = keyedEntity('library_InstantNote', {
  table: { schema: 'public', name: 'instant_note' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    at: offsetDateTime().storedAs('timestamp with time zone'),
  },
});
