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
