import type { SecurityEventsRequest, SecurityEventsResponse, StoredSecurityEvent } from '@lintel/contracts';
import { type Database, utcText } from '@lintel/persistence';
import { SECURITY_EVENTS, type SecurityRecord } from '@lintel/telemetry';
import type { Clock } from '../ports.ts';

/** A security event and when it happened. */
export interface DatedRecord {
  readonly record: SecurityRecord;
  readonly atMs: number;
}

/** The security events of auth in the database. */
export interface SecurityEventStore {
  write(events: readonly DatedRecord[]): Promise<void>;
  page(request: SecurityEventsRequest): Promise<SecurityEventsResponse>;
  /** Removes events whose time has passed, and the oldest of a type above the maximum, up to a limit for each call. */
  prune(): Promise<void>;
}

export interface SecurityEventStoreOptions {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly keptMs: number;
  readonly maxPerType: number;
  /** Rows that one statement removes. */
  readonly batchSize?: number;
}

const WRITE = `INSERT INTO auth.security_event
  (recorded_at, type, username, by_username, client_id, by_client_id, role, trace_id, address, provider, reason, attributes, amount, count)
SELECT "recordedAt", type, username, "byUsername", "clientId", "byClientId", role, "traceId", address, provider, reason, attributes, amount, count
FROM json_to_recordset($1::json) AS event("recordedAt" timestamptz, type text, username text, "byUsername" text,
  "clientId" text, "byClientId" text, role text, "traceId" text, address text, provider text, reason text, attributes text[], amount bigint, count bigint)`;

/** Each type is read from its own part of an index, so that a rare type costs no more than a frequent one. */
const pageStatement = (filters: readonly string[]): string => `SELECT event.id::text AS id,
  ${utcText('event.recorded_at')} AS at, event.type, event.username,
  event.by_username AS by, event.client_id AS "clientId", event.by_client_id AS "byClientId",
  event.role, event.trace_id AS "traceId", event.address, event.provider, event.reason,
  event.attributes, event.amount::float8 AS amount, event.count::float8 AS count
FROM unnest($1::text[]) AS wanted (type) CROSS JOIN LATERAL (
  SELECT * FROM auth.security_event AS each
  WHERE each.type = wanted.type${filters.map((column, at) => ` AND each.${column} = $${at + 7}`).join('')}
    AND each.recorded_at >= $2::timestamptz AND each.recorded_at < $3::timestamptz
    AND (each.recorded_at, each.id) < ($4::timestamptz, $5::bigint)
  ORDER BY each.recorded_at DESC, each.id DESC LIMIT $6
) AS event ORDER BY event.recorded_at DESC, event.id DESC LIMIT $6`;

/** The types that rows have, one look at the index for each. */
const TYPES = `WITH RECURSIVE known (type) AS (
  (SELECT type FROM auth.security_event ORDER BY type LIMIT 1)
  UNION ALL
  SELECT (SELECT next.type FROM auth.security_event AS next WHERE next.type > known.type ORDER BY next.type LIMIT 1)
  FROM known WHERE known.type IS NOT NULL
) SELECT type FROM known WHERE type IS NOT NULL`;

/** `$2`: rows before that moment have expired; `$3`: the maximum. */
const PRUNE = `WITH last AS (
  SELECT recorded_at, id FROM auth.security_event WHERE type = $1
  ORDER BY recorded_at DESC, id DESC OFFSET $3 LIMIT 1
)
DELETE FROM auth.security_event WHERE id IN (
  SELECT each.id FROM auth.security_event AS each
  WHERE each.type = $1 AND (each.recorded_at < $2::timestamptz
    OR (each.recorded_at, each.id) <= (SELECT recorded_at, id FROM last))
  ORDER BY each.recorded_at, each.id LIMIT $4
  FOR UPDATE SKIP LOCKED
) RETURNING 1 AS removed`;

const ALL_TYPES: readonly string[] = Object.keys(SECURITY_EVENTS);
const MAX_ID = '9223372036854775807';
const MAX_TEXT_LENGTH = 1_000;
const MAX_ATTRIBUTES = 100;
/** A run of an hour ago has left no more than the log admits in an hour; the rest of a larger number follows later. */
const MAX_BATCHES = 40;

export function createSecurityEventStore(options: SecurityEventStoreOptions): SecurityEventStore {
  const { database, clock, keptMs, maxPerType, batchSize = 5_000 } = options;

  async function pruneType(type: string): Promise<void> {
    const expiry = new Date(clock.now() - keptMs).toISOString();
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const values = [type, expiry, maxPerType, batchSize];
      const removed = await database.query({ name: 'auth_prune_security_events', text: PRUNE, values });
      if (removed.length < batchSize) return;
    }
  }

  return {
    async write(events) {
      if (keptMs === 0 || events.length === 0) return;
      const values = [JSON.stringify(events.map(rowOf))];
      await database.query({ name: 'auth_write_security_events', text: WRITE, values });
    },
    async page({ types = ALL_TYPES, username, clientId, role, from, to, after, limit }) {
      const filters = Object.entries({ username, client_id: clientId, role }).filter(
        ([, value]) => value !== undefined,
      );
      const columns = filters.map(([column]) => column);
      const rows = await database.query<StoredSecurityEvent>({
        name: ['auth_security_events', ...columns].join('_of_'),
        text: pageStatement(columns),
        values: [
          [...new Set(types)],
          from ?? '-infinity',
          to ?? 'infinity',
          after?.at ?? 'infinity',
          after?.id ?? MAX_ID,
          limit + 1,
          ...filters.map(([, value]) => value),
        ],
      });
      return { events: rows.slice(0, limit), hasMore: rows.length > limit };
    },
    async prune() {
      const found = await database.query<{ readonly type: string }>({ text: TYPES, values: [] });
      for (const { type } of found) await pruneType(type);
    },
  };
}

const rowOf = ({ record, atMs }: DatedRecord) => ({
  recordedAt: new Date(atMs).toISOString(),
  type: record.name,
  username: textOf(record.username),
  byUsername: textOf(record.by),
  clientId: textOf(record.clientId),
  byClientId: textOf(record.byClientId),
  role: textOf(record.role),
  traceId: textOf(record.traceId),
  address: textOf(record.address),
  provider: textOf(record.provider),
  reason: textOf(record.reason),
  attributes: record.attributes?.slice(0, MAX_ATTRIBUTES).map(textOf) ?? null,
  amount: record.amount ?? null,
  count: record.count,
});

/** PostgreSQL stores neither NUL characters nor halves of surrogate pairs. */
const textOf = (text: string | undefined): string | null =>
  text === undefined ? null : text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\0', '�');
