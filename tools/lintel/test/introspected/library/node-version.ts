import { integer, keylessEntity, long } from '@lintel/metadata';

// What this does not say of public.node_versions:
// - view is a view, and no primary key of a single table identifies its rows: its rows are a read-only list without ids

export const NodeVersion = keylessEntity('library_NodeVersion', {
  view: { schema: 'public', name: 'node_versions' },
  attributes: {
    version: integer(),
    nodes: long(),
  },
});
