import { keylessEntity, uuid } from '@lintel/metadata';

// What this does not say of public.node_twins:
// - view is a view, and no primary key of a single table identifies its rows: its rows are a read-only list without ids

export const NodeTwin = keylessEntity('library_NodeTwin', {
  view: { schema: 'public', name: 'node_twins' },
  attributes: {
    id: uuid(),
    node: uuid(),
  },
});
