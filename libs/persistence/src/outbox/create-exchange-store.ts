import type { Envelope } from '@lintel/contracts';
import { OUTBOX_CHANNEL } from '../connection/notifications/outbox-notifier.ts';
import type { Database } from '../database.ts';
import { type EventOutbox, pruneEvery } from './create-outbox-store.ts';
import { PUBLISHED_CHANNEL } from './create-published-events.ts';
import { RELAY_LOCK } from './relay-lock.ts';
import type { ReaderName } from './set-reading.ts';

/** Name of its position. */
export const EXCHANGE_READER: ReaderName = 'lintel/exchange';

const LOCK = `SELECT position FROM events.handler WHERE name = '${EXCHANGE_READER}'
  AND position < (SELECT max(published_position) FROM events.outbox WHERE published_position IS NOT NULL)
FOR UPDATE SKIP LOCKED`;

/** The next events of all types, so that the position moves on where the application publishes few. */
const NEXT = `SELECT published_position::text AS position,
  CASE WHEN type = ANY ($2::text[]) THEN envelope::text END AS envelope
FROM events.outbox WHERE published_position > $1::bigint ORDER BY published_position LIMIT $3`;

const PASS = `UPDATE events.handler SET position = $1::bigint WHERE name = '${EXCHANGE_READER}'`;

/**
 * The published events of the application as an outbox for the broker that it shares with others: with a position of
 * their own, they do not delay events of the platform while that broker is unavailable.
 */
export function createExchangeStore(database: Database, types: readonly string[]): EventOutbox {
  return {
    relay: (limit, publish) =>
      database.transaction(async (transaction) => {
        const [reader] = await transaction.query<{ position: string }>({ text: LOCK, values: [] });
        if (reader === undefined) return 0;
        const rows = await transaction.query<{ position: string; envelope: string | null }>({
          name: 'lintel_exchange_next',
          text: NEXT,
          values: [reader.position, types, limit],
        });
        const entries = rows.flatMap(({ position, envelope }) =>
          envelope === null ? [] : [{ position, envelope: JSON.parse(envelope) as Envelope }],
        );
        if (entries.length > 0) await publish(entries);
        const last = rows.at(-1);
        if (last !== undefined) await transaction.query({ text: PASS, values: [last.position] });
        return rows.length;
      }),
    listen: (wake) => database.listen(PUBLISHED_CHANNEL, wake),
  };
}

/** Keeps the events of other applications. */
export interface ReceivedEvents {
  /**
   * Adds events, of each subject one, to the published ones of the outbox, unless they were received within the last
   * seven days. One statement: all or none.
   *
   * @param envelopes JSON of each
   */
  receive(envelopes: readonly string[]): Promise<void>;
}

/**
 * The lock of the relay keeps the numbers of published events ascending for their readers. A relay that looked
 * meanwhile is woken again.
 */
const RECEIVE = `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(${RELAY_LOCK})),
given AS MATERIALIZED (
  SELECT DISTINCT ON (source, id) e ->> 'source' AS source, e ->> 'id' AS id, e FROM locked, unnest($1::json[]) e),
fresh AS (
  INSERT INTO events.received (source, id) SELECT source, id FROM given ON CONFLICT DO NOTHING RETURNING source, id),
added AS (
  INSERT INTO events.outbox (id, type, subject, envelope, published_at, published_position)
  SELECT gen_random_uuid(), e ->> 'type', coalesce(e ->> 'subject', ''), e, now(), nextval('events.published_position')
  FROM given JOIN fresh USING (source, id))
SELECT pg_notify('${PUBLISHED_CHANNEL}', ''), pg_notify('${OUTBOX_CHANNEL}', '') WHERE EXISTS (SELECT FROM fresh)`;

/** Not before the outbox has forgotten them: replays ask which of its events are received. */
const FORGET = `DELETE FROM events.received
WHERE received_at < least(now() - interval '7 days', (SELECT min(created_at) FROM events.outbox))`;

/** Creates the store of events of other applications. */
export function createReceivedEvents(database: Pick<Database, 'query'>): ReceivedEvents {
  const forget = pruneEvery(3_600_000, () => database.query({ text: FORGET, values: [] }));
  return {
    async receive(envelopes) {
      await database.query({ name: 'lintel_receive', text: RECEIVE, values: [envelopes] });
      await forget();
    },
  };
}
