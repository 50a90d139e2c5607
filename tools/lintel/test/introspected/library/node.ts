import { softDeletedEntity, toMany, toOne } from '@lintel/metadata';

// What this does not say of public.node:
// - trigger node_stamp is run by the database, and may change what the API has written: CREATE TRIGGER node_stamp BEFORE UPDATE ON public.node FOR EACH ROW EXECUTE FUNCTION public.stamp()

export const Node = softDeletedEntity('library_Node', {
  table: { schema: 'public', name: 'node' },
  attributes: {
    parent: toOne('library_Node'),
    twin: toOne('library_Node').column('twin'),
    children: toMany('library_Node', 'parent'),
    nodesByTwin: toMany('library_Node', 'twin'),
    transfersByFromNode: toMany('library_Transfer', 'fromNode'),
    transfersByToNode: toMany('library_Transfer', 'toNode'),
  },
});
