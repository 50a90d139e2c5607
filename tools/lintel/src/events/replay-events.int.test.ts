import { randomUUID } from 'node:crypto';
import { createAmqpBus, createEnvelope, createOutboxRelay, type EventBus, type OutboxRelay } from '@lintel/events';
import sales from '@lintel/example-sales';
import { createDatabase, createOutboxStore, type Database } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import { cloneTestDatabase, createTestVhost, eventually, type TestDatabase, type TestVhost } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { run } from '../run.ts';
import { replayEvents } from './replay-events.ts';

// Needs a database and the broker: createTestDatabase, createTestVhost.

const logger = createLogger({ service: 'test', level: 'silent' });
const clock = { now: () => Date.now() };
const PATIENT = { timeoutMs: 30_000 };

let testDatabase: TestDatabase;
let vhost: TestVhost;
let database: Database;
let bus: EventBus;
let relay: OutboxRelay;
/** The events that a consumer received, as `<subject> <id>`, in its order. */
let heard: string[];

beforeAll(async () => {
  [testDatabase, vhost] = await Promise.all([
    cloneTestDatabase(
      { key: 'sales', build: (url) => runMigrations({ url, migrations: sales.migrations ?? [] }) },
      'cli_events',
    ),
    createTestVhost('cli_events'),
  ]);
  database = createDatabase({
    url: testDatabase.url,
    maxConnections: 4,
    statementTimeoutMs: 30_000,
    applicationName: 't',
    logger,
  });
  bus = await createAmqpBus({ urls: [vhost.url], service: 'data', instanceId: 'test', clock, logger });
  await bus.subscribe({
    queue: { kind: 'work', name: 'listener' },
    types: ['data.entity.changed.v1', 'data.user.changed.v1'],
    handle: async ({ subject, id }) => void heard.push(`${subject} ${id}`),
  });
});
beforeEach(async () => {
  heard = [];
  await database.query({ text: 'TRUNCATE events.outbox', values: [] });
  relay = createOutboxRelay({ store: createOutboxStore(database), bus, logger, clock });
});
afterEach(() => relay.stop());
afterAll(async () => {
  await bus.close();
  await database.close();
  await vhost.drop();
  await testDatabase.drop();
});

/** Commits changes, one after the other; returns their events as the consumer receives them. */
async function change(...subjects: readonly string[]): Promise<readonly string[]> {
  const sent: string[] = [];
  for (const subject of subjects) {
    const id = randomUUID();
    const time = new Date();
    const data = { entity: 'sales_Order', id: '1', change: 'updated' as const, attributes: [], by: 'clerk' };
    const envelope = subject.includes('/')
      ? createEnvelope({ owner: 'data', type: 'data.entity.changed.v1', subject, id, time, data })
      : createEnvelope({
          owner: 'data',
          type: 'data.user.changed.v1',
          subject,
          id,
          time,
          data: { username: subject, change: 'updated' },
        });
    await database.transaction((transaction) =>
      transaction.appendEvents([{ id, type: envelope.type, subject, envelope }]),
    );
    sent.push(`${subject} ${id}`);
  }
  return sent;
}

/** Resolves when the consumer got so many events and the relay has set all of them published, which happens later. */
const published = (events: number) =>
  eventually(async () => {
    expect(heard).toHaveLength(events);
    const text = 'SELECT 1 FROM events.outbox WHERE published_at IS NULL';
    expect(await database.query({ text, values: [] })).toEqual([]);
  }, PATIENT);

const replay = async (...parameters: string[]) => {
  const terminal = fakeTerminal();
  const named = ['--application', '@lintel/example-sales', '--url', testDatabase.url];
  const code = await run(['events', 'replay', ...parameters, ...named], terminal);
  return { code, ...terminal };
};

test('consumers get earlier changes again, in order, while the relay publishes new ones', async () => {
  const first = await change('sales_Order/1', 'clerk', 'sales_Order/2', 'sales_Order/1', 'sales_Customer/1');
  relay.start();
  await published(5);
  const [, later] = await Promise.all([
    replay('--since', '1h', '--entity', 'sales_Order', '--json').then(({ code, output }) => {
      expect(code).toBe(0);
      expect(JSON.parse(output())).toMatchObject({
        dryRun: false,
        events: 3,
        types: { 'data.entity.changed.v1': 3 },
        waiting: 0,
      });
    }),
    change('sales_Customer/9', 'sales_Customer/9'),
  ]);
  await eventually(() => expect(heard).toHaveLength(10), PATIENT);
  const receivedOf = (subject: string) => heard.filter((one) => one.startsWith(`${subject} `));
  const [order1, , order2, again1, customer] = first;
  expect(receivedOf('sales_Order/1')).toEqual([order1, again1, order1, again1]);
  expect(receivedOf('sales_Order/2')).toEqual([order2, order2]);
  expect(receivedOf('sales_Customer/1')).toEqual([customer]);
  expect(receivedOf('sales_Customer/9')).toEqual(later);
  expect(receivedOf('clerk')).toHaveLength(1);
});

test('a dry run counts and sends nothing', async () => {
  await change('sales_Order/1', 'clerk');
  relay.start();
  await published(2);
  const { code, output, notes } = await replay('--since', '1h', '--dry-run');
  expect(code).toBe(0);
  expect(output()).toBe('1  data.entity.changed.v1\n1  data.user.changed.v1\n2 events would be published again.');
  expect(notes()).toMatch(/^The outbox goes back to 20\d\d-.*: what was before is not kept any more\.$/);
  const nothing = await replay('--since', '1h', '--subject', 'nobody');
  expect([nothing.code, nothing.output()]).toEqual([0, 'There is no such event.']);
  await change('sales_Order/3');
  await eventually(() => expect(heard).toHaveLength(3), PATIENT);
});

test('where no data service runs the command says so, and the events are sent when one does', async () => {
  const sent = await change('sales_Order/1', 'sales_Order/2');
  relay.start();
  await published(2);
  await relay.stop();
  const terminal = fakeTerminal();
  const options = { since: '1h', wait: true, application: '@lintel/example-sales', url: testDatabase.url };
  expect(await replayEvents(options, terminal, { standstillMs: 300 })).toBe(1);
  expect(terminal.output()).toContain('2 events are to be published again; 2 wait in the outbox');
  const again = await replay('--since', '1h', '--no-wait', '--json');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.output())).toMatchObject({ events: 0, waiting: 0 });
  relay = createOutboxRelay({ store: createOutboxStore(database), bus, logger, clock });
  relay.start();
  await eventually(() => expect(heard).toEqual([...sent, ...sent]), PATIENT);
});

test.each([
  [['--since', 'tomorrow'], '--since tomorrow is no time'],
  [[], "required option '--since <time>' not specified"],
  [['--since', '1h', '--entity', 'Order'], 'There is no entity Order'],
])('a command line that makes no sense is refused: %j', async (parameters, problem) => {
  await change('sales_Order/1');
  const { code, notes } = await replay(...parameters);
  expect(code).toBe(2);
  expect(notes()).toContain(problem);
});
