import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { createDatabase } from '../connection/create-database.ts';
import type { Database } from '../database.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import { createInboxStore } from './create-inbox-store.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase('persistence');
  await runMigrations({ url: server.url, migrations: [] });
  database = createDatabase({
    url: server.url,
    maxConnections: 4,
    statementTimeoutMs: 5_000,
    applicationName: 'consumer',
  });
});
beforeEach(() => server.query('TRUNCATE events.inbox'));
afterAll(async () => {
  await database.close();
  await server.drop();
});

test('an event is handled once by each consumer', async () => {
  const store = createInboxStore(database);
  const handled: string[] = [];
  const handle = (consumer: string) => store.once(consumer, 'e1', async () => void handled.push(consumer));
  await handle('mail');
  await handle('mail');
  await handle('index');
  expect(handled).toEqual(['mail', 'index']);
});

test('two deliveries at once are one: the second waits and does nothing', async () => {
  const store = createInboxStore(database);
  let handled = 0;
  const work = async (): Promise<void> => {
    await sleep(30);
    handled += 1;
  };
  await Promise.all([store.once('mail', 'e2', work), store.once('mail', 'e2', work), store.once('mail', 'e2', work)]);
  expect(handled).toBe(1);
});

test('what the work wrote through the transaction goes with the record', async () => {
  const store = createInboxStore(database);
  await expect(
    store.once('mail', 'e5', async (transaction) => {
      await transaction.query({ text: `INSERT INTO events.inbox VALUES ('by-work', 'e5')`, values: [] });
      throw new Error('too late');
    }),
  ).rejects.toThrow('too late');
  expect(await server.query('SELECT consumer FROM events.inbox')).toEqual([]);
});

test('an event whose handling failed may come again', async () => {
  const store = createInboxStore(database);
  await expect(store.once('mail', 'e3', () => Promise.reject(new Error('later')))).rejects.toThrow('later');
  let handled = 0;
  await store.once('mail', 'e3', async () => {
    handled += 1;
  });
  expect(handled).toBe(1);
});

test('events handled long ago are forgotten', async () => {
  await server.query(
    `INSERT INTO events.inbox VALUES ('mail', 'old', now() - interval '31 days'), ('mail', 'young', now())`,
  );
  await createInboxStore(database).once('mail', 'e4', async () => {});
  expect(await server.query('SELECT event_id FROM events.inbox ORDER BY 1')).toEqual([
    { event_id: 'e4' },
    { event_id: 'young' },
  ]);
});
