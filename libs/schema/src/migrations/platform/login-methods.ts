import type { SchemaMigration } from '../schema-migration.ts';

/** How a user tried to log in, and at which identity provider or directory. */
export const LOGIN_METHODS_MIGRATION: SchemaMigration = {
  name: '1763683200032-platform-login-methods',
  up: [
    `ALTER TABLE auth.login_attempt ADD COLUMN method text NOT NULL DEFAULT 'password', ADD COLUMN provider text,
  ALTER COLUMN address DROP NOT NULL`,
  ],
  down: [
    `DELETE FROM auth.login_attempt WHERE address IS NULL`,
    'ALTER TABLE auth.login_attempt DROP COLUMN provider, DROP COLUMN method, ALTER COLUMN address SET NOT NULL',
  ],
};
