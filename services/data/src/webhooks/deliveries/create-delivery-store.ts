import { randomUUID } from 'node:crypto';
import { lineageOf, type Model } from '@lintel/metadata';
import { type Database, type Statement, setReading, unreadAgeOf } from '@lintel/persistence';
import { CHANGE_TYPE } from '../../changes/entity-change.ts';
import type { Attempt, ClaimedDelivery, DeliveredChange, FinalState } from './delivery.ts';

/** The deliveries of all replicas, in the database. Each change is one statement that checks the state it changes. */
export interface DeliveryStore {
  /** Begins to read the outbox after its latest event, if it did not before; or lets the outbox forget its reader. */
  setReading(isReading: boolean): Promise<void>;
  /**
   * Adds, for the next events of the outbox, a delivery for each active webhook that they concern. One process at a time
   * does.
   */
  enqueue(): Promise<Enqueued>;
  /** Makes deliveries pending again that a webhook requests again (`replayFrom`): one batch per call. */
  replay(): Promise<void>;
  /** Makes the deliveries due that have the partition key of a delivery: it waits for the earlier ones. */
  advance(deliveryId: string): Promise<void>;
  /**
   * Claims due deliveries for `leaseMs`: at most `limit`, and at most `perWebhook` of one webhook are claimed at a time.
   * A delivery waits for earlier pending deliveries of the same instance.
   */
  claim(limit: number, perWebhook: number, leaseMs: number): Promise<readonly ClaimedDelivery[]>;
  /** Ends a delivery; does nothing if the lease is lost. */
  finish(claimed: ClaimedDelivery, state: FinalState, attempt: Attempt): Promise<void>;
  /** Ends the lease after a failed attempt and sets the time of the next attempt. */
  retry(claimed: ClaimedDelivery, attempt: Attempt, delayMs: number): Promise<void>;
  /** Ends the lease without counting the attempt. */
  release(claimed: ClaimedDelivery): Promise<void>;
  /** Seconds that the oldest delivery of an active webhook has been waiting; 0 if none waits. */
  oldestPendingAge(): Promise<number>;
  /** Age of the oldest published event that webhooks have not read, in seconds; 0 if there is none. */
  oldestUnreadAge(): Promise<number>;
  /**
   * Removes deliveries that ended longer ago, and pending ones of deleted webhooks; returns whether there may be more
   * of them.
   */
  prune(retentionMs: number): Promise<boolean>;
}

/** Truncated to the precision of the columns, which would round it up and make deliveries due a moment later. */
const NOW = `date_trunc('milliseconds', now() AT TIME ZONE 'UTC')`;
const isoOf = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const inMs = (parameter: string): string => `${parameter}::float8 * interval '1 millisecond'`;
const NO_LEASE = 'lease_id = NULL, lease_until = NULL';
const HELD = `id = $1 AND lease_id = $2 AND state = 'pending'`;
const WAITS_ANEW = `state = 'pending', attempts = 0, queued_at = ${NOW}, next_attempt = ${NOW}, finished_at = NULL`;

/** Name of the webhooks' position among the handlers of the application, whose names have no slash. */
const READER = 'lintel/webhooks';

/** Events that one statement reads at most. */
const EVENTS_AT_A_TIME = 1_000;

/**
 * Adds the deliveries and moves the position together: a published event has its deliveries, whichever process is killed. A new delivery
 * waits like the earlier ones with its partition key (`lane`), so that only the first is retried.
 */
const ENQUEUE = `WITH reader AS MATERIALIZED (
  SELECT position FROM events.handler WHERE name = '${READER}'
    AND position < (SELECT max(published_position) FROM events.outbox WHERE published_position IS NOT NULL)
  FOR UPDATE SKIP LOCKED
), batch AS MATERIALIZED (
  SELECT published_position, type, subject, envelope, became FROM events.outbox
  WHERE published_position > (SELECT position FROM reader)
  ORDER BY published_position LIMIT ${EVENTS_AT_A_TIME}
), passed AS (
  UPDATE events.handler SET position = (SELECT max(published_position) FROM batch)
  WHERE name = '${READER}' AND EXISTS (SELECT FROM batch)
), change AS (
  SELECT published_position, envelope ->> 'id' AS event_id, (envelope ->> 'time')::timestamptz AS time,
    envelope -> 'data' ->> 'entity' AS entity, substr(subject, length(envelope -> 'data' ->> 'entity') + 2) AS id,
    envelope -> 'data' ->> 'change' AS change, became::jsonb AS became, NULL::json AS data,
    ARRAY(SELECT json_array_elements_text(envelope -> 'data' -> 'attributes')) AS attributes
  FROM batch WHERE type = '${CHANGE_TYPE}'
  UNION ALL
  SELECT published_position, envelope ->> 'id', (envelope ->> 'time')::timestamptz, type, coalesce(subject, ''),
    'published', NULL, envelope -> 'data', '{}' FROM batch WHERE type = ANY ($1::text[])
), added AS (
  INSERT INTO sys.webhook_delivery (webhook_id, webhook_name, event_id, entity_name, entity_id, change,
    changed_at, state, attempts, queued_at, next_attempt, changed_attributes, event_data, lane)
  SELECT w.id, w.name, c.event_id, c.entity, c.id, c.change, c.time AT TIME ZONE 'UTC', 'pending', 0, ${NOW},
    greatest(${NOW}, (
      SELECT max(p.next_attempt) FROM sys.webhook_delivery p
      WHERE p.webhook_id = w.id AND p.state = 'pending' AND p.lane = l.lane)),
    array_to_string(c.attributes, ','), c.data, l.lane
  FROM change c CROSS JOIN LATERAL (SELECT md5(c.entity || '/' || c.id) AS lane) l
  JOIN sys.webhook w ON w.active AND (w.entity_name = c.entity OR EXISTS (
    SELECT FROM unnest($2::text[], $3::text[]) AS family (entity, ancestor)
    WHERE family.entity = c.entity AND family.ancestor = w.entity_name))
  WHERE c.change = 'published' OR (c.change = ANY (regexp_split_to_array(w.changes, ', ?'))
    AND (w.became IS NULL OR c.became @> w.became))
  ORDER BY c.published_position
  ON CONFLICT (webhook_id, event_id) DO NOTHING
)
SELECT count(*)::int AS events, EXISTS (SELECT FROM sys.webhook WHERE active) AS needed FROM batch`;

/** Maximum of rows that one statement changes. */
const BATCH = 10_000;

/**
 * A batch of the deliveries that one webhook requested, in the order of the changes; `replay_from` is set to the start
 * of the next batch. Changes of one millisecond are always in one batch (`WITH TIES`).
 */
const REPLAY = `WITH requested AS (
  SELECT id, replay_from FROM sys.webhook WHERE active AND replay_from IS NOT NULL
  ORDER BY replay_from LIMIT 1 FOR UPDATE SKIP LOCKED
), part AS (
  SELECT p.id, p.changed_at FROM requested CROSS JOIN LATERAL (
    SELECT l.id, l.changed_at FROM sys.webhook_delivery l
    WHERE l.webhook_id = requested.id AND l.changed_at >= requested.replay_from
    ORDER BY l.changed_at FETCH FIRST ${BATCH} ROWS WITH TIES
  ) p
), advanced AS (
  UPDATE sys.webhook w SET replay_from = (
    SELECT CASE WHEN count(*) >= ${BATCH} THEN max(changed_at) + interval '1 millisecond' END FROM part)
  FROM requested WHERE w.id = requested.id
)
UPDATE sys.webhook_delivery d SET ${WAITS_ANEW}
FROM part WHERE d.id = part.id AND d.state <> 'pending'`;

const ADVANCE = `UPDATE sys.webhook_delivery d SET next_attempt = ${NOW}
FROM sys.webhook_delivery named
WHERE named.id = $1 AND d.webhook_id = named.webhook_id AND d.state = 'pending' AND d.lane = named.lane
  AND d.next_attempt > ${NOW}`;

/** Free permits of a webhook; their number is limited, so that a slow receiver does not occupy all attempts. */
const FREE = `greatest(0, $2::int - (
  SELECT count(*) FROM sys.webhook_delivery h
  WHERE h.webhook_id = w.id AND h.state = 'pending' AND h.lease_until >= ${NOW}))`;

/** Webhooks are visited in random order, so that none is always skipped if more is due than is claimed. */
const CLAIM = `WITH due AS (
  SELECT d.id, w.url, w.owner, w.filter, w.became, w.secret,
    CASE WHEN w.previous_secret_until > ${NOW} THEN w.previous_secret END AS previous_secret
  FROM (SELECT * FROM sys.webhook WHERE active ORDER BY random()) w CROSS JOIN LATERAL (
    SELECT p.id FROM sys.webhook_delivery p
    WHERE p.webhook_id = w.id AND p.state = 'pending' AND p.next_attempt <= ${NOW}
      AND (p.lease_until IS NULL OR p.lease_until < ${NOW})
      AND NOT EXISTS (
        SELECT FROM sys.webhook_delivery e
        WHERE e.webhook_id = p.webhook_id AND e.state = 'pending' AND e.lane = p.lane AND e.id < p.id)
    ORDER BY p.next_attempt, p.id LIMIT ${FREE} FOR UPDATE SKIP LOCKED
  ) d
  LIMIT $1
)
UPDATE sys.webhook_delivery t SET lease_id = $3, lease_until = ${NOW} + ${inMs('$4')}, attempts = attempts + 1,
  last_attempt = ${NOW}
FROM due WHERE t.id = due.id
RETURNING t.id, t.event_id, t.entity_name, t.entity_id, t.change, t.changed_attributes, t.event_data::text,
  ${isoOf('t.changed_at')} AS changed_at, t.attempts,
  (extract(epoch FROM ${NOW} - t.queued_at) * 1000)::float8 AS waited, due.url, due.owner, due.filter,
  ARRAY(SELECT jsonb_object_keys(due.became)) AS became, due.secret,
  due.previous_secret`;

/** Makes the next delivery with the same partition key due. A concurrent insert can miss this and then waits longer. */
const FINISH = `WITH ended AS (
  UPDATE sys.webhook_delivery SET state = $3, last_status = $4, last_error = $5, duration = $6,
    next_attempt = NULL, finished_at = ${NOW}, ${NO_LEASE}
  WHERE ${HELD}
  RETURNING id, webhook_id, lane
), following AS (
  SELECT n.id FROM ended CROSS JOIN LATERAL (
    SELECT min(p.id) AS id FROM sys.webhook_delivery p
    WHERE p.webhook_id = ended.webhook_id AND p.state = 'pending' AND p.lane = ended.lane AND p.id <> ended.id
  ) n
)
UPDATE sys.webhook_delivery d SET next_attempt = ${NOW}
FROM following WHERE d.id = following.id AND d.next_attempt > ${NOW}`;
/** The later deliveries with the same partition key wait for the same time. */
const RETRY = `WITH head AS (
  UPDATE sys.webhook_delivery SET last_status = $3, last_error = $4, duration = $5,
    next_attempt = ${NOW} + ${inMs('$6')}, ${NO_LEASE}
  WHERE ${HELD}
  RETURNING id, webhook_id, lane, next_attempt
)
UPDATE sys.webhook_delivery d SET next_attempt = head.next_attempt
FROM head WHERE d.webhook_id = head.webhook_id AND d.state = 'pending' AND d.lane = head.lane AND d.id <> head.id`;
const RELEASE = `UPDATE sys.webhook_delivery SET attempts = attempts - 1, ${NO_LEASE} WHERE ${HELD}`;
/** `finished_at` is empty exactly while a delivery is pending, and an index begins with it. */
const WAITING = `d.finished_at IS NULL AND d.state = 'pending'`;
const OLDEST = `SELECT coalesce(extract(epoch FROM ${NOW} - min(d.queued_at)), 0)::float8 AS age
FROM sys.webhook_delivery d JOIN sys.webhook w ON w.id = d.webhook_id WHERE w.active AND ${WAITING}`;
const PRUNE = `WITH gone AS (
  DELETE FROM sys.webhook_delivery WHERE id IN (
    (SELECT id FROM sys.webhook_delivery WHERE finished_at < ${NOW} - ${inMs('$1')} LIMIT ${BATCH})
    UNION ALL
    (SELECT d.id FROM sys.webhook_delivery d
    WHERE ${WAITING} AND NOT EXISTS (SELECT FROM sys.webhook w WHERE w.id = d.webhook_id) LIMIT ${BATCH}))
  RETURNING id
)
SELECT count(*)::int AS count FROM gone`;

interface ClaimedRow {
  readonly id: string;
  readonly event_id: string;
  readonly entity_name: string;
  readonly entity_id: string;
  readonly change: DeliveredChange['kind'];
  readonly changed_attributes: string;
  readonly event_data: string | null;
  readonly changed_at: string;
  readonly attempts: number;
  readonly waited: number;
  readonly url: string;
  readonly owner: string;
  readonly filter: string | null;
  readonly became: readonly string[];
  readonly secret: string;
  readonly previous_secret: string | null;
}

/** Length of the column. */
const MAX_ERROR_CHARACTERS = 1000;

/** The state after a call of `enqueue`. */
export interface Enqueued {
  /** Whether there may be further events. */
  readonly hasMore: boolean;
  /** Whether a webhook is active. */
  readonly isNeeded: boolean;
}

/** The events that webhooks may subscribe to. */
export interface WebhookSubjects {
  readonly model: Model;
  /** Types of the events of the application. */
  readonly ownEvents: readonly string[];
}

/** The store over the table `sys.webhook_delivery`. */
export function createDeliveryStore(
  database: Pick<Database, 'query'>,
  { model, ownEvents }: WebhookSubjects,
): DeliveryStore {
  const families = [...model.entities.values()].flatMap((entity) =>
    lineageOf(model, entity).flatMap(({ name }) => (name === entity.name ? [] : [[entity.name, name] as const])),
  );
  const subjects = [ownEvents, families.map(([name]) => name), families.map(([, ancestor]) => ancestor)];
  const query = <R extends object>(name: string, text: string, values: Statement['values']) =>
    database.query<R>({ name: `lintel_webhook_${name}`, text, values });
  return {
    setReading: (isReading) => setReading(database, READER, isReading),
    async enqueue() {
      const [row] = await query<{ events: number; needed: boolean }>('enqueue', ENQUEUE, subjects);
      return { hasMore: row?.events === EVENTS_AT_A_TIME, isNeeded: row?.needed === true };
    },
    async replay() {
      await query('replay', REPLAY, []);
    },
    async advance(deliveryId) {
      await query('advance', ADVANCE, [deliveryId]);
    },
    async claim(limit, perWebhook, leaseMs) {
      const leaseId = randomUUID();
      const rows = await query<ClaimedRow>('claim', CLAIM, [limit, perWebhook, leaseId, leaseMs]);
      return rows.map((row) => toClaimed(row, leaseId));
    },
    async finish({ id, leaseId }, state, attempt) {
      await query('finish', FINISH, [id, leaseId, state, ...columnsOf(attempt)]);
    },
    async retry({ id, leaseId }, attempt, delayMs) {
      await query('retry', RETRY, [id, leaseId, ...columnsOf(attempt), delayMs]);
    },
    async release({ id, leaseId }) {
      await query('release', RELEASE, [id, leaseId]);
    },
    async oldestPendingAge() {
      const [row] = await query<{ age: number }>('oldest', OLDEST, []);
      return row?.age ?? 0;
    },
    oldestUnreadAge: () => unreadAgeOf(database, READER),
    async prune(retentionMs) {
      const [row] = await query<{ count: number }>('prune', PRUNE, [retentionMs]);
      return (row?.count ?? 0) >= BATCH;
    },
  };
}

const columnsOf = ({ status, error, durationMs }: Attempt) => [
  status ?? null,
  error?.slice(0, MAX_ERROR_CHARACTERS) ?? null,
  Math.round(durationMs),
];

const toClaimed = (row: ClaimedRow, leaseId: string): ClaimedDelivery => ({
  id: row.id,
  leaseId,
  eventId: row.event_id,
  changedAt: row.changed_at,
  change: {
    entity: row.entity_name,
    id: row.entity_id,
    kind: row.change,
    attributes: row.changed_attributes.split(',').filter((name) => name !== ''),
  },
  data: row.event_data ?? undefined,
  attempt: row.attempts,
  waitedMs: row.waited,
  webhook: {
    url: row.url,
    owner: row.owner,
    filter: row.filter ?? undefined,
    became: row.became,
    secrets: [row.secret, ...(row.previous_secret === null ? [] : [row.previous_secret])],
  },
});
