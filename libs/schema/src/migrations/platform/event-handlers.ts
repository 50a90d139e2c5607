/** What the handlers of the application have passed, what they have yet to repeat, and dead letters (ADR 125). */
export const EVENT_HANDLERS: readonly string[] = [
  // New values of the changed enumerations and booleans; conditions of handlers read them, receivers never get them.
  'ALTER TABLE events.outbox ADD COLUMN became json',
  `CREATE TABLE events.handler (
  name text NOT NULL,
  position bigint NOT NULL,
  paused_at timestamptz(3),
  CONSTRAINT pk_handler PRIMARY KEY (name)
)`,
  // A row without a next attempt is a dead letter.
  `CREATE TABLE events.handler_retry (
  handler text NOT NULL,
  position bigint NOT NULL,
  subject text NOT NULL,
  envelope json NOT NULL,
  attempts integer NOT NULL,
  next_attempt timestamptz(3),
  failed_at timestamptz(3),
  error text,
  CONSTRAINT pk_handler_retry PRIMARY KEY (handler, position),
  CONSTRAINT fk_handler_retry__handler FOREIGN KEY (handler) REFERENCES events.handler (name) ON DELETE CASCADE
)`,
  `CREATE INDEX ix_handler_retry__next_attempt ON events.handler_retry (handler, next_attempt)
WHERE next_attempt IS NOT NULL`,
];
