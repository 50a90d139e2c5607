import { embeddable, embedded, integer, keyedEntity, text } from '@lintel/metadata';

export const KeyPartKey = embeddable('library_KeyPartKey', {
  attributes: {
    id: integer().mandatory(),
    key: integer().mandatory(),
  },
});

export const KeyPart = keyedEntity('library_KeyPart', {
  table: { schema: 'public', name: 'key_parts' },
  key: 'id',
  attributes: {
    id: embedded('library_KeyPartKey').columnPrefix(''),
    primaryKey: text().column('primaryKey'),
  },
});
