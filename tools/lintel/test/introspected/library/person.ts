import {
  integer,
  keyedEntity,
  manyToMany,
  manyToManyInverse,
  string,
  text,
  toMany,
  toOneInverse,
  uuid,
} from '@lintel/metadata';

// What this does not say of public.person:
// - table has the rows of public.special, too, of which one may have the same id, so it is read-only; without such rows, remove readOnly
// - foreign key person_place_id_fkey refers to elsewhere.place, which no entity of this model is made of: give both schemas (--schema public,elsewhere); its columns are plain attributes

export const Person = keyedEntity('library_Person', {
  table: { schema: 'public', name: 'person' },
  key: 'id',
  generation: 'uuid',
  readOnly: true,
  attributes: {
    id: uuid(),
    firstName: string(50).column('firstName'),
    select: text(),
    placeId: integer(),
    moves: toMany('library_Move', 'createdBy'),
    profile: toOneInverse('library_Profile', 'person'),
    people: manyToMany('library_Person').linkedBy({
      schema: 'public',
      name: 'friends',
      columns: ['one'],
      targetColumns: ['other'],
    }),
    peopleByPeople: manyToManyInverse('library_Person', 'people'),
  },
  instanceName: ['firstName'],
});
