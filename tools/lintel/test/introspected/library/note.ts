import { keylessEntity, text, uuid } from '@lintel/metadata';

// What this does not say of public.notes:
// - view is a view, and no primary key of a single table identifies its rows: its rows are a read-only list without ids
// - trigger note_added is run by the database, and may change what the API has written: CREATE TRIGGER note_added INSTEAD OF INSERT OR DELETE OR UPDATE ON public.notes FOR EACH ROW EXECUTE FUNCTION public.note_added()

export const Note = keylessEntity('library_Note', {
  view: { schema: 'public', name: 'notes' },
  attributes: {
    id: uuid(),
    text: text(),
  },
});
