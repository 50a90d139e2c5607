import { integer, keylessEntity, offsetDateTime, text, uuid } from '@lintel/metadata';

// What this does not say of public.log:
// - table has no primary key: its rows are a read-only list without ids
// - foreign key log_person_id_fkey is of a table without a key in this model; its columns are plain attributes

export const Log = keylessEntity('library_Log', {
  table: { schema: 'public', name: 'log' },
  attributes: {
    id: integer(),
    key: text(),
    at: offsetDateTime().mandatory().storedAs('timestamp with time zone'),
    personId: uuid(),
  },
});
