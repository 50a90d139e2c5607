import type { AttributeColumn } from '../filters/compile-filter.ts';
import { SCHEMA_URIS } from '../protocol/schema-uris.ts';

const WORK = `CASE WHEN u.email IS NOT NULL THEN 'work' END`;
const MEMBERSHIP = 'SELECT FROM auth.scim_member AS f WHERE f.user_id = u.id';

/** Attributes of users in filters and as sort keys; `u` is the user, `s` the record of SCIM. */
export const USER_COLUMNS: ReadonlyMap<string, AttributeColumn> = new Map<string, AttributeColumn>([
  ['id', { sql: 'u.id', kind: 'id' }],
  ['externalid', { sql: 's.external_id', kind: 'exact' }],
  ['username', { sql: 'u.username', kind: 'text' }],
  ['name.givenname', { sql: 'u.first_name', kind: 'text' }],
  ['name.familyname', { sql: 'u.last_name', kind: 'text' }],
  ['displayname', { sql: 's.display_name', kind: 'text' }],
  ['emails', { sql: 'u.email', kind: 'text' }],
  ['emails.value', { sql: 'u.email', kind: 'text' }],
  ['emails.type', { sql: WORK, kind: 'text' }],
  ['emails.primary', { sql: '(u.email IS NOT NULL AND coalesce(s.is_primary, true))', kind: 'boolean' }],
  ['active', { sql: 'coalesce(u.active, false)', kind: 'boolean' }],
  ['locale', { sql: `replace(u.locale, '_', '-')`, kind: 'text' }],
  ['preferredlanguage', { sql: `replace(u.locale, '_', '-')`, kind: 'text' }],
  // Not stored: without a value. Entra ID looks for users by their managers unless its mapping is removed.
  ...['manager', `${SCHEMA_URIS.enterpriseUser.toLowerCase()}:manager`].flatMap((name) =>
    [name, `${name}.value`].map((each): [string, AttributeColumn] => [each, { sql: 'NULL::text', kind: 'text' }]),
  ),
  ['groups', { sql: 'f.group_id', kind: 'relation', from: MEMBERSHIP }],
  ['groups.value', { sql: 'f.group_id', kind: 'relation', from: MEMBERSHIP }],
  ['meta.created', { sql: `(u.created_date AT TIME ZONE 'UTC')`, kind: 'date' }],
  ['meta.lastmodified', { sql: `(greatest(u.created_date, u.last_modified_date) AT TIME ZONE 'UTC')`, kind: 'date' }],
]);
