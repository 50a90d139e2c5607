import { softDeletedEntity, toMany, toOne } from '@lintel/metadata';

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
