import { keyedEntity, text, uuid } from '@lintel/metadata';

// What this does not say of public.profile:
// - foreign key profile_person_id_fkey has the column person_id, which is in the primary key; its columns are plain attributes
// - policy own_profile limits rows (SELECT) for logins other than the owner of the table; roles of the application know nothing of it

export const Profile = keyedEntity('library_Profile', {
  table: { schema: 'public', name: 'profile' },
  key: 'personId',
  generation: 'uuid',
  attributes: {
    personId: uuid(),
    text: text(),
  },
});
