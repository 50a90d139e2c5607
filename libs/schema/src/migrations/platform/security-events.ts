import type { SchemaMigration } from '../schema-migration.ts';

/** Security events of auth, which removes the oldest (`svc.auth.security-events.*`). */
export const SECURITY_EVENTS_MIGRATION: SchemaMigration = {
  name: '1763683200035-platform-security-events',
  up: [
    `CREATE TABLE auth.security_event (
  id bigint GENERATED ALWAYS AS IDENTITY,
  recorded_at timestamptz(3) NOT NULL,
  type text NOT NULL,
  username text,
  by_username text,
  client_id text,
  address text,
  provider text,
  reason text,
  attributes text[],
  amount bigint,
  count bigint NOT NULL,
  CONSTRAINT pk_security_event PRIMARY KEY (id)
)`,
    'CREATE INDEX ix_security_event__type ON auth.security_event (type, recorded_at DESC, id DESC)',
    `CREATE INDEX ix_security_event__username ON auth.security_event (username, type, recorded_at DESC, id DESC)
  WHERE username IS NOT NULL`,
  ],
  down: ['DROP TABLE auth.security_event'],
};
