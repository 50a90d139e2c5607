import type { OutboxEvent, Statement } from '../database.ts';

const APPEND_ONE = 'INSERT INTO events.outbox (id, type, subject, envelope) VALUES ($1, $2, $3, $4)';

/** `ORDER BY` is what makes the identity column number the rows in the order given. */
const APPEND_MANY = `INSERT INTO events.outbox (id, type, subject, envelope)
SELECT id, type, subject, envelope
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::json[]) WITH ORDINALITY AS event (id, type, subject, envelope, place)
ORDER BY place`;

/** The statement that appends events, in their order. */
export function appendStatement(events: readonly OutboxEvent[]): Statement {
  const [first] = events;
  if (first !== undefined && events.length === 1) {
    return {
      name: 'lintel_outbox_append_one',
      text: APPEND_ONE,
      values: [first.id, first.type, first.subject ?? null, JSON.stringify(first.envelope)],
    };
  }
  return {
    name: 'lintel_outbox_append_many',
    text: APPEND_MANY,
    values: [
      events.map((event) => event.id),
      events.map((event) => event.type),
      events.map((event) => event.subject ?? null),
      events.map((event) => JSON.stringify(event.envelope)),
    ],
  };
}
