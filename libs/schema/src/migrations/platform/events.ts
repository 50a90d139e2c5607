import type { SchemaMigration } from '../schema-migration.ts';

/** Outbox and inbox of events. */
export const EVENTS_MIGRATION: SchemaMigration = {
  name: '1763683200000-platform-events',
  up: [
    'CREATE SCHEMA IF NOT EXISTS events',
    // Every row is updated once and deleted later: vacuum early, so that the table stays small.
    `CREATE TABLE events.outbox (
  position bigint GENERATED ALWAYS AS IDENTITY,
  id uuid NOT NULL,
  type text NOT NULL,
  subject text,
  envelope json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  published_at timestamptz(3),
  CONSTRAINT pk_outbox PRIMARY KEY (position)
) WITH (autovacuum_vacuum_scale_factor = 0.02)`,
    'CREATE INDEX ix_outbox__unpublished ON events.outbox (position) WHERE published_at IS NULL',
    'CREATE INDEX ix_outbox__published_at ON events.outbox (published_at) WHERE published_at IS NOT NULL',
    `CREATE TABLE events.inbox (
  consumer text NOT NULL,
  event_id text NOT NULL,
  handled_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_inbox PRIMARY KEY (consumer, event_id)
)`,
    'CREATE INDEX ix_inbox__handled_at ON events.inbox (handled_at)',
  ],
  down: ['DROP TABLE events.inbox', 'DROP TABLE events.outbox', 'DROP SCHEMA events'],
};
