import type { SchemaMigration } from '../schema-migration.ts';

/** Responses to requests with an idempotency key, stored for repeated requests. */
export const IDEMPOTENCY_MIGRATION: SchemaMigration = {
  name: '1763683200004-platform-idempotency',
  up: [
    `CREATE TABLE lintel.idempotent_request (
  principal text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status smallint NOT NULL,
  headers json NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_idempotent_request PRIMARY KEY (principal, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02)`,
    'CREATE INDEX ix_idempotent_request__created_at ON lintel.idempotent_request (created_at)',
  ],
  down: ['DROP TABLE lintel.idempotent_request'],
};
