import type { Database, Statement } from '../database.ts';
import { RELAY_LOCK } from './relay-lock.ts';

/** Which events are meant. Times are those of the changes; what is absent does not restrict. */
export interface ReplaySelection {
  /** From this moment on, inclusive. */
  readonly since: Date;
  /** Up to this moment, exclusive. */
  readonly until?: Date | undefined;
  readonly types?: readonly string[] | undefined;
  readonly subjects?: readonly string[] | undefined;
  /** Entities whose instances the events are about: what stands before `/` in their subjects. */
  readonly entities?: readonly string[] | undefined;
}

/** Events of one type. */
export interface ReplayCount {
  readonly type: string;
  readonly events: number;
}

/** Published events that are still kept, to be published again. */
export interface OutboxReplay {
  /** How many published events of each type are meant, by type. */
  count(selection: ReplaySelection): Promise<readonly ReplayCount[]>;
  /** When the oldest event was appended that is still kept; undefined where there is none. */
  oldest(): Promise<Date | undefined>;
  /**
   * Makes the events unpublished again, all at once: the relay sends them in the order of the outbox, before events
   * that are committed later. Waits for a batch that is being published, `lockTimeoutMs` at the most.
   *
   * @returns how many of each type there were, and a position at which the last of them stands
   * @throws PlatformError `DATA_UNAVAILABLE` where the lock of the relays did not become free in time
   */
  mark(selection: ReplaySelection): Promise<{ readonly counts: readonly ReplayCount[]; readonly last: string }>;
  /** Events up to a position that are not published. */
  waiting(last: string): Promise<number>;
}

export interface OutboxReplayOptions {
  /** Longest wait for the relay that is publishing. */
  readonly lockTimeoutMs: number;
}

const MATCHES = `created_at >= $1 AND ($2::timestamptz IS NULL OR created_at < $2)
  AND ($3::text[] IS NULL OR type = ANY ($3))
  AND ($4::text[] IS NULL OR subject = ANY ($4))
  AND ($5::text[] IS NULL OR split_part(subject, '/', 1) = ANY ($5))`;

const COUNT = `SELECT type, count(*)::int AS events FROM events.outbox
WHERE published_at IS NOT NULL AND ${MATCHES} GROUP BY type ORDER BY type`;

/** Rows that are just being removed for their age are left to that. */
const MARK = `WITH chosen AS MATERIALIZED (
  SELECT position FROM events.outbox WHERE published_at IS NOT NULL AND ${MATCHES} FOR UPDATE SKIP LOCKED
), marked AS (
  UPDATE events.outbox SET published_at = NULL WHERE position IN (SELECT position FROM chosen) RETURNING type, position
)
SELECT type, count(*)::int AS events, max(position) AS last FROM marked GROUP BY type ORDER BY type`;

const OLDEST = 'SELECT min(created_at)::text AS at FROM events.outbox';

const WAITING = `SELECT count(*)::int AS events FROM events.outbox
WHERE published_at IS NULL AND position <= $1::bigint`;

/** The outbox as somebody sees it who wants events to be told again. */
export function createOutboxReplay(database: Database, { lockTimeoutMs }: OutboxReplayOptions): OutboxReplay {
  return {
    count: (selection) => database.query<ReplayCount>(chosen(COUNT, selection)),
    async oldest() {
      const [row] = await database.query<{ at: string | null }>({ text: OLDEST, values: [] });
      return row?.at == null ? undefined : new Date(row.at);
    },
    mark: (selection) =>
      database.transaction(async (transaction) => {
        await transaction.query({ text: `SET LOCAL lock_timeout = ${Math.ceil(lockTimeoutMs)}`, values: [] });
        // Between two batches no relay has an event in hand: none can be sent out of its turn.
        await transaction.query({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [RELAY_LOCK] });
        const rows = await transaction.query<ReplayCount & { last: string }>(chosen(MARK, selection));
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
