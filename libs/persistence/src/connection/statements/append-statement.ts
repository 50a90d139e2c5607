import type { OutboxEvent, Statement } from '../../database.ts';

/** Up to this number of events, each value is a parameter of its own: arrays of JSON texts cost more than the rows. */
const MAX_FEW = 8;

/** By number of events. */
const APPEND_FEW: readonly { readonly name: string; readonly text: string }[] = Array.from(
  { length: MAX_FEW + 1 },
  (_, count) => ({
    name: `lintel_outbox_append_${count}`,
    text: `INSERT INTO events.outbox (id, type, subject, envelope) VALUES ${Array.from(
      { length: count },
      (_, at) => `($${4 * at + 1}, $${4 * at + 2}, $${4 * at + 3}, $${4 * at + 4})`,
    ).join(', ')}`,
  }),
);

/** `ORDER BY` is what makes the identity column number the rows in the order given. */
const APPEND_MANY = `INSERT INTO events.outbox (id, type, subject, envelope)
SELECT id, type, subject, envelope
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::json[]) WITH ORDINALITY AS event (id, type, subject, envelope, place)
ORDER BY place`;

/** The statement that appends events, at least one, in their order. */
export function appendStatement(events: readonly OutboxEvent[]): Statement {
  const few = APPEND_FEW[events.length];
  if (few !== undefined) {
    const values: unknown[] = [];
    for (const { id, type, subject, envelope } of events)
      values.push(id, type, subject ?? null, JSON.stringify(envelope));
    return { ...few, values };
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
