import { defineApplication, messageReader } from '@lintel/application';
import { attachInvalidation } from '@lintel/cache';
import { openScope, publishChanges } from '@lintel/entities';
import { createAmqpBus, createOutboxRelay, type EventBus } from '@lintel/events';
import { createDatabase, createLiveMessages, createOutboxStore, type Database } from '@lintel/persistence';
import { canonicalKey } from '@lintel/query';
import { runMigrations } from '@lintel/schema';
import { cloneTestDatabase, createTestVhost, eventually, type TestDatabase, type TestVhost } from '@lintel/testkit';

const { model, messages } = defineApplication({ id: 't', name: 'T', entities: [] });
const clock = { now: () => Date.now() };
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => logger };

let server: TestDatabase;
let vhost: TestVhost;
let database: Database;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  [server, vhost] = await Promise.all([
    cloneTestDatabase({ key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) }, 'messages'),
    createTestVhost('messages'),
  ]);
  database = createDatabase({
    url: server.url,
    maxConnections: 5,
    statementTimeoutMs: 60_000,
    applicationName: 'messages-test',
    logger,
  });
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await database.close();
  await Promise.all([server.drop(), vhost.drop()]);
});

async function connect(service: string, instanceId: string): Promise<EventBus> {
  const bus = await createAmqpBus({ urls: [vhost.url], service, instanceId, clock, logger });
  closing.push(() => bus.close());
  return bus;
}

/** The texts of one replica of a service. */
async function startReplica(service: string, instanceId: string) {
  const bus = await connect(service, instanceId);
  // Long enough that only the event can cause the change.
  const live = await createLiveMessages({
    database,
    read: messageReader(messages),
    maxStalenessMs: 3_600_000,
    clock,
    logger,
  });
  closing.push(() => live.close());
  await attachInvalidation(bus, service, [live]);
  return { bus, caption: (locale: string) => live.current().find('sec/User', locale) };
}

/** Writes a text and its event like the write pipeline. */
const change = (text: string): Promise<void> =>
  database.transaction(async (transaction) => {
    const environment = {
      model,
      ids: { next: () => crypto.randomUUID() },
      clock,
      currentMessages: () => messages,
      hashPassword: async (password: string) => password,
      listeners: { of: () => [] },
      events: { source: '/t', byType: new Map() },
      accessOf: () => ({}) as never,
      loadAccess: () => ({}) as never,
      dataFor: () => {
        throw new Error('There are no listeners');
      },
    };
    const scope = openScope(environment, transaction, { username: 'admin', locale: null });
    const id = crypto.randomUUID();
    await transaction.query({
      text: `INSERT INTO sys.message (id, version, key, locale, text) VALUES ($1, 1, 'sec/User', 'de', $2)
ON CONFLICT (key, locale) DO UPDATE SET text = EXCLUDED.text`,
      values: [id, text],
    });
    const entity = model.entities.get('sys_Message');
    if (entity === undefined) throw new Error('The platform has the entity sys_Message');
    scope.changes.note({
      entity,
      key: canonicalKey([id]),
      change: 'created',
      attributes: new Set(['text']),
      usernames: new Set(),
      before: undefined,
      after: undefined,
    });
    await publishChanges(scope);
  });

// Asserts contract/messages.md#messages.
test('a change of a text reaches every replica of every service by its event', async () => {
  const [one, other, reports] = await Promise.all([
    startReplica('data', 'data-1'),
    startReplica('data', 'data-2'),
    startReplica('reports', 'reports-1'),
  ]);
  const captions = () => [one, other, reports].map(({ caption }) => caption('de'));
  expect(captions()).toEqual(['Benutzer', 'Benutzer', 'Benutzer']);
  const relay = createOutboxRelay({ store: createOutboxStore(database), bus: one.bus, logger, clock });
  relay.start();
  closing.push(() => relay.stop());
  for (const text of ['Person', 'Mensch']) {
    await change(text);
    await eventually(() => expect(captions()).toEqual([text, text, text]));
  }
  expect(one.caption('en')).toBe('User');
});

test('a login that may read roles may read the texts', async () => {
  const rows = await server.query(
    `SELECT has_table_privilege('lintel_sec_reader', 'sys.message_snapshot', 'SELECT') AS view,
      has_table_privilege('lintel_sec_reader', 'sys.message', 'SELECT') AS "table"
    FROM pg_roles WHERE rolname = 'lintel_sec_reader'`,
  );
  expect(rows).toEqual([{ view: true, table: false }]);
});
