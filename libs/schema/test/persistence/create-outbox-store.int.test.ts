import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDatabase,
  createOutboxStore,
  type Database,
  type OutboxEvent,
  type OutboxStoreEntry,
} from '@lintel/persistence';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../../src/migrations/run-migrations.ts';

let server: TestDatabase;
const open: Database[] = [];

const connect = (): Database => {
  const database = createDatabase({
    url: server.url,
    maxConnections: 6,
    statementTimeoutMs: 60_000,
    applicationName: 'relay',
  });
  open.push(database);
  return database;
};

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'persistence',
  );
  await server.query('CREATE TABLE subject (name text PRIMARY KEY, sequence int NOT NULL)');
});
beforeEach(() => server.query('TRUNCATE events.outbox, subject'));
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.close()));
});
afterAll(() => server.drop());

const eventOf = (subject: string, sequence: number): OutboxEvent => {
  const id = randomUUID();
  const data = { sequence, price: 1 };
  return {
    id,
    type: 'data.entity.changed.v1',
    subject,
    envelope: {
      specversion: '1.0',
      id,
      source: '/lintel/data',
      type: 'data.entity.changed.v1',
      subject,
      time: '2026-11-21T10:00:00.000Z',
      datacontenttype: 'application/json',
      data,
    },
  };
};

const append = (database: Database, count: number, subject = 'a') =>
  database.transaction((transaction) =>
    transaction.appendEvents(Array.from({ length: count }, (_, at) => eventOf(subject, at + 1))),
  );

const sequences = (entries: readonly OutboxStoreEntry[]) =>
  entries.map(({ envelope }) => (envelope.data as { sequence: number }).sequence);

const unpublished = async (): Promise<number> => {
  const [row] = await server.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM events.outbox WHERE published_at IS NULL',
  );
  return row?.count ?? -1;
};

test('entries are handed out in order, once, as the envelopes they were', async () => {
  const database = connect();
  const store = createOutboxStore(database);
  await append(database, 5);
  const batches: number[][] = [];
  const publish = async (entries: readonly OutboxStoreEntry[]): Promise<void> => {
    expect(entries[0]?.envelope).toMatchObject({ specversion: '1.0', subject: 'a', data: { price: 1 } });
    batches.push(sequences(entries));
  };
  expect(await store.relay(3, publish)).toBe(3);
  expect(await store.relay(3, publish)).toBe(2);
  expect(await store.relay(3, publish)).toBe(0);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test('entries whose publication failed come again', async () => {
  const database = connect();
  const store = createOutboxStore(database);
  await append(database, 2);
  const refuse = async (): Promise<void> => {
    throw new Error('no broker');
  };
  await expect(store.relay(10, refuse)).rejects.toThrow('no broker');
  expect(await unpublished()).toBe(2);
  expect(await store.relay(10, async (entries) => expect(sequences(entries)).toEqual([1, 2]))).toBe(2);
  expect(await unpublished()).toBe(0);
});

test('while one relay publishes, another finds nothing to do', async () => {
  const [first, second] = [createOutboxStore(connect()), createOutboxStore(connect())];
  await append(connect(), 3);
  const publishing = Promise.withResolvers<void>();
  const confirmed = Promise.withResolvers<void>();
  const running = first.relay(1, async () => {
    publishing.resolve();
    await confirmed.promise;
  });
  await publishing.promise;
  expect(await second.relay(10, async () => {})).toBe(0);
  confirmed.resolve();
  expect(await running).toBe(1);
  expect(await second.relay(10, async (entries) => expect(sequences(entries)).toEqual([2, 3]))).toBe(2);
});

test('a relay whose connection dies gives way to another, and its entries are not lost', async () => {
  const dying = connect();
  await append(dying, 2);
  const published: number[] = [];
  const running = createOutboxStore(dying).relay(10, async (entries) => {
    published.push(...sequences(entries));
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'relay' AND state = 'idle in transaction'`);
    await sleep(50);
  });
  await expect(running).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  const other = createOutboxStore(connect());
  await eventually(async () =>
    expect(await other.relay(10, async (e) => void published.push(...sequences(e)))).toBe(2),
  );
  expect(published).toEqual([1, 2, 1, 2]);
});

test('with writers and two relays at work every subject keeps its order, and nothing is lost or doubled', async () => {
  const writers = connect();
  const subjects = ['a', 'b', 'c', 'd', 'e'];
  const changesPerSubject = 60;
  for (const name of subjects) await server.query('INSERT INTO subject VALUES ($1, 0)', [name]);
  const change = (name: string): Promise<void> =>
    writers.transaction(async (transaction) => {
      const [row] = await transaction.query<{ sequence: number }>({
        text: 'UPDATE subject SET sequence = sequence + 1 WHERE name = $1 RETURNING sequence',
        values: [name],
      });
      await transaction.appendEvents([eventOf(name, row?.sequence ?? -1)]);
    });
  let writing = true;
  const written = Promise.all(
    subjects.flatMap((name) =>
      // Two writers per subject get in each other's way.
      [1, 2].map(async () => {
        for (let at = 0; at < changesPerSubject / 2; at += 1) await change(name);
      }),
    ),
  ).finally(() => {
    writing = false;
  });
  const published = new Map<string, number[]>(subjects.map((name) => [name, []]));
  let rounds = 0;
  const relayOn = async (): Promise<void> => {
    const store = createOutboxStore(connect());
    for (;;) {
      const isLast = !writing;
      const count = await store.relay(7, async (entries) => {
        // Now one relay is the faster one, now the other.
        rounds += 1;
        await sleep((rounds * 5) % 4);
        for (const entry of entries) {
          published.get(entry.envelope.subject ?? '')?.push((entry.envelope.data as { sequence: number }).sequence);
        }
      });
      if (isLast && count === 0 && (await unpublished()) === 0) return;
    }
  };
  await Promise.all([written, relayOn(), relayOn()]);
  const expected = Array.from({ length: changesPerSubject }, (_, at) => at + 1);
  for (const name of subjects) expect(published.get(name)).toEqual(expected);
});

test('a listener is woken by a commit', async () => {
  const database = connect();
  let woken = 0;
  const subscription = await createOutboxStore(connect()).listen(() => {
    woken += 1;
  });
  await append(database, 1);
  await eventually(() => expect(woken).toBe(1));
  await subscription.close();
});

test('published entries go when they are old, unpublished ones never', async () => {
  const database = connect();
  await append(database, 3);
  await createOutboxStore(database).relay(2, async () => {});
  await server.query(
    `UPDATE events.outbox SET published_at = published_at - interval '2 days' WHERE published_at IS NOT NULL`,
  );
  await createOutboxStore(database)
    .relay(1, () => Promise.reject(new Error('no broker')))
    .catch(() => {});
  expect(await server.query('SELECT count(*)::int FROM events.outbox')).toEqual([{ count: 3 }]);
  expect(await createOutboxStore(database).relay(2, async () => {})).toBe(1);
  expect(await server.query('SELECT count(*)::int FROM events.outbox')).toEqual([{ count: 1 }]);
});
