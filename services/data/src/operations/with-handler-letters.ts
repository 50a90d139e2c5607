import type { Envelope } from '@lintel/contracts';
import type { EventAdministration, KeyedDeadLetter } from '@lintel/events';
import type { Database } from '@lintel/persistence';

type Letters = Omit<EventAdministration, 'queues'>;

interface LetterRow {
  readonly handler: string;
  readonly position: string;
  readonly envelope: string;
  readonly failed_at: string;
  readonly error: string | null;
}

/** `handler.<name>.<position>`; the keys of other letters have no points. */
const KEY = /^handler\.([a-z][a-z0-9-]{0,62})\.(\d{1,18})$/;
const MAX_CONTENT_LENGTH = 64 * 1024;

const COLUMNS = `handler, position::text, envelope::text, (failed_at AT TIME ZONE 'UTC')::text || 'Z' AS failed_at, error
FROM events.handler_retry WHERE next_attempt IS NULL`;
const LIST = `SELECT ${COLUMNS} ORDER BY handler_retry.failed_at, handler, handler_retry.position LIMIT $1`;
const COUNT = 'SELECT count(*)::int AS total FROM events.handler_retry WHERE next_attempt IS NULL';
const ONE = `SELECT ${COLUMNS} AND handler = $1 AND position = $2::bigint`;
const OF_KEY = 'WHERE handler = $1 AND position = $2::bigint AND next_attempt IS NULL RETURNING position';
const RETRY = `UPDATE events.handler_retry SET attempts = 0, next_attempt = now() ${OF_KEY}`;
const DISCARD = `DELETE FROM events.handler_retry ${OF_KEY}`;

/** The administration of the bus, with the dead letters of the application's handlers as letters of `handler.<name>`. */
export function withHandlerLetters(bus: Letters, database: Pick<Database, 'query'>): Letters {
  const changed = async (text: string, [, handler, position]: RegExpExecArray): Promise<boolean> =>
    (await database.query({ text, values: [handler, position] })).length > 0;
  return {
    async deadLetters(limit) {
      const [others, rows, counts] = await Promise.all([
        bus.deadLetters(limit),
        database.query<LetterRow>({ text: LIST, values: [limit] }),
        database.query<{ total: number }>({ text: COUNT, values: [] }),
      ]);
      return { letters: [...others.letters, ...rows.map(letterOf)], total: others.total + (counts[0]?.total ?? 0) };
    },
    async deadLetter(key) {
      const [, handler, position] = KEY.exec(key) ?? [];
      if (handler === undefined) return bus.deadLetter(key);
      const [row] = await database.query<LetterRow>({ text: ONE, values: [handler, position] });
      if (row === undefined) return undefined;
      const content = row.envelope.slice(0, MAX_CONTENT_LENGTH);
      return { ...letterOf(row), content, isTruncated: content.length < row.envelope.length };
    },
    async retry(key) {
      const named = KEY.exec(key);
      if (named === null) return bus.retry(key);
      return (await changed(RETRY, named)) ? 'retried' : 'unknown';
    },
    async discard(key) {
      const named = KEY.exec(key);
      return named === null ? bus.discard(key) : changed(DISCARD, named);
    },
  };
}

function letterOf({ handler, position, envelope, failed_at, error }: LetterRow): KeyedDeadLetter {
  const { id, type, subject } = JSON.parse(envelope) as Envelope;
  return {
    key: `handler.${handler}.${position}`,
    service: 'data',
    id,
    type,
    subject,
    queue: `handler.${handler}`,
    reason: error ?? undefined,
    time: new Date(failed_at),
  };
}
