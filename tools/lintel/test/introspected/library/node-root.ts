import { integer, keyedEntity, localDateTime, uuid } from '@lintel/metadata';

// What this does not say of public.node_roots:
// - view is a view: its key is id, the primary key of its only table public.node
// - view can be written in PostgreSQL; the entity is read-only until you add writable: true to its view

export const NodeRoot = keyedEntity('library_NodeRoot', {
  view: { schema: 'public', name: 'node_roots' },
  key: 'id',
  attributes: {
    id: uuid(),
    version: integer(),
    createdDate: localDateTime(),
  },
});
