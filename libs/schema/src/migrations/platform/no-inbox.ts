import type { SchemaMigration } from '../schema-migration.ts';

/** No consumer ever recorded events: those of today may handle an event twice (docs/adr/0036-no-inbox.md). */
export const NO_INBOX_MIGRATION: SchemaMigration = {
  name: '1763683200016-platform-no-inbox',
  up: ['DROP TABLE events.inbox'],
  down: [
    `CREATE TABLE events.inbox (
  consumer text NOT NULL,
  event_id text NOT NULL,
  handled_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_inbox PRIMARY KEY (consumer, event_id)
)`,
    'CREATE INDEX ix_inbox__handled_at ON events.inbox (handled_at)',
  ],
};
