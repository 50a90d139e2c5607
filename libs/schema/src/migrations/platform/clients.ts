import type { SchemaMigration } from '../schema-migration.ts';

/**
 * OAuth clients that are not part of the configuration, with the hashes of their secrets. The index finds the logins
 * that end with a client.
 */
export const CLIENTS_MIGRATION: SchemaMigration = {
  name: '1763683200024-platform-clients',
  up: [
    `CREATE TABLE auth.client (
  client_id text NOT NULL,
  metadata jsonb NOT NULL,
  enabled boolean NOT NULL,
  expires_at timestamptz(3),
  registration_token_hash text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  CONSTRAINT pk_client PRIMARY KEY (client_id)
)`,
    'CREATE INDEX ix_client__updated_at ON auth.client (updated_at)',
    `CREATE TABLE auth.client_secret (
  id uuid NOT NULL,
  client_id text NOT NULL,
  hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  CONSTRAINT pk_client_secret PRIMARY KEY (id),
  CONSTRAINT fk_client_secret__client FOREIGN KEY (client_id) REFERENCES auth.client (client_id) ON DELETE CASCADE
)`,
    'CREATE INDEX ix_client_secret__client_id ON auth.client_secret (client_id)',
    `CREATE INDEX ix_oidc_model__login_client ON auth.oidc_model ((payload->>'clientId')) WHERE model = 'Login'`,
  ],
  down: ['DROP INDEX auth.ix_oidc_model__login_client', 'DROP TABLE auth.client_secret', 'DROP TABLE auth.client'],
};
