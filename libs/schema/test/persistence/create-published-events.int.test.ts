import { randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import {
  createDatabase,
  createOutboxStore,
  createPublishedEvents,
  type Database,
  type OutboxEvent,
  type PublishedEvent,
} from '@lintel/persistence';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { runMigrations } from '../../src/migrations/run-migrations.ts';

const TYPE = 'data.entity.changed.v1';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'persistence',
  );
  database = createDatabase({
    url: server.url,
    maxConnections: 8,
    statementTimeoutMs: 60_000,
    applicationName: 'published',
  });
});
beforeEach(() => server.query('TRUNCATE events.outbox'));
afterAll(async () => {
  await database.close();
  await server.drop();
});

const eventOf = (subject: string, data: unknown, type = TYPE): OutboxEvent => {
  const id = randomUUID();
  return { id, type, subject, envelope: { id, type, subject, data } };
};
const append = (...events: readonly OutboxEvent[]) =>
  database.transaction((transaction) => transaction.appendEvents(events));
const publish = async () => {
  const store = createOutboxStore(database);
  while ((await store.relay(100, async () => {})) > 0);
};
const dataOf = (events: readonly PublishedEvent[]) => events.map(({ data }) => data);

test('only what was published is read, of one type and of the entities that are asked for', async () => {
  const events = createPublishedEvents(database);
  const before = await events.latest();
  await append(eventOf('t_A/1', 1), eventOf('t_B/1', 2), eventOf('t_A/2', 3, 'data.user.changed.v1'));
  expect(await events.read({ after: before, type: TYPE, limit: 10 })).toEqual([]);
  await publish();
  await append(eventOf('t_A/1', 4));
  expect(dataOf(await events.read({ after: before, type: TYPE, limit: 10 }))).toEqual([1, 2]);
  expect(dataOf(await events.read({ after: before, type: TYPE, owners: ['t_B', 't_C'], limit: 10 }))).toEqual([2]);
  expect(dataOf(await events.read({ after: before, type: TYPE, limit: 1 }))).toEqual([1]);
  await publish();
  const latest = await events.latest();
  const [first, ...others] = await events.read({ after: before, type: TYPE, limit: 10 });
  expect(dataOf(others)).toEqual([2, 4]);
  expect(others.at(-1)?.sequence).toBe(latest);
  const range = { after: first?.sequence ?? 0, upTo: latest - 1, type: TYPE, limit: 10 };
  expect(dataOf(await events.read(range))).toEqual([2]);
});

test('readers who continue after what they have seen miss nothing, whichever transaction ends first', async () => {
  const writers = 6;
  const changes = 25;
  const events = createPublishedEvents(database);
  const start = await events.latest();
  let writing = true;
  const written = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let change = 0; change < changes; change += 1)
        // The number is given when the event is appended; who commits first is another matter.
        await database.transaction(async (transaction) => {
          await transaction.appendEvents([eventOf(`t_A/${writer}`, [writer, change])]);
          await transaction.query({ text: 'SELECT pg_sleep($1)', values: [((writer * 7 + change * 3) % 5) / 1_000] });
        });
    }),
  ).finally(() => {
    writing = false;
  });
  const relay = async () => {
    const store = createOutboxStore(database);
    for (;;) {
      const isLast = !writing;
      const count = await store.relay(3, (entries) => sleep(entries.length % 3));
      if (isLast && count === 0) return;
      if (count === 0) await turn();
    }
  };
  const total = writers * changes;
  const read = async (): Promise<readonly PublishedEvent[]> => {
    const seen: PublishedEvent[] = [];
    while (seen.length < total) {
      const after = seen.at(-1)?.sequence ?? start;
      seen.push(...(await events.read({ after, type: TYPE, limit: 1 + (seen.length % 9) })));
    }
    return seen;
  };
  const [first, second] = await Promise.all([read(), read(), written, relay(), relay()]);
  expect(second).toEqual(first);
  expect(first.map(({ sequence }) => sequence)).toEqual(
    first.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
  );
  for (let writer = 0; writer < writers; writer += 1)
    expect(dataOf(first.filter(({ subject }) => subject === `t_A/${writer}`))).toEqual(
      Array.from({ length: changes }, (_, change) => [writer, change]),
    );
});

test('readers are woken by published events, not by appended ones', async () => {
  const events = createPublishedEvents(database);
  let woken = 0;
  const listening = await events.listen(() => {
    woken += 1;
  });
  await append(eventOf('t_A/1', 1));
  await publish();
  await eventually(() => expect(woken).toBe(1));
  await listening.close();
});

test('what a relay of the former version marks gets a place, too', async () => {
  const events = createPublishedEvents(database);
  const before = await events.latest();
  await append(eventOf('t_A/1', 1));
  await server.query('UPDATE events.outbox SET published_at = now() WHERE published_at IS NULL');
  expect(dataOf(await events.read({ after: before, type: TYPE, limit: 10 }))).toEqual([1]);
});

test('what is published once more keeps its place', async () => {
  const events = createPublishedEvents(database);
  await append(eventOf('t_A/1', 1), eventOf('t_A/2', 2));
  await publish();
  const range = { after: 0, type: TYPE, limit: 10 };
  const before = await events.read(range);
  await server.query('UPDATE events.outbox SET published_at = NULL');
  expect(await events.read(range)).toEqual(before);
  await publish();
  expect(await events.read(range)).toEqual(before);
});

test('a position is valid for as long as nothing after it was removed', async () => {
  const events = createPublishedEvents(database);
  await append(eventOf('t_A/1', 1), eventOf('t_A/2', 2));
  await publish();
  const [first] = await events.read({ after: 0, type: TYPE, limit: 1 });
  const sequence = first?.sequence ?? 0;
  const latest = await events.latest();
  expect([await events.keepsAllAfter(sequence), await events.keepsAllAfter(latest)]).toEqual([true, true]);
  expect(await events.keepsAllAfter(latest + 1)).toBe(false);
  await server.query(`UPDATE events.outbox SET created_at = created_at - interval '1 day'`);
  // After the latest one there is nothing that could have been removed.
  expect([await events.keepsAllAfter(sequence), await events.keepsAllAfter(latest)]).toEqual([false, true]);
  await server.query('TRUNCATE events.outbox');
  expect([await events.keepsAllAfter(sequence), await events.keepsAllAfter(latest)]).toEqual([false, true]);
  await append(eventOf('t_A/3', 3));
  await publish();
  expect(await events.keepsAllAfter(latest)).toBe(false);
});

test('the latest position stays valid when events are published again', async () => {
  const events = createPublishedEvents(database);
  await append(eventOf('t_A/1', 1), eventOf('t_A/2', 2));
  await publish();
  const latest = await events.latest();
  await server.query(`UPDATE events.outbox SET published_at = NULL, created_at = created_at - interval '1 day'`);
  await publish();
  expect([await events.latest(), await events.keepsAllAfter(latest)]).toEqual([latest, true]);
  // New events among old ones get the next positions.
  await server.query('UPDATE events.outbox SET published_at = NULL');
  await append(eventOf('t_A/3', 3), eventOf('t_A/4', 4));
  await publish();
  const next = await events.read({ after: latest, type: TYPE, limit: 10 });
  expect(next).toMatchObject([
    { sequence: latest + 1, data: 3 },
    { sequence: latest + 2, data: 4 },
  ]);
});

test('when all events are old, the latest stays, so that a reader that begins then can continue', async () => {
  const events = createPublishedEvents(database);
  await append(eventOf('t_A/1', 1), eventOf('t_A/2', 2), eventOf('t_A/3', 3));
  await publish();
  const latest = await events.latest();
  await server.query(`UPDATE events.outbox SET published_at = published_at - interval '2 days',
    created_at = created_at - interval '2 days'`);
  await createOutboxStore(database).relay(1, async () => {});
  expect(dataOf(await events.read({ after: 0, type: TYPE, limit: 10 }))).toEqual([3]);
  expect([await events.latest(), await events.keepsAllAfter(latest)]).toEqual([latest, true]);
});

test('a reader that began before the first event can continue while that is kept', async () => {
  const events = createPublishedEvents(database);
  await server.query('ALTER SEQUENCE events.published_position RESTART');
  expect([await events.latest(), await events.keepsAllAfter(0)]).toEqual([0, true]);
  await append(eventOf('t_A/1', 1), eventOf('t_A/2', 2));
  await publish();
  expect(await events.keepsAllAfter(0)).toBe(true);
  await server.query(`UPDATE events.outbox SET created_at = created_at - interval '1 day'`);
  expect(await events.keepsAllAfter(0)).toBe(false);
  await server.query('DELETE FROM events.outbox WHERE published_position = 1');
  expect(await events.keepsAllAfter(0)).toBe(false);
});
