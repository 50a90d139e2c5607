import { keylessEntity, long } from '@lintel/metadata';

// What this does not say of public.node_count:
// - view is a materialized view without a unique index: its rows are a read-only list without ids
// - view holds no rows and cannot be read before REFRESH MATERIALIZED VIEW

export const NodeCount = keylessEntity('library_NodeCount', {
  view: { schema: 'public', name: 'node_count' },
  attributes: {
    nodes: long(),
  },
});
