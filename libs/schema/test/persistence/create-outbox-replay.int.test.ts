import { randomUUID } from 'node:crypto';
import {
  createDatabase,
  createOutboxReplay,
  createOutboxStore,
  type Database,
  type OutboxEvent,
  type OutboxStoreEntry,
} from '@lintel/persistence';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../../src/migrations/run-migrations.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'persistence',
  );
  database = createDatabase({
    url: server.url,
    maxConnections: 6,
    statementTimeoutMs: 30_000,
    applicationName: 'replay',
  });
});
beforeEach(() => server.query('TRUNCATE events.outbox'));
afterAll(async () => {
  await database.close();
  await server.drop();
});

const CHANGED = 'data.entity.changed.v1';
const replay = () => createOutboxReplay(database, { lockTimeoutMs: 20_000 });

const eventOf = (name: string, subject: string, type: string): OutboxEvent => {
  const id = randomUUID();
  return { id, type, subject, envelope: { specversion: '1.0', id, type, subject, data: { name } } };
};

/** Appends an event of a minute of one morning. */
async function append(name: string, minute: number, subject = 'sales_Order/1', type = CHANGED): Promise<void> {
  await database.transaction((transaction) => transaction.appendEvents([eventOf(name, subject, type)]));
  await server.query(
    `UPDATE events.outbox SET created_at = '2026-11-21T10:00:00Z'::timestamptz + $1 * interval '1 minute'
     WHERE envelope->'data'->>'name' = $2`,
    [minute, name],
  );
}
const at = (minute: number): Date => new Date(Date.parse('2026-11-21T10:00:00Z') + minute * 60_000);

const namesOf = (entries: readonly OutboxStoreEntry[]) =>
  entries.map(({ envelope }) => (envelope.data as { name: string }).name);

/** Publishes what waits; answers it in the order in which it was sent. */
async function relayed(limit = 100): Promise<readonly string[]> {
  const sent: string[] = [];
  const store = createOutboxStore(database);
  while ((await store.relay(limit, async (entries) => void sent.push(...namesOf(entries)))) > 0);
  return sent;
}

test('events are sent again from a time on, in their order, and before events that come later', async () => {
  for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) await append(name, index);
  expect(await relayed()).toEqual(['a', 'b', 'c', 'd']);
  const { counts, last } = await replay().requeue({ since: at(1) });
  expect(counts).toEqual([{ type: CHANGED, events: 3 }]);
  await append('new', 9);
  expect(await replay().waiting(last)).toBe(3);
  expect(await relayed(2)).toEqual(['b', 'c', 'd', 'new']);
  expect(await replay().waiting(last)).toBe(0);
});

test('an event that waits is not sent twice, and what is sent again is as it was', async () => {
  await append('a', 0);
  const envelopes: unknown[] = [];
  const record = async (entries: readonly OutboxStoreEntry[]): Promise<void> =>
    void envelopes.push(...entries.map(({ envelope }) => envelope));
  await createOutboxStore(database).relay(10, record);
  await append('waits', 1);
  expect((await replay().requeue({ since: at(0) })).counts).toEqual([{ type: CHANGED, events: 1 }]);
  await createOutboxStore(database).relay(10, record);
  expect(envelopes).toHaveLength(3);
  expect(envelopes[1]).toEqual(envelopes[0]);
});

test.each([
  ['until a time, that not included', { until: at(2) }, ['a', 'user']],
  ['of a type', { types: ['data.user.changed.v1'] }, ['user']],
  ['of an entity, whose name another one begins with', { entities: ['sales_Order'] }, ['a', 'c']],
  ['of an instance', { subjects: ['sales_OrderLine/1'] }, ['line']],
  ['of a type and an entity', { types: ['data.user.changed.v1'], entities: ['sales_Order'] }, []],
])('events %s', async (_name, selection, expected) => {
  await append('a', 0);
  await append('user', 1, 'clerk', 'data.user.changed.v1');
  await append('line', 2, 'sales_OrderLine/1');
  await append('c', 3, 'sales_Order/2');
  await relayed();
  const counted = await replay().count({ since: at(0), ...selection });
  const { counts } = await replay().requeue({ since: at(0), ...selection });
  expect(counts).toEqual(counted);
  expect(await relayed()).toEqual(expected);
});

test('a count changes nothing', async () => {
  await append('a', 0);
  await relayed();
  expect(await replay().oldest()).toEqual(at(0));
  expect(await replay().count({ since: at(0) })).toEqual([{ type: CHANGED, events: 1 }]);
  expect(await relayed()).toEqual([]);
});

test('a batch that is being published is waited for', async () => {
  await append('a', 0);
  await relayed();
  await append('b', 1);
  const publishing = Promise.withResolvers<void>();
  const confirmed = Promise.withResolvers<void>();
  const running = createOutboxStore(database).relay(10, async () => {
    publishing.resolve();
    await confirmed.promise;
  });
  await publishing.promise;
  const impatient = createOutboxReplay(database, { lockTimeoutMs: 50 });
  await expect(impatient.requeue({ since: at(0) })).rejects.toMatchObject({ code: 'DATA_UNAVAILABLE' });
  const marking = replay().requeue({ since: at(0) });
  await eventually(async () => {
    const [row] = await server.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
       WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
    );
    expect(row?.waiting).toBe(1);
  });
  confirmed.resolve();
  await running;
  expect((await marking).counts).toEqual([{ type: CHANGED, events: 2 }]);
  expect(await relayed()).toEqual(['a', 'b']);
});

test('an event that is to be sent again is not removed for its age at the same moment', async () => {
  await append('old', 0);
  // The latest one is not removed, however old it is.
  await append('latest', 1);
  await relayed();
  await server.query(`UPDATE events.outbox SET published_at = now() - interval '2 days'`);
  const held = Promise.withResolvers<void>();
  const marked = Promise.withResolvers<void>();
  const marking = database.transaction(async (transaction) => {
    await transaction.query({ text: 'UPDATE events.outbox SET published_at = NULL', values: [] });
    marked.resolve();
    await held.promise;
  });
  await marked.promise;
  // Removes what is old whenever nothing waits; it waits for the row.
  const removing = createOutboxStore(database).relay(1, async () => {});
  await eventually(async () => {
    const [row] = await server.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM events.outbox%'`,
    );
    expect(row?.waiting).toBe(1);
  });
  held.resolve();
  await Promise.all([marking, removing]);
  expect(await relayed()).toEqual(['old', 'latest']);
});
