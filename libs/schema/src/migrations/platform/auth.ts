import type { SchemaMigration } from '../schema-migration.ts';

/** Data that the auth service stores for longer than a session: grants, refresh tokens, clients, signing keys. */
export const AUTH_MIGRATION: SchemaMigration = {
  name: '1763683200002-platform-auth',
  up: [
    'CREATE SCHEMA IF NOT EXISTS auth',
    `CREATE TABLE auth.oidc_model (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  expires_at timestamptz(3),
  grant_id text,
  uid text,
  user_code text,
  CONSTRAINT pk_oidc_model PRIMARY KEY (model, id)
)`,
    'CREATE INDEX ix_oidc_model__grant_id ON auth.oidc_model (grant_id) WHERE grant_id IS NOT NULL',
    'CREATE INDEX ix_oidc_model__uid ON auth.oidc_model (model, uid) WHERE uid IS NOT NULL',
    'CREATE INDEX ix_oidc_model__user_code ON auth.oidc_model (model, user_code) WHERE user_code IS NOT NULL',
    'CREATE INDEX ix_oidc_model__expires_at ON auth.oidc_model (expires_at) WHERE expires_at IS NOT NULL',
    `CREATE TABLE auth.signing_key (
  kid text NOT NULL,
  algorithm text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk_encrypted bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retired_at timestamptz(3),
  CONSTRAINT pk_signing_key PRIMARY KEY (kid)
)`,
  ],
  down: ['DROP TABLE auth.signing_key', 'DROP TABLE auth.oidc_model', 'DROP SCHEMA auth'],
};
