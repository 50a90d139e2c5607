import { integer, keyedEntity, string, text, uuid } from '@lintel/metadata';

export const People = keyedEntity('library_People', {
  table: { schema: 'public', name: 'people' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    firstName: string(50),
    firstNameValue: text().column('first-name'),
    n2nd: text().column('2nd'),
    grosse: integer().column('größe'),
  },
});
