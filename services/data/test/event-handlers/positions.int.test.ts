import { createHandlerStore } from '@lintel/persistence';
import { cloneTestDatabase } from '@lintel/testkit';
import { createDeliveryStore } from '../../src/webhooks/deliveries/create-delivery-store.ts';
import { schemaOf } from '../schema-of.ts';
import { eventsApplication } from './events-application.ts';

const database = await cloneTestDatabase(schemaOf(eventsApplication.model), 'positions');
afterAll(() => database.drop());

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
