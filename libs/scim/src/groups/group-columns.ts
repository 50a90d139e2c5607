import type { AttributeColumn } from '../filters/compile-filter.ts';

const MEMBERSHIP = 'SELECT FROM auth.scim_member AS f WHERE f.group_id = g.id';

/** Attributes of groups in filters and as sort keys. */
export const GROUP_COLUMNS: ReadonlyMap<string, AttributeColumn> = new Map<string, AttributeColumn>([
  ['id', { sql: 'g.id', kind: 'id' }],
  ['externalid', { sql: 'g.external_id', kind: 'exact' }],
  ['displayname', { sql: 'g.display_name', kind: 'text' }],
  ['members', { sql: 'f.user_id', kind: 'relation', from: MEMBERSHIP }],
  ['members.value', { sql: 'f.user_id', kind: 'relation', from: MEMBERSHIP }],
  ['meta.created', { sql: 'g.created_at', kind: 'date' }],
  ['meta.lastmodified', { sql: 'g.changed_at', kind: 'date' }],
]);
