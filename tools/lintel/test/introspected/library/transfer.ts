import { dateTime, standardEntity, string, text, toOne, uuid } from '@lintel/metadata';

// What this does not say of public.transfer:
// - check transfer_check CHECK ((from_node <> to_node)) is checked by the database alone

export const Transfer = standardEntity('library_Transfer', {
  table: { schema: 'public', name: 'transfer' },
  attributes: {
    createdDate: dateTime().mandatory().column('created_at').storedAs('timestamp without time zone'),
    createdBy: text().mandatory(),
    lastModifiedDate: dateTime().column('updated_at').storedAs('timestamp without time zone'),
    lastModifiedBy: string(40).column('modified_by'),
    fromNode: toOne('library_Node').mandatory().onTargetDelete('CASCADE').column('from_node'),
    toNode: toOne('library_Node').mandatory().onTargetDelete('CASCADE').column('to_node'),
    node: uuid(),
  },
});
