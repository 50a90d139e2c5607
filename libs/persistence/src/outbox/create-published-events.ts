import type { Database } from '../database.ts';

/** The channel that notifies readers of newly published events. */
export const PUBLISHED_CHANNEL = 'lintel_published';

/** How long published entries are kept for readers that resume. */
export const RETENTION_MS = 24 * 60 * 60 * 1000;

/**
 * An entry does not count as kept in the last part of its retention: a reader that resumes after it needs time to read
 * on.
 */
const LAST_MOMENTS_MS = 10 * 60 * 1000;

/** A published event of the outbox. */
export interface PublishedEvent {
  /** Number among the published events: ascends in the order in which they become visible, with gaps. */
  readonly sequence: number;
  readonly subject: string;
  /** The `data` of the envelope. */
  readonly data: unknown;
  /** When it was appended, as in the envelope. */
  readonly time: string;
  /** New values of enumerations and booleans of a change. */
  readonly became?: Readonly<Record<string, unknown>> | undefined;
  /** The W3C trace context of the request that published it; absent if there was none. */
  readonly traceparent?: string | undefined;
}

export interface PublishedRange {
  /** Events after this sequence number. */
  readonly after: number;
  /** Up to this sequence number; without it there is no end. */
  readonly upTo?: number;
  readonly type: string;
  /** The parts of subjects before their first slash; without it all. */
  readonly owners?: readonly string[];
  readonly limit: number;
}

/** The published events of the last day, in the same order for all readers. */
export interface PublishedEvents {
  /** Returns the sequence number of the latest event; 0 if there never was one. */
  latest(signal?: AbortSignal): Promise<number>;
  /** Returns the events of a range, in their order. No event is added later between two numbers that were read. */
  read(range: PublishedRange, signal?: AbortSignal): Promise<readonly PublishedEvent[]>;
  /** Whether no event after the number has been removed, so that a reader can resume from it. */
  keepsAllAfter(sequence: number, signal?: AbortSignal): Promise<boolean>;
  /** Calls `wake` when more was published. */
  listen(wake: () => void): Promise<{ close(): Promise<void> }>;
}

interface PublishedRow {
  readonly sequence: string;
  readonly subject: string | null;
  readonly data: string;
  readonly time: string;
  readonly became: string | null;
  readonly traceparent: string | null;
}

const LATEST = {
  name: 'lintel_published_latest',
  text: `SELECT coalesce(max(published_position), 0)::text AS sequence FROM events.outbox
WHERE published_position IS NOT NULL`,
  values: [],
};

const READ = `SELECT published_position::text AS sequence, subject, envelope -> 'data' AS data,
  envelope ->> 'time' AS time, became::text AS became,
  envelope ->> 'traceparent' AS traceparent FROM events.outbox
WHERE published_position > $1::bigint AND published_position <= $2::bigint AND type = $3::text
  AND ($4::text[] IS NULL OR split_part(subject, '/', 1) = ANY ($4::text[]))
ORDER BY published_position LIMIT $5::bigint`;

/**
 * Entries with a later sequence number were published after this entry was appended; so while its age is less than the
 * retention, none of them was removed. The time at which it was published is not used, because it may have been
 * published again. After 0 means after the first number, and that entry itself.
 */
const KEPT = `SELECT EXISTS (SELECT FROM events.outbox WHERE published_position = greatest($1::bigint, 1)
    AND created_at > now() - $2::bigint * interval '1 millisecond')
  OR (SELECT $1::bigint = CASE WHEN is_called THEN last_value ELSE 0 END FROM events.published_position) AS kept`;

const LAST_SEQUENCE = '9223372036854775807';

/** Reads the events that the relay has published from the outbox. */
export function createPublishedEvents(
  database: Pick<Database, 'query' | 'listen'>,
  options: { readonly retentionMs?: number } = {},
): PublishedEvents {
  const keptMs = Math.max(0, (options.retentionMs ?? RETENTION_MS) - LAST_MOMENTS_MS);
  return {
    async latest(signal) {
      const [row] = await database.query<{ sequence: string }>(LATEST, signal);
      return Number(row?.sequence ?? 0);
    },
    async read({ after, upTo, type, owners, limit }, signal) {
      const rows = await database.query<PublishedRow>(
        {
          name: 'lintel_published_read',
          text: READ,
          values: [after, upTo ?? LAST_SEQUENCE, type, owners ?? null, limit],
        },
        signal,
      );
      return rows.map(({ sequence, subject, data, time, became, traceparent }) => ({
        sequence: Number(sequence),
        subject: subject ?? '',
        data: JSON.parse(data) as unknown,
        time,
        ...(became !== null && { became: JSON.parse(became) as Record<string, unknown> }),
        traceparent: traceparent ?? undefined,
      }));
    },
    async keepsAllAfter(sequence, signal) {
      const [row] = await database.query<{ kept: boolean }>(
        { name: 'lintel_published_kept', text: KEPT, values: [sequence, keptMs] },
        signal,
      );
      return row?.kept === true;
    },
    listen: (wake) => database.listen(PUBLISHED_CHANNEL, wake),
  };
}
