import type { Envelope } from '@lintel/contracts';
import { OUTBOX_CHANNEL } from '../connection/notifications/outbox-notifier.ts';
import type { Database } from '../database.ts';
import { PUBLISHED_CHANNEL, RETENTION_MS } from './create-published-events.ts';
import { RELAY_LOCK } from './relay-lock.ts';

/** Minimum time between two removals of old rows by one process. */
const PRUNE_INTERVAL_MS = 60_000;

/** Returns a function that runs `prune` at its first call and then at most once per interval. */
export function pruneEvery(intervalMs: number, prune: () => Promise<unknown>): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    if (now < next) return;
    next = now + intervalMs;
    await prune();
  };
}

export interface OutboxStoreEntry {
  readonly position: string;
  readonly envelope: Envelope;
}

/** The port `OutboxStore` of `@lintel/events`, implemented structurally: adapters do not import each other. */
export interface EventOutbox {
  relay(limit: number, publish: (entries: readonly OutboxStoreEntry[]) => Promise<void>): Promise<number>;
  listen(wake: () => void): Promise<{ close(): Promise<void> }>;
}

export interface OutboxStoreOptions {
  /** How long published entries are kept for readers that resume. */
  readonly retentionMs?: number;
}

const LOCK = {
  name: 'lintel_outbox_lock',
  text: 'SELECT pg_try_advisory_xact_lock($1::bigint) AS locked',
  values: [RELAY_LOCK],
};

const NEXT = `SELECT position, envelope FROM events.outbox
WHERE published_at IS NULL ORDER BY position LIMIT $1`;

/**
 * Gives each entry its sequence number among the published ones, in the order in which they were published. The lock of
 * the relay is released after the commit is visible to all, so readers see the numbers in ascending order. An entry
 * that is published again keeps its number and takes no new one from the sequence: readers that resume compare their
 * last number with the latest of the sequence.
 */
const RECORD_PUBLISHED = `WITH numbered AS MATERIALIZED (
  SELECT position, CASE WHEN sequence IS NULL THEN nextval('events.published_position') ELSE sequence END AS sequence
  FROM (
    SELECT position, published_position AS sequence
    FROM unnest($1::bigint[]) WITH ORDINALITY AS entry (position, ordinal) JOIN events.outbox USING (position)
    ORDER BY ordinal) entries),
recorded AS (
  UPDATE events.outbox SET published_at = now(), published_position = numbered.sequence
  FROM numbered WHERE outbox.position = numbered.position)
SELECT pg_notify('${PUBLISHED_CHANNEL}', '')`;

/**
 * Checks the age again after the wait for a row: in between it may have been requeued. The event with the latest
 * sequence number is kept, however old: readers that begin now resume after it. So are events that a handler has yet
 * to pass.
 */
const PRUNE = `DELETE FROM events.outbox WHERE published_at < now() - $1 * interval '1 millisecond' AND position IN (
  SELECT position FROM events.outbox WHERE published_at < now() - $1 * interval '1 millisecond'
    AND published_position IS DISTINCT FROM (
      SELECT max(published_position) FROM events.outbox WHERE published_position IS NOT NULL)
    AND NOT EXISTS (SELECT FROM events.handler h WHERE h.position < published_position)
  LIMIT 10000)`;

/**
 * Creates the outbox for the relay.
 *
 * One relay publishes at a time: it has an advisory lock until its transaction ends, and the other relays find nothing
 * to do. With `FOR UPDATE SKIP LOCKED` alone, a second relay would publish later entries of a subject while the first
 * still publishes earlier ones, and the order per subject would be lost. A relay that ends abnormally loses its
 * connection and with it the lock; the entries that it had not recorded as published are published again.
 *
 * Positions ascend in commit order per subject, because they are assigned at the commit, while the row of the changed
 * instance is locked.
 */
export function createOutboxStore(database: Database, options: OutboxStoreOptions = {}): EventOutbox {
  const retentionMs = options.retentionMs ?? RETENTION_MS;
  const prune = pruneEvery(PRUNE_INTERVAL_MS, () =>
    database.query({ name: 'lintel_outbox_prune', text: PRUNE, values: [retentionMs] }),
  );
  return {
    async relay(limit, publish) {
      const published = await database.transaction(async (transaction) => {
        const [lock] = await transaction.query<{ locked: boolean }>(LOCK);
        if (!lock?.locked) return 0;
        const rows = await transaction.query<{ position: string; envelope: string }>({
          name: 'lintel_outbox_next',
          text: NEXT,
          values: [limit],
        });
        if (rows.length === 0) return 0;
        await publish(rows.map(({ position, envelope }) => ({ position, envelope: JSON.parse(envelope) as Envelope })));
        const positions = rows.map(({ position }) => position);
        await transaction.query({ name: 'lintel_outbox_mark', text: RECORD_PUBLISHED, values: [positions] });
        return rows.length;
      });
      if (published < limit) await prune();
      return published;
    },
    listen: (wake) => database.listen(OUTBOX_CHANNEL, wake),
  };
}
