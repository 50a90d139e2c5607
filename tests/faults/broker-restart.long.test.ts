import { setTimeout as sleep } from 'node:timers/promises';
import { attachInvalidation, type Cache, createCache, declareCache } from '@lintel/cache';
import type { Envelope } from '@lintel/contracts';
import { createAmqpBus, createOutboxRelay, type EventBus } from '@lintel/events';
import { createDatabase, createOutboxStore, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import { createTestDatabase, eventually, startTcpProxy, type TcpProxy, type TestDatabase } from '@lintel/testkit';
import { type OwnServer, ownBroker } from '@lintel/testkit/backends';
import { LEDGER_TABLES, numberOf, startWriters } from './ledger.ts';

const TYPES = ['data.entity.changed.v1'] as const;
const logger = createLogger({ service: 'faults', level: 'silent' });
const clock = { now: () => Date.now() };

let broker: OwnServer;
let server: TestDatabase;
/** The publishers' wire to the broker. */
let wire: TcpProxy;
/** Undone last to first, so that a relay stops before its bus and its database. */
const undo: (() => Promise<void>)[] = [];

beforeAll(async () => {
  [broker, server] = await Promise.all([ownBroker(), createTestDatabase('faults')]);
  wire = await startTcpProxy({ port: Number(new URL(broker.url).port) });
  await runMigrations({ url: server.url, migrations: [] });
  for (const statement of LEDGER_TABLES) await server.query(statement);
});

afterAll(async () => {
  for (const step of undo.toReversed()) await step();
  await Promise.all([wire?.close(), broker?.dispose(), server?.drop()]);
});

function connectDatabase(applicationName: string): Database {
  const database = createDatabase({ url: server.url, maxConnections: 12, statementTimeoutMs: 10_000, applicationName });
  undo.push(() => database.close());
  return database;
}

async function connectBus(service: string, instanceId: string, url = broker.url): Promise<EventBus> {
  const bus = await createAmqpBus({ urls: [url], service, instanceId, clock, logger, prefetch: 10 });
  undo.push(() => bus.close());
  return bus;
}

/** One replica of the publishing service. */
async function startPublisher(instanceId: string): Promise<void> {
  const database = connectDatabase(`relay ${instanceId}`);
  const url = new URL(broker.url);
  url.port = String(wire.port);
  const bus = await connectBus('data', instanceId, url.href);
  const relay = createOutboxRelay({ store: createOutboxStore(database), bus, logger, clock });
  undo.push(() => relay.stop());
  relay.start();
}

/** One replica of a consuming service; `delivered` sees every delivery, the table only the first of each event. */
async function startConsumer(instanceId: string, delivered: (envelope: Envelope) => void): Promise<EventBus> {
  const database = connectDatabase(`consumer ${instanceId}`);
  const bus = await connectBus('auth', instanceId);
  await bus.subscribe({
    queue: { kind: 'work', name: 'ledger' },
    types: TYPES,
    handle: async (envelope) => {
      delivered(envelope);
      await database.query({
        name: 'receive',
        text: 'INSERT INTO received (event_id, subject, number) VALUES ($1, $2, $3) ON CONFLICT (event_id) DO NOTHING',
        values: [envelope.id, envelope.subject, numberOf(envelope)],
      });
    },
  });
  return bus;
}

const ROLES = declareCache({
  name: 'roles of the test',
  holds: 'numbers',
  where: ['auth'],
  keyedBy: 'user name',
  maxEntries: 10,
  invalidatedBy: ['data.roles.changed.v1'],
  staleness: 'max-staleness',
  whileAway: '',
});

/** A cache whose events never come, so only the connection can empty it. */
async function startCache(bus: EventBus): Promise<{ cache: Cache<string, number>; loads: () => number }> {
  let loads = 0;
  const cache = createCache<string, number>({
    declaration: ROLES,
    load: async () => {
      loads += 1;
      return loads;
    },
    maxStalenessMs: 600_000,
    clock: { now: () => 0 },
  });
  const attached = await attachInvalidation(bus, 'auth', [cache]);
  undo.push(() => attached.close());
  return { cache, loads: () => loads };
}

const receivedCount = async (): Promise<number> => {
  const [row] = await server.query<{ count: number }>('SELECT count(*)::int AS count FROM received');
  return row?.count ?? 0;
};

test('no event is lost, doubled or out of order while the broker is restarted and killed under load', async () => {
  const deliveries: string[] = [];
  await Promise.all([startPublisher('1'), startPublisher('2')]);
  const bus = await startConsumer('1', ({ id }) => deliveries.push(id));
  await startConsumer('2', ({ id }) => deliveries.push(id));
  const { cache, loads } = await startCache(bus);
  const states: string[] = [];
  bus.onConnection((state) => states.push(state));

  const ledger = await startWriters(connectDatabase('writers'), { subjects: 12, writers: 4, pauseMs: 15 });
  await eventually(async () => expect(await receivedCount()).toBeGreaterThan(50));
  await cache.get('admin');
  await cache.get('admin');
  expect(loads()).toBe(1);

  // What is sent now reaches nobody: it must not count as published.
  wire.freeze();
  await sleep(500);
  wire.cutConnections();
  wire.restore();
  const beforeCut = await receivedCount();
  await eventually(async () => expect(await receivedCount()).toBeGreaterThan(beforeCut + 50));

  await broker.stop();
  await eventually(() => expect(states).toEqual(['disconnected']));
  const withoutBroker = ledger.committedCount();
  await sleep(1_000);
  expect(ledger.committedCount()).toBeGreaterThan(withoutBroker);
  await broker.start();
  await eventually(() => expect(states).toEqual(['disconnected', 'connected']));
  await cache.get('admin');
  expect(loads()).toBe(2);

  const beforeKill = await receivedCount();
  await eventually(async () => expect(await receivedCount()).toBeGreaterThan(beforeKill + 50));
  await broker.kill();
  await sleep(300);
  await broker.start();
  await eventually(() => expect(states.slice(2)).toEqual(['disconnected', 'connected']));
  await cache.get('admin');
  expect(loads()).toBe(3);

  await sleep(500);
  await ledger.stop();
  const committed = ledger.committedCount();
  await eventually(async () => expect(await receivedCount()).toBe(committed), { intervalMs: 100 });

  const rows = await server.query<{ event_id: string; subject: string; number: number }>(
    'SELECT event_id, subject, number FROM received ORDER BY position',
  );
  for (const [subject, ids] of ledger.committed) {
    const received = rows.filter((row) => row.subject === subject);
    expect(received.map((row) => row.number)).toEqual(ids.map((_, index) => index + 1));
    expect(received.map((row) => row.event_id)).toEqual(ids);
  }
  expect(new Set(deliveries).size).toBe(committed);
  const [{ waiting } = { waiting: -1 }] = await server.query<{ waiting: number }>(
    'SELECT count(*)::int AS waiting FROM events.outbox WHERE published_at IS NULL',
  );
  expect(waiting).toBe(0);
});
