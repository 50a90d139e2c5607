import { keylessEntity, uuid } from '@lintel/metadata';

// What this does not say of public.node_distinct:
// - view is a view, and no primary key of a single table identifies its rows: its rows are a read-only list without ids

export const NodeDistinct = keylessEntity('library_NodeDistinct', {
  view: { schema: 'public', name: 'node_distinct' },
  attributes: {
    id: uuid(),
  },
});
