import { embeddable, embedded, integer, keyedEntity, toMany, toOneInverse } from '@lintel/metadata';

export const DeskKey = embeddable('library_DeskKey', {
  attributes: {
    tenant: integer().mandatory(),
    number: integer().mandatory(),
  },
});

export const Desk = keyedEntity('library_Desk', {
  table: { schema: 'public', name: 'desks' },
  key: 'id',
  attributes: {
    id: embedded('library_DeskKey').columnPrefix(''),
    moveByFrom: toOneInverse('library_Move', 'from'),
    movesByTo: toMany('library_Move', 'to'),
  },
});
