import type { SchemaMigration } from '../schema-migration.ts';

/** Who has caused a security event, and which role it is about; the history of a role and of a client. */
export const SECURITY_EVENT_ACTORS_MIGRATION: SchemaMigration = {
  name: '1763683200044-platform-security-event-actors',
  up: [
    'ALTER TABLE auth.security_event ADD COLUMN by_client_id text, ADD COLUMN role text, ADD COLUMN trace_id text',
    `CREATE INDEX ix_security_event__client_id ON auth.security_event (client_id, type, recorded_at DESC, id DESC)
  WHERE client_id IS NOT NULL`,
    `CREATE INDEX ix_security_event__role ON auth.security_event (role, type, recorded_at DESC, id DESC)
  WHERE role IS NOT NULL`,
  ],
  down: [
    'DROP INDEX auth.ix_security_event__role, auth.ix_security_event__client_id',
    'ALTER TABLE auth.security_event DROP COLUMN trace_id, DROP COLUMN role, DROP COLUMN by_client_id',
  ],
};
