import { createDatabase, type Database, runMigrations } from '@lintel/persistence';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { createDeliveryStore, type DeliveryStore } from '../../src/webhooks/deliveries/create-delivery-store.ts';
import type { ClaimedDelivery } from '../../src/webhooks/deliveries/delivery.ts';

const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;

let place: TestDatabase;
let database: Database;
let store: DeliveryStore;
beforeAll(async () => {
  place = await createTestDatabase('deliveries');
  await runMigrations({ url: place.url, migrations: [] });
  database = createDatabase({
    url: place.url,
    maxConnections: 2,
    statementTimeoutMs: 30_000,
    applicationName: 'deliveries',
  });
  store = createDeliveryStore(database);
}, 120_000);
afterAll(async () => {
  await database?.close();
  await place?.drop();
});
beforeEach(() => sql('TRUNCATE sys.webhook, sys.webhook_delivery'));

const sql = (text: string) => database.query<Record<string, unknown>>({ text, values: [] });

async function addWebhook(active = true): Promise<string> {
  const [row] = await sql(`INSERT INTO sys.webhook (id, version, name, url, entity_name, changes, active, owner, secret)
    VALUES (gen_random_uuid(), 1, 'n', 'https://example.com/', 't_Deal', 'created', ${active}, 'root', 's') RETURNING id`);
  return String(row?.['id']);
}

/** The event of a change of an instance, which is known by its id. */
const change = (webhook: string, eventId: string, id: string) =>
  store.add({
    webhookIds: [webhook],
    eventId,
    changedAt: '2026-11-20T08:00:00.000Z',
    change: { entity: 't_Deal', id, kind: 'updated', attributes: [] },
  });

/** Everything that is due, by its event. */
async function claimed(): Promise<ReadonlyMap<string, ClaimedDelivery>> {
  const deliveries = await store.claim(100, 100, LEASE_MS);
  return new Map(deliveries.map((delivery) => [delivery.eventId, delivery]));
}

const held = (deliveries: ReadonlyMap<string, ClaimedDelivery>, eventId: string): ClaimedDelivery => {
  const delivery = deliveries.get(eventId);
  if (delivery === undefined) throw new Error(`${eventId} is not due`);
  return delivery;
};

const REFUSED = { status: 500, durationMs: 1 };
const TAKEN = { status: 204, durationMs: 1 };

/** Numbers of different waits, in the order of the events. */
async function waits(): Promise<readonly unknown[]> {
  const rows = await sql('SELECT event_id, next_attempt FROM sys.webhook_delivery ORDER BY event_id');
  const moments = [...new Set(rows.map((row) => row['next_attempt']))];
  return rows.map((row) => moments.indexOf(row['next_attempt']));
}

test('what is behind a failing delivery of its instance waits with it, and follows it at once', async () => {
  const webhook = await addWebhook();
  await change(webhook, '1', 'a');
  await change(webhook, '2', 'a');
  const first = await claimed();
  expect([...first.keys()]).toEqual(['1']);
  await store.retry(held(first, '1'), REFUSED, HOUR_MS);
  await change(webhook, '3', 'a');
  expect(await waits()).toEqual([0, 0, 0]);
  await change(webhook, '4', 'b');
  expect([...(await claimed()).keys()]).toEqual(['4']);

  await sql(`UPDATE sys.webhook_delivery SET next_attempt = now() AT TIME ZONE 'UTC' WHERE event_id = '1'`);
  const again = await claimed();
  expect([...again.keys()]).toEqual(['1']);
  await store.finish(held(again, '1'), 'delivered', TAKEN);
  const next = await claimed();
  expect([...next.keys()]).toEqual(['2']);
  await store.finish(held(next, '2'), 'delivered', TAKEN);
  expect([...(await claimed()).keys()]).toEqual(['3']);
});
