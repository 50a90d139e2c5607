import type { Database } from '../database.ts';

/** The position of a part of the platform among the handlers of the application, whose names have no slash. */
export type ReaderName = `lintel/${string}`;

const DECLARE = `INSERT INTO events.handler (name, position)
SELECT $1, coalesce(max(published_position), 0) FROM events.outbox WHERE published_position IS NOT NULL
ON CONFLICT DO NOTHING`;

const RETIRE = 'DELETE FROM events.handler WHERE name = $1';

/** Lets a reader begin after the latest event, if it did not before; or lets the outbox forget it. */
export async function setReading(database: Pick<Database, 'query'>, name: ReaderName, reads: boolean): Promise<void> {
  await database.query({ text: reads ? DECLARE : RETIRE, values: [name] });
}

const UNREAD = `SELECT coalesce(extract(epoch FROM now() - (SELECT o.created_at FROM events.outbox o
  WHERE o.published_position > h.position ORDER BY o.published_position LIMIT 1)), 0)::float8 AS age
FROM events.handler h WHERE h.name = $1`;

/** Age of the oldest published event that a reader has not passed, in seconds; 0 if there is none. */
export async function unreadAgeOf(database: Pick<Database, 'query'>, name: ReaderName): Promise<number> {
  const values = [name];
  const [row] = await database.query<{ age: number }>({ name: 'lintel_unread_age', text: UNREAD, values });
  return row?.age ?? 0;
}
