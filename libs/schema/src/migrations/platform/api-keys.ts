import type { SchemaMigration } from '../schema-migration.ts';

/** Keys with which scripts call the API for their user; only digests of the keys are stored. */
export const API_KEYS_MIGRATION: SchemaMigration = {
  name: '1763683200025-platform-api-keys',
  up: [
    `CREATE TABLE auth.api_key (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  name text NOT NULL,
  hint text NOT NULL,
  hash text NOT NULL,
  resource_roles text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  CONSTRAINT pk_api_key PRIMARY KEY (id)
)`,
    'CREATE UNIQUE INDEX uq_api_key__hash ON auth.api_key (hash)',
    'CREATE INDEX ix_api_key__user_id ON auth.api_key (user_id)',
    'CREATE INDEX ix_api_key__username ON auth.api_key (username)',
    'CREATE INDEX ix_api_key__expires_at ON auth.api_key (expires_at)',
  ],
  down: ['DROP TABLE auth.api_key'],
};
