import type { OutboxEvent, Statement } from '../../database.ts';

/** Up to this number of events, each value is a parameter of its own: arrays of JSON texts cost more than the rows. */
const MAX_FEW = 8;

/** By number of events. */
const APPEND_FEW: readonly { readonly name: string; readonly text: string }[] = Array.from(
  { length: MAX_FEW + 1 },
  (_, count) => ({
    name: `lintel_outbox_append_${count}`,
    text: `INSERT INTO events.outbox (id, type, subject, envelope, became) VALUES ${Array.from(
      { length: count },
      (_, at) => `(${Array.from({ length: 5 }, (_each, member) => `$${5 * at + member + 1}`).join(', ')})`,
    ).join(', ')}`,
  }),
);

/** `ORDER BY` is what makes the identity column number the rows in the order given. */
const APPEND_MANY = `INSERT INTO events.outbox (id, type, subject, envelope, became)
SELECT id, type, subject, envelope, became
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::json[], $5::json[]) WITH ORDINALITY
  AS event (id, type, subject, envelope, became, place)
ORDER BY place`;

/** The statement that appends events, at least one, in their order. */
export function appendStatement(events: readonly OutboxEvent[]): Statement {
  const few = APPEND_FEW[events.length];
  if (few !== undefined) {
    const values: unknown[] = [];
    for (const { id, type, subject, envelope, became } of events)
      values.push(id, type, subject ?? null, JSON.stringify(envelope), became ? JSON.stringify(became) : null);
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
      events.map(({ became }) => (became ? JSON.stringify(became) : null)),
    ],
  };
}
