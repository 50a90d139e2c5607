import { integer, keyedEntity, toOne, uuid } from '@lintel/metadata';

// What this does not say of public.moves:
// - foreign key moves_again repeats moves_tenant_to_number_fkey; its columns are plain attributes
// - index moves_to is of something that is no attribute; the database has it nevertheless

export const Move = keyedEntity('library_Move', {
  table: { schema: 'public', name: 'moves' },
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    tenant: toOne('library_Tenant').mandatory().column('tenant'),
    from: toOne('library_Desk').unique().onTargetDelete('UNLINK').column('tenant', 'from_number'),
    to: toOne('library_Desk').mandatory().column('tenant', 'to_number'),
    tenantValue: integer().mandatory().column('tenant'),
    createdBy: toOne('library_Person').column('created_by'),
  },
  indexes: [{ attributes: ['tenantValue', 'to', 'createdBy'], unique: true }],
});
