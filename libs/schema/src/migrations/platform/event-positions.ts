import type { SchemaMigration } from '../schema-migration.ts';

/**
 * The position of an event among the published ones. The relay, of which one works at a time, assigns it when it sets
 * `published_at`: an event that is published later never gets a smaller position. The identity column does not
 * guarantee that, because it is assigned before the commit.
 *
 * The trigger numbers the events that a relay of the previous version publishes during a rolling update.
 */
export const EVENT_POSITIONS_MIGRATION: SchemaMigration = {
  name: '1763683200011-platform-event-positions',
  up: [
    'CREATE SEQUENCE events.published_position',
    'ALTER TABLE events.outbox ADD COLUMN published_position bigint',
    `CREATE FUNCTION events.number_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.published_position := nextval('events.published_position');
  RETURN NEW;
END $$`,
    `CREATE TRIGGER outbox_number_published BEFORE UPDATE OF published_at ON events.outbox FOR EACH ROW
WHEN (NEW.published_at IS NOT NULL AND NEW.published_position IS NULL AND OLD.published_at IS NULL)
EXECUTE FUNCTION events.number_published()`,
  ],
  down: [
    'DROP TRIGGER outbox_number_published ON events.outbox',
    'DROP FUNCTION events.number_published()',
    'ALTER TABLE events.outbox DROP COLUMN published_position',
    'DROP SEQUENCE events.published_position',
  ],
};

/** Built while others write. */
export const EVENT_POSITIONS_INDEX_MIGRATION: SchemaMigration = {
  name: '1763683200012-platform-event-positions-index',
  up: [
    `CREATE UNIQUE INDEX CONCURRENTLY uq_outbox__published_position ON events.outbox (published_position)
WHERE published_position IS NOT NULL`,
  ],
  down: ['DROP INDEX CONCURRENTLY events.uq_outbox__published_position'],
};
