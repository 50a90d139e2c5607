import { keyedEntity, string, uuid } from '@lintel/metadata';

// What this does not say of public.names:
// - view is a materialized view: its key is id, of the unique index names_id

export const Name = keyedEntity('library_Name', {
  view: { schema: 'public', name: 'names' },
  key: 'id',
  attributes: {
    id: uuid(),
    firstName: string(50).column('firstName'),
  },
  instanceName: ['firstName'],
});
