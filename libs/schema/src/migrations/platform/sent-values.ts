import type { SchemaMigration } from '../schema-migration.ts';

/** What SCIM sent as `primary` of the address of a user, as `name.formatted`, and as `display` of a member. */
export const SENT_VALUES_MIGRATION: SchemaMigration = {
  name: '1763683200043-platform-sent-values',
  up: [
    'ALTER TABLE auth.scim_user ADD COLUMN is_primary boolean NOT NULL DEFAULT true, ADD COLUMN formatted_name text',
    'ALTER TABLE auth.scim_member ADD COLUMN display text',
  ],
  down: [
    'ALTER TABLE auth.scim_member DROP COLUMN display',
    'ALTER TABLE auth.scim_user DROP COLUMN formatted_name, DROP COLUMN is_primary',
  ],
};
