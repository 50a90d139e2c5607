import type { SchemaMigration } from '../schema-migration.ts';

/**
 * Second factors of users: one-time passwords (TOTP), passkeys, recovery codes. Secrets are encrypted, recovery codes
 * are stored as digests. The id of a user is never used again, so that a new user of the same name has no factors.
 */
export const SECOND_FACTORS_MIGRATION: SchemaMigration = {
  name: '1763683200029-platform-second-factors',
  up: [
    `CREATE TABLE auth.second_factor (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  secret_encrypted bytea,
  last_step bigint,
  credential_id text,
  public_key bytea,
  sign_count bigint,
  transports text[],
  CONSTRAINT pk_second_factor PRIMARY KEY (id),
  CONSTRAINT ck_second_factor__kind CHECK (
    kind = 'totp' AND secret_encrypted IS NOT NULL
    OR kind = 'passkey' AND credential_id IS NOT NULL AND public_key IS NOT NULL AND sign_count IS NOT NULL)
)`,
    'CREATE INDEX ix_second_factor__user_id ON auth.second_factor (user_id)',
    'CREATE UNIQUE INDEX uq_second_factor__credential_id ON auth.second_factor (credential_id)',
    `CREATE TABLE auth.recovery_code (
  user_id uuid NOT NULL,
  digest text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_recovery_code PRIMARY KEY (user_id, digest)
)`,
  ],
  down: ['DROP TABLE auth.recovery_code', 'DROP TABLE auth.second_factor'],
};
