import type { SchemaMigration } from '../schema-migration.ts';

/** Links by which users set a new password, by the hash of their token; valid while the user has the same password. */
export const PASSWORD_RESETS_MIGRATION: SchemaMigration = {
  name: '1763683200028-platform-password-resets',
  up: [
    `CREATE TABLE auth.password_reset (
  token_hash text NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  credential text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_password_reset PRIMARY KEY (token_hash)
)`,
    'CREATE INDEX ix_password_reset__user_id ON auth.password_reset (user_id)',
    'CREATE INDEX ix_password_reset__expires_at ON auth.password_reset (expires_at)',
  ],
  down: ['DROP TABLE auth.password_reset'],
};
