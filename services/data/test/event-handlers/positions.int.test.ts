import { createDatabase, createHandlerStore } from '@lintel/persistence';
import { cloneTestDatabase, eventually } from '@lintel/testkit';
import { createDeliveryStore } from '../../src/webhooks/deliveries/create-delivery-store.ts';
import { schemaOf } from '../schema-of.ts';
import { eventsApplication } from './events-application.ts';

const database = await cloneTestDatabase(schemaOf(eventsApplication.model), 'positions');
const pool = createDatabase({
  ...{ url: database.url, maxConnections: 2, statementTimeoutMs: 30_000, applicationName: 'positions' },
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});

/** The texts of the statements that a store sends. */
async function textsOf(send: (port: { query(statement: { readonly text: string }): Promise<[]> }) => Promise<unknown>) {
  const texts: string[] = [];
  await send({
    async query({ text }) {
      texts.push(text);
      return [];
    },
  });
  return texts;
}

const selection = { name: 'copy', types: ['e.noted.v1'], owners: null, changes: null, became: null };

test.each([
  ['the next event of a handler', () => textsOf((port) => createHandlerStore(port).peek(selection))],
  ['the events that wait for a handler', () => textsOf((port) => createHandlerStore(port).state(selection))],
  ['the end of a handler without events', () => textsOf((port) => createHandlerStore(port).advance(selection))],
  [
    'the events of webhooks',
    () => textsOf((port) => createDeliveryStore(port, { model: eventsApplication.model, ownEvents: [] }).enqueue()),
  ],
])('%s: the outbox is read from the position on, whatever it keeps', async (_what, send) => {
  await database.query(`INSERT INTO events.outbox (id, type, subject, envelope, published_at, published_position)
    SELECT gen_random_uuid(), 'e.noted.v1', 's', '{}', now(), nextval('events.published_position')
    FROM generate_series(1, 2000)`);
  await database.query('ANALYZE events.outbox');
  const [text] = await send();
  const rows = await database.query<Record<string, string>>(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Cond: \(published_position > \(InitPlan/);
});

const store = createHandlerStore(pool);
const own = { ...selection, types: ['e.own.v1'] };
const append = (type: string) =>
  database.query(`INSERT INTO events.outbox (id, type, subject, envelope, published_at, published_position)
    VALUES (gen_random_uuid(), '${type}', 's', '{"id": "1"}', now(), nextval('events.published_position'))`);

/** The next event of the handler. */
async function nextOwn() {
  const next = await store.peek(own);
  if (next === undefined) throw new Error('The handler has no event');
  return next;
}

/** Appends an event that the handler has passed. */
async function passedEvent() {
  await store.declare([own.name]);
  await append('e.own.v1');
  const event = await nextOwn();
  await pool.transaction(async (transaction) => store.pass(transaction, own.name, event));
  return event;
}

// Asserts contract/operations.md#event-handlers.
test('a replay that is committed while its handler moves past events of others is not lost', async () => {
  const { position } = await passedEvent();
  await append('e.noted.v1');
  let moving: Promise<void> | undefined;
  await pool.transaction(async (transaction) => {
    await createHandlerStore(transaction).replay(own.name, new Date(0));
    moving = store.advance(own);
    await eventually(async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(await database.query(waiting)).toHaveLength(1);
    });
  });
  await moving;
  expect((await nextOwn()).position).toBe(position);
});

// Asserts contract/operations.md#event-handlers.
test('a replay before the failure of an event is recorded is not lost', async () => {
  await database.query('TRUNCATE events.outbox, events.handler CASCADE');
  const { position } = await passedEvent();
  await append('e.own.v1');
  const failing = await nextOwn();
  await store.replay(own.name, new Date(0));
  await store.fail(own.name, failing, { error: 'No stock', delayMs: undefined });
  expect(await nextOwn()).toMatchObject({ position, isKept: false });
  expect(await store.state(own)).toEqual({ isPaused: false, waiting: 2, deadLetters: 0 });
});
