import { keyedEntity, uuid } from '@lintel/metadata';

// What this does not say of public.strings:
// - view is a view: its key is id, the primary key of its only table public.string
// - view can be written in PostgreSQL; the entity is read-only until you add writable: true to its view

export const Strings = keyedEntity('library_Strings', {
  view: { schema: 'public', name: 'strings' },
  key: 'id',
  attributes: {
    id: uuid(),
  },
});
