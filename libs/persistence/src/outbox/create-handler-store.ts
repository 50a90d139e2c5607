import type { Envelope } from '@lintel/contracts';
import type { Database, StatementRunner, Transaction } from '../database.ts';

/** The events of a handler. */
export interface HandlerSelection {
  readonly name: string;
  readonly types: readonly string[];
  /** The parts of subjects before their first slash; null for all. */
  readonly owners: readonly string[] | null;
  /** Kinds of changes; null for all, and for events of another type. */
  readonly changes: readonly string[] | null;
  /** Values that the change must have set; null without a condition. */
  readonly became: Readonly<Record<string, unknown>> | null;
}

/** The next event of a handler. */
export interface HandlerDelivery {
  /** Number among the published events. */
  readonly position: string;
  /** Position of the handler then. */
  readonly after: string;
  readonly envelope: Envelope;
  /** Attempts that have failed. */
  readonly attempts: number;
  /** Whether the handler has passed it already, and it waits for another attempt. */
  readonly isKept: boolean;
  /** Whether an earlier event of its subject waits for its next attempt, which it must not overtake. */
  readonly mustWait: boolean;
}

/** The events that wait for a handler. */
export interface HandlerState {
  readonly isPaused: boolean;
  /** Events that it has not passed, or that wait for another attempt. */
  readonly waiting: number;
  readonly deadLetters: number;
}

/** How far the handlers of the application are. One process at a time has the lock of a handler. */
export interface HandlerStore {
  /** Adds new handlers, which begin after the latest event, and removes all others. */
  declare(names: readonly string[]): Promise<void>;
  /** The next event without a lock; undefined without one, or if the handler is paused. */
  peek(selection: HandlerSelection): Promise<HandlerDelivery | undefined>;
  /**
   * Locks the handler for the transaction, and returns its next event. Undefined also if another process has the lock.
   */
  take(transaction: Transaction, selection: HandlerSelection): Promise<HandlerDelivery | undefined>;
  /** Records in the transaction that an event is handled. */
  pass(transaction: Transaction, name: string, delivery: HandlerDelivery): void;
  /** Keeps an event for a later attempt, after the earlier one of its subject, and goes on. */
  postpone(transaction: Transaction, name: string, delivery: HandlerDelivery): void;
  /**
   * Keeps an event that failed, and goes on.
   *
   * @param delayMs until the next attempt; undefined for a dead letter
   */
  fail(
    name: string,
    delivery: HandlerDelivery,
    failure: { readonly error: string; readonly delayMs: number | undefined },
  ): Promise<void>;
  /** Returns what waits for a handler; undefined if the database does not know it yet. */
  state(selection: HandlerSelection): Promise<HandlerState | undefined>;
  /** Pauses a handler, or lets it go on. */
  setPaused(name: string, isPaused: boolean): Promise<void>;
  /** Moves a handler back to the first kept event since a time; dead letters since then are events again. */
  replay(name: string, since: Date): Promise<void>;
  /** Moves a handler without waiting events to the latest one, so that the outbox can be pruned. */
  advance(selection: HandlerSelection): Promise<void>;
}

/** Keeps names with a slash: they are readers of the platform. */
const DECLARE = `WITH gone AS (DELETE FROM events.handler WHERE name <> ALL ($1::text[]) AND name NOT LIKE '%/%')
INSERT INTO events.handler (name, position)
SELECT name, coalesce((SELECT max(published_position) FROM events.outbox WHERE published_position IS NOT NULL), 0)
FROM unnest($1::text[]) AS name ON CONFLICT DO NOTHING`;

/**
 * Events `o` of a selection, which `$1` to `$5` are, after the position of its handler, if that meets the
 * condition. The position is a value and not a join: the index then begins at it, however many events are kept. The
 * envelope is the last that is looked at: it is parsed for each event that has passed the other conditions.
 */
const selected = (condition = '') => `o.published_position > (
    SELECT position FROM events.handler WHERE name = $1${condition}) AND o.type = ANY ($2::text[])
  AND ($3::text[] IS NULL OR split_part(o.subject, '/', 1) = ANY ($3::text[]))
  AND ($5::jsonb IS NULL OR o.became::jsonb @> $5::jsonb)
  AND ($4::text[] IS NULL OR o.envelope -> 'data' ->> 'change' = ANY ($4::text[]))`;

const waitsIn = (subject: string, before = '') =>
  `EXISTS (SELECT FROM events.handler_retry w WHERE w.handler = $1 AND w.subject = ${subject}
  AND w.next_attempt IS NOT NULL${before})`;

/** First what is due again, then the next event. */
const NEXT = `SELECT * FROM (
  (SELECT r.position::text, h.position::text AS after, r.envelope::text, r.attempts, true AS is_kept,
      false AS must_wait FROM events.handler h JOIN events.handler_retry r ON r.handler = h.name
    WHERE h.name = $1 AND h.paused_at IS NULL AND r.next_attempt <= now()
      AND NOT ${waitsIn('r.subject', ' AND w.position < r.position')}
    ORDER BY r.position LIMIT 1)
  UNION ALL
  (SELECT o.published_position::text, (SELECT position FROM events.handler WHERE name = $1)::text, o.envelope::text, 0,
      false, ${waitsIn('o.subject')} FROM events.outbox o
    WHERE ${selected(' AND paused_at IS NULL')}
    ORDER BY o.published_position LIMIT 1)) AS next ORDER BY is_kept DESC LIMIT 1`;

const LOCK = 'SELECT 1 AS locked FROM events.handler WHERE name = $1 FOR UPDATE SKIP LOCKED';

const PASS_NEW = 'UPDATE events.handler SET position = $2::bigint WHERE name = $1 AND position < $2::bigint';

const PASS_AGAIN = 'DELETE FROM events.handler_retry WHERE handler = $1 AND position = $2::bigint';

/** Nothing if another process was faster, or the handler was moved back since it was given the event. */
const KEEP = `WITH passed AS (${PASS_NEW} AND position = $8::bigint RETURNING name)
INSERT INTO events.handler_retry (handler, position, subject, envelope, attempts, next_attempt, failed_at, error)
SELECT name, $2::bigint, $3, $4::json, $5, now() + $6::float8 * interval '1 millisecond',
  CASE WHEN $5 > 0 THEN now() END, $7 FROM passed`;

const KEEP_AGAIN = `UPDATE events.handler_retry SET attempts = $3, failed_at = now(), error = $5,
  next_attempt = now() + $4::float8 * interval '1 millisecond'
WHERE handler = $1 AND position = $2::bigint AND attempts = $3 - 1`;

/** Nothing if the handler was moved since the statement began: events after a replay are not passed. */
const ADVANCE = `UPDATE events.handler h SET position = latest.position
FROM (SELECT max(published_position) AS position FROM events.outbox WHERE published_position IS NOT NULL) latest
WHERE h.name = $1 AND h.paused_at IS NULL AND h.position < latest.position
  AND h.position = (SELECT position FROM events.handler WHERE name = $1)
  AND NOT EXISTS (SELECT FROM events.outbox o WHERE ${selected()})`;

/** Counts at most 10,000 of the events that the handler has not passed. */
const STATE = `SELECT h.paused_at IS NOT NULL AS paused,
  (SELECT count(*)::int FROM (SELECT FROM events.outbox o WHERE ${selected()} LIMIT 10000) AS later)
    + (SELECT count(*)::int FROM events.handler_retry r WHERE r.handler = h.name AND r.next_attempt IS NOT NULL) AS waiting,
  (SELECT count(*)::int FROM events.handler_retry r WHERE r.handler = h.name AND r.next_attempt IS NULL) AS dead_letters
FROM events.handler h WHERE h.name = $1`;

const SET_PAUSED = `UPDATE events.handler SET paused_at = CASE WHEN $2 THEN coalesce(paused_at, now()) END WHERE name = $1`;

const REPLAY = `WITH moved AS (
  UPDATE events.handler SET position = least(position, coalesce((
    SELECT min(published_position) - 1 FROM events.outbox WHERE published_position IS NOT NULL AND created_at >= $2),
    position)) WHERE name = $1 RETURNING name, position)
DELETE FROM events.handler_retry r USING moved WHERE r.handler = moved.name AND r.position > moved.position`;

interface NextRow {
  readonly position: string;
  readonly after: string;
  readonly envelope: string;
  readonly attempts: number;
  readonly is_kept: boolean;
  readonly must_wait: boolean;
}

/** Creates the store. */
export function createHandlerStore(database: Pick<Database, 'query'>): HandlerStore {
  const values = ({ name, types, owners, changes, became }: HandlerSelection) => [
    ...[name, types, owners, changes],
    became && JSON.stringify(became),
  ];
  const next = async (runner: StatementRunner, selection: HandlerSelection): Promise<HandlerDelivery | undefined> => {
    const [row] = await runner.query<NextRow>({ name: 'lintel_handler_next', text: NEXT, values: values(selection) });
    if (row === undefined) return undefined;
    const { position, after, attempts, is_kept: isKept, must_wait: mustWait } = row;
    return { position, after, attempts, isKept, mustWait, envelope: JSON.parse(row.envelope) as Envelope };
  };
  const keeping = (
    name: string,
    { position, after, envelope }: HandlerDelivery,
    [attempts, delayMs, error]: readonly [number, number | null, string | null],
  ) => ({
    name: 'lintel_handler_keep',
    text: KEEP,
    values: [name, position, envelope.subject ?? '', JSON.stringify(envelope), attempts, delayMs, error, after],
  });
  return {
    async declare(names) {
      await database.query({ text: DECLARE, values: [names] });
    },
    peek: (selection) => next(database, selection),
    async take(transaction, selection) {
      const locked = await transaction.query({ name: 'lintel_handler_lock', text: LOCK, values: [selection.name] });
      // After the lock: the snapshot of this statement has what the last one with the lock has committed.
      return locked.length === 0 ? undefined : next(transaction, selection);
    },
    pass: (transaction, name, { position, isKept }) =>
      transaction.send({
        name: isKept ? 'lintel_handler_pass_again' : 'lintel_handler_pass',
        text: isKept ? PASS_AGAIN : PASS_NEW,
        values: [name, position],
      }),
    postpone: (transaction, name, delivery) => transaction.send(keeping(name, delivery, [0, 0, null])),
    async fail(name, delivery, { error, delayMs = null }) {
      const attempts = delivery.attempts + 1;
      await database.query(
        delivery.isKept
          ? { text: KEEP_AGAIN, values: [name, delivery.position, attempts, delayMs, error] }
          : keeping(name, delivery, [attempts, delayMs, error]),
      );
    },
    async state(selection) {
      type Row = { readonly paused: boolean; readonly waiting: number; readonly dead_letters: number };
      const [row] = await database.query<Row>({ text: STATE, values: values(selection) });
      return row && { isPaused: row.paused, waiting: row.waiting, deadLetters: row.dead_letters };
    },
    async setPaused(name, isPaused) {
      await database.query({ text: SET_PAUSED, values: [name, isPaused] });
    },
    async replay(name, since) {
      await database.query({ text: REPLAY, values: [name, since] });
    },
    async advance(selection) {
      await database.query({ name: 'lintel_handler_advance', text: ADVANCE, values: values(selection) });
    },
  };
}
