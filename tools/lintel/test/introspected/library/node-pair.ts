import { integer, keylessEntity, uuid } from '@lintel/metadata';

// What this does not say of public.node_pairs:
// - view is a view, and no primary key of a single table identifies its rows: its rows are a read-only list without ids

export const NodePair = keylessEntity('library_NodePair', {
  view: { schema: 'public', name: 'node_pairs' },
  attributes: {
    id: uuid(),
    version: integer(),
  },
});
