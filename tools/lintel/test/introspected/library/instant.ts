import { decimal, keyedEntity, offsetDateTime, toMany } from '@lintel/metadata';

export const Instant = keyedEntity('library_Instant', {
  table: { schema: 'public', name: 'instant' },
  key: 'at',
  attributes: {
    at: offsetDateTime().microseconds().storedAs('timestamp with time zone'),
    values: decimal(5, 2),
    instantNotes: toMany('library_InstantNote', 'at'),
  },
});
