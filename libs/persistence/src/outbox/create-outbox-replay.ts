import type { Database, Statement } from '../database.ts';
import { RELAY_LOCK } from './relay-lock.ts';

/** Selects events. Times are those of the changes; an absent member does not restrict the selection. */
export interface ReplaySelection {
  /** Events since this time, inclusive. */
  readonly since: Date;
  /** Events up to this time, exclusive. */
  readonly until?: Date | undefined;
  readonly types?: readonly string[] | undefined;
  readonly subjects?: readonly string[] | undefined;
  /** Entities of the instances concerned: the part of the subject before `/`. */
  readonly entities?: readonly string[] | undefined;
}

/** Events of one type. */
export interface ReplayCount {
  readonly type: string;
  readonly events: number;
}

/** Publishes events again that are still in the outbox. */
export interface OutboxReplay {
  /** Returns how many published events of each type are selected. */
  count(selection: ReplaySelection): Promise<readonly ReplayCount[]>;
  /** Returns when the oldest event of the outbox was appended; undefined if there is none. */
  oldest(): Promise<Date | undefined>;
  /**
   * Sets the events to unpublished in one transaction: the relay sends them in the order of the outbox, before events
   * that are committed later. Waits up to `lockTimeoutMs` for a batch that is being published.
   *
   * @returns how many events of each type there were, and the position of the last one
   * @throws PlatformError `DATA_UNAVAILABLE` if the lock of the relays did not become free in time
   */
  requeue(selection: ReplaySelection): Promise<{ readonly counts: readonly ReplayCount[]; readonly last: string }>;
  /** Returns the number of unpublished events up to a position. */
  waiting(last: string): Promise<number>;
}

export interface OutboxReplayOptions {
  /** Maximum wait for the relay that is publishing. */
  readonly lockTimeoutMs: number;
}

/** Another application has published what was received. */
const MATCHES = `NOT EXISTS (
    SELECT FROM events.received r WHERE r.source = envelope ->> 'source' AND r.id = envelope ->> 'id')
  AND created_at >= $1 AND ($2::timestamptz IS NULL OR created_at < $2)
  AND ($3::text[] IS NULL OR type = ANY ($3))
  AND ($4::text[] IS NULL OR subject = ANY ($4))
  AND ($5::text[] IS NULL OR split_part(subject, '/', 1) = ANY ($5))`;

const COUNT = `SELECT type, count(*)::int AS events FROM events.outbox
WHERE published_at IS NOT NULL AND ${MATCHES} GROUP BY type ORDER BY type`;

/** Skips rows that are being pruned. */
const REQUEUE = `WITH chosen AS MATERIALIZED (
  SELECT position FROM events.outbox WHERE published_at IS NOT NULL AND ${MATCHES} FOR UPDATE SKIP LOCKED
), marked AS (
  UPDATE events.outbox SET published_at = NULL WHERE position IN (SELECT position FROM chosen) RETURNING type, position
)
SELECT type, count(*)::int AS events, max(position) AS last FROM marked GROUP BY type ORDER BY type`;

const OLDEST = 'SELECT min(created_at)::text AS at FROM events.outbox';

const WAITING = `SELECT count(*)::int AS events FROM events.outbox
WHERE published_at IS NULL AND position <= $1::bigint`;

/** Creates the replay of events from the outbox. */
export function createOutboxReplay(database: Database, { lockTimeoutMs }: OutboxReplayOptions): OutboxReplay {
  return {
    count: (selection) => database.query<ReplayCount>(chosen(COUNT, selection)),
    async oldest() {
      const [row] = await database.query<{ at: string | null }>({ text: OLDEST, values: [] });
      return row?.at == null ? undefined : new Date(row.at);
    },
    requeue: (selection) =>
      database.transaction(async (transaction) => {
        await transaction.query({ text: `SET LOCAL lock_timeout = ${Math.ceil(lockTimeoutMs)}`, values: [] });
        // Between two batches no relay is publishing an event, so the order of events is kept.
        await transaction.query({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [RELAY_LOCK] });
        const rows = await transaction.query<ReplayCount & { last: string }>(chosen(REQUEUE, selection));
        const last = rows.reduce((highest, row) => (BigInt(row.last) > highest ? BigInt(row.last) : highest), 0n);
        return { counts: rows.map(({ type, events }) => ({ type, events })), last: String(last) };
      }),
    async waiting(last) {
      const [row] = await database.query<{ events: number }>({ text: WAITING, values: [last] });
      return row?.events ?? 0;
    },
  };
}

const chosen = (text: string, { since, until, types, subjects, entities }: ReplaySelection): Statement => ({
  text,
  values: [since, until ?? null, types ?? null, subjects ?? null, entities ?? null],
});
