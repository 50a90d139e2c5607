import { createDatabase, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { createDeliveryStore, type DeliveryStore } from '../../src/webhooks/deliveries/create-delivery-store.ts';
import type { ClaimedDelivery } from '../../src/webhooks/deliveries/delivery.ts';
import { deals } from './deals-application.ts';

const LEASE_MS = 60_000;
const HOUR_MS = 3_600_000;

let testDatabase: TestDatabase;
let database: Database;
let store: DeliveryStore;
beforeAll(async () => {
  testDatabase = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'deliveries',
  );
  database = createDatabase({
    url: testDatabase.url,
    maxConnections: 2,
    statementTimeoutMs: 30_000,
    applicationName: 'deliveries',
  });
  store = createDeliveryStore(database, { model: deals.model, ownEvents: [] });
  await store.setReading(true);
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});
beforeEach(() => sql('TRUNCATE sys.webhook, sys.webhook_delivery'));

const sql = (text: string) => database.query<Record<string, unknown>>({ text, values: [] });

async function addWebhook(): Promise<string> {
  const [row] = await sql(`INSERT INTO sys.webhook (id, version, name, url, entity_name, changes, active, owner, secret)
    VALUES (gen_random_uuid(), 1, 'n', 'https://example.com/', 't_Deal', 'created', true, 'root', 's') RETURNING id`);
  return String(row?.['id']);
}

/** Publishes a change of an instance, and adds its deliveries. */
async function change(eventId: string, id: string): Promise<void> {
  const data = { entity: 't_Deal', id, change: 'created', attributes: ['title'] };
  const envelope = JSON.stringify({ id: eventId, time: '2026-11-20T08:00:00.000Z', data });
  await sql(`INSERT INTO events.outbox (id, type, subject, envelope, published_at, published_position) VALUES
    (gen_random_uuid(), 'data.entity.changed.v1', 't_Deal/${id}', '${envelope}', now(),
      nextval('events.published_position'))`);
  expect(await store.enqueue()).toEqual({ hasMore: false, isNeeded: true });
}

/** Claims all due deliveries, by event. */
async function claimed(): Promise<ReadonlyMap<string, ClaimedDelivery>> {
  const deliveries = await store.claim(100, 100, LEASE_MS);
  return new Map(deliveries.map((delivery) => [delivery.eventId, delivery]));
}

const deliveryOf = (deliveries: ReadonlyMap<string, ClaimedDelivery>, eventId: string): ClaimedDelivery => {
  const delivery = deliveries.get(eventId);
  if (delivery === undefined) throw new Error(`${eventId} is not due`);
  return delivery;
};

const REFUSED = { status: 500, durationMs: 1 };
const TAKEN = { status: 204, durationMs: 1 };

/** For each event the index of its time of the next attempt among the different times. */
async function waits(): Promise<readonly unknown[]> {
  const rows = await sql('SELECT event_id, next_attempt FROM sys.webhook_delivery ORDER BY event_id');
  const moments = [...new Set(rows.map((row) => row['next_attempt']))];
  return rows.map((row) => moments.indexOf(row['next_attempt']));
}

test('deliveries after a failed one of the same instance wait for it, and then follow at once', async () => {
  await addWebhook();
  await change('1', 'a');
  await change('2', 'a');
  const first = await claimed();
  expect([...first.keys()]).toEqual(['1']);
  await store.retry(deliveryOf(first, '1'), REFUSED, HOUR_MS);
  await change('3', 'a');
  expect(await waits()).toEqual([0, 0, 0]);
  await change('4', 'b');
  expect([...(await claimed()).keys()]).toEqual(['4']);

  await sql(`UPDATE sys.webhook_delivery SET next_attempt = '2020-01-01' WHERE event_id = '1'`);
  const again = await claimed();
  expect([...again.keys()]).toEqual(['1']);
  await store.finish(deliveryOf(again, '1'), 'delivered', TAKEN);
  const next = await claimed();
  expect([...next.keys()]).toEqual(['2']);
  await store.finish(deliveryOf(next, '2'), 'delivered', TAKEN);
  expect([...(await claimed()).keys()]).toEqual(['3']);
});

/** Adds finished deliveries of different instances, a millisecond apart. */
const addEnded = (webhook: string, count: number) =>
  sql(`INSERT INTO sys.webhook_delivery (webhook_id, webhook_name, event_id, entity_name, entity_id, change, changed_at,
      lane, state, attempts, queued_at, finished_at)
    SELECT '${webhook}', 'n', n, 't_Deal', n, 'created', timestamp '2026-11-20 08:00:00' + n * interval '1 millisecond',
      md5(n::text), 'delivered', 1, timestamp '2026-11-20 08:00:00', timestamp '2026-11-20 08:00:01'
    FROM generate_series(1, ${count}) n`);

test('a long replay is done in parts, and each delivery is in exactly one part', async () => {
  const webhook = await addWebhook();
  await addEnded(webhook, 10_005);
  // The changes around the end of the part have the same time.
  await sql(
    `UPDATE sys.webhook_delivery SET changed_at = '2026-11-20 08:00:10' WHERE event_id::int BETWEEN 9999 AND 10002`,
  );
  await sql(`UPDATE sys.webhook SET replay_from = '2026-11-20 08:00:00.002'`);
  const replayed = async () => {
    await store.replay();
    const [row] = await sql(`WITH waiting AS (
        UPDATE sys.webhook_delivery SET state = 'delivered', finished_at = now() AT TIME ZONE 'UTC'
        WHERE state = 'pending' RETURNING event_id::int AS number)
      SELECT count(*)::int, min(number), max(number), (SELECT replay_from FROM sys.webhook) FROM waiting`);
    return row;
  };
  expect(await replayed()).toEqual({ count: 10_001, min: 2, max: 10_002, replay_from: '2026-11-20 08:00:10.001' });
  expect(await replayed()).toEqual({ count: 3, min: 10_003, max: 10_005, replay_from: null });
  expect(await replayed()).toEqual({ count: 0, min: null, max: null, replay_from: null });
});

test('deliveries that ended long ago, or whose webhook was deleted, are removed in parts', async () => {
  const [webhook, deleted] = [await addWebhook(), await addWebhook()];
  await addEnded(webhook, 10_002);
  await change('waits', 'a');
  await sql(`DELETE FROM sys.webhook WHERE id = '${deleted}'`);
  await sql(`UPDATE sys.webhook_delivery SET finished_at = now() AT TIME ZONE 'UTC' WHERE event_id = '1'`);
  await sql(`UPDATE sys.webhook_delivery SET finished_at = '2020-01-01' WHERE event_id NOT IN ('1', 'waits')`);
  expect([await store.prune(HOUR_MS), await store.prune(HOUR_MS)]).toEqual([true, false]);
  expect(await sql('SELECT event_id FROM sys.webhook_delivery ORDER BY event_id')).toEqual([
    { event_id: '1' },
    { event_id: 'waits' },
  ]);
});

test('the age of the oldest delivery ignores inactive webhooks and finished deliveries', async () => {
  const [active, inactive] = [await addWebhook(), await addWebhook()];
  expect(await store.oldestPendingAge()).toBe(0);
  await change('waits', 'a');
  await addEnded(active, 1);
  await sql(`UPDATE sys.webhook SET active = false WHERE id = '${inactive}'`);
  await sql(
    `UPDATE sys.webhook_delivery SET queued_at = queued_at - interval '1 day' WHERE webhook_id = '${inactive}'`,
  );
  await sql(`UPDATE sys.webhook_delivery SET queued_at = queued_at - interval '1 hour' WHERE webhook_id = '${active}'`);
  const age = await store.oldestPendingAge();
  expect(age).toBeGreaterThanOrEqual(3_600);
  expect(age).toBeLessThan(80_000);
});

test('the age of the oldest event that was not read is 0 once it is read', async () => {
  expect(await store.oldestUnreadAge()).toBe(0);
  await sql(`INSERT INTO events.outbox (id, type, subject, envelope, created_at, published_at, published_position) VALUES
    (gen_random_uuid(), 't.late.v1', 's', '{}', now() - interval '61 minutes', now(), nextval('events.published_position'))`);
  expect(await store.oldestUnreadAge()).toBeGreaterThanOrEqual(3_600);
  await store.enqueue();
  expect(await store.oldestUnreadAge()).toBe(0);
});
