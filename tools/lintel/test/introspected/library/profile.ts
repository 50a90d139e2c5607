import { keyedEntity, text, toOne, uuid } from '@lintel/metadata';

// What this does not say of public.profile:
// - foreign key profile_person_id_fkey refers from the key to public.person: if these rows are rows of library_Person, extend it instead (extends, keyColumns)
// - policy own_profile limits rows (SELECT) for logins other than the owner of the table; roles of the application know nothing of it

export const Profile = keyedEntity('library_Profile', {
  table: { schema: 'public', name: 'profile' },
  key: 'personId',
  attributes: {
    personId: uuid(),
    person: toOne('library_Person').mandatory().unique().onTargetDelete('CASCADE'),
    text: text(),
  },
});
