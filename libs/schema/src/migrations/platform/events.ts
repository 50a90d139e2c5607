/**
 * Outbox of events. The position of an event among the published ones is assigned when the relay, of which one works at
 * a time, sets `published_at`: an event that is published later never gets a smaller position. The identity column does
 * not guarantee that, because it is assigned before the commit.
 */
export const EVENTS: readonly string[] = [
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
  published_position bigint,
  CONSTRAINT pk_outbox PRIMARY KEY (position)
) WITH (autovacuum_vacuum_scale_factor = 0.02)`,
  'CREATE INDEX ix_outbox__unpublished ON events.outbox (position) WHERE published_at IS NULL',
  'CREATE INDEX ix_outbox__published_at ON events.outbox (published_at) WHERE published_at IS NOT NULL',
  'CREATE SEQUENCE events.published_position',
  `CREATE FUNCTION events.number_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.published_position := nextval('events.published_position');
  RETURN NEW;
END $$`,
  `CREATE TRIGGER outbox_number_published BEFORE UPDATE OF published_at ON events.outbox FOR EACH ROW
WHEN (NEW.published_at IS NOT NULL AND NEW.published_position IS NULL AND OLD.published_at IS NULL)
EXECUTE FUNCTION events.number_published()`,
  `CREATE UNIQUE INDEX uq_outbox__published_position ON events.outbox (published_position)
WHERE published_position IS NOT NULL`,
];
