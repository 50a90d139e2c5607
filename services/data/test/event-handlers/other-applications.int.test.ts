import { randomUUID } from 'node:crypto';
import { defineApplication, event, onEvent } from '@lintel/application';
import { createAmqpBus, listDeadLetters } from '@lintel/events';
import { standardEntity, string } from '@lintel/metadata';
import { createOutboxReplay, createReceivedEvents } from '@lintel/persistence';
import { entityPolicy, modifyAttributes, resourceRole } from '@lintel/security';
import { startMetrics } from '@lintel/telemetry';
import { cloneTestDatabase, createTestVhost, eventually } from '@lintel/testkit';
import { receiveAll } from '../../src/event-handlers/receive-all.ts';
import { schemaOf } from '../schema-of.ts';
import { eventsApplication } from './events-application.ts';
import { startWithRelay } from './start-with-relay.ts';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => SILENT };
const TEXT = { type: 'object', required: ['text'], properties: { text: { type: 'string', maxLength: 60 } } };
const KEEPER = { resourceRoles: ['o-copies'] };
const handled: string[] = [];

/** The events of `e`, as another application knows them: only the second version of some. */
const noted = event<{ text: string }>('e.noted.v1', TEXT, { source: '/e' });
const counted = event<{ count: number }>(
  'e.counted.v2',
  { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
  { source: '/e', upcasts: { 'e.counted.v1': ({ text }: { text: string }) => ({ count: text.length }) } },
);
const answered = event<{ text: string }>('o.answered.v1', TEXT);

const other = defineApplication({
  id: 'o',
  name: 'Other',
  entities: [standardEntity('o_Copy', { attributes: { text: string(100) } })],
  roles: [
    resourceRole('o-copies', {
      name: 'Copies',
      policies: [entityPolicy('o_Copy', 'all'), modifyAttributes('o_Copy', '*')],
    }),
  ],
  events: [answered],
  eventHandlers: [
    onEvent(noted, { name: 'copy', as: KEEPER, retries: 1 }, async ({ event: { subject, data: values }, data }) => {
      await data.create('o_Copy', { text: `${subject} ${values.text}` });
      if (values.text === 'flaky' && !handled.includes('failed')) {
        handled.push('failed');
        throw new Error('down');
      }
      await data.events.publish(answered, subject, values);
    }),
    // A second installation of the same application.
    onEvent(
      event('e.noted.v1', TEXT, { source: '/second' }),
      { name: 'second', as: KEEPER },
      ({ event: { subject } }) => {
        handled.push(`second ${subject}`);
      },
    ),
    onEvent(counted, { name: 'count', as: KEEPER }, ({ event: { type, data: values } }) => {
      handled.push(`${type} ${values.count}`);
    }),
  ],
});

const [publisherDatabase, database, vhost] = await Promise.all([
  cloneTestDatabase(schemaOf(eventsApplication.model), 'exchange-e'),
  cloneTestDatabase(schemaOf(other.model), 'exchange-o'),
  createTestVhost('exchange'),
]);
const settings = { 'svc.events.broker-urls': vhost.url };
const USERS = { admin: { resourceRoles: ['system-full-access'] } };
const measured = await startMetrics('lintel-exchange-test');
const consumer = await startWithRelay(database, other, USERS, settings, { metrics: measured.metrics });
const publisher = await startWithRelay(publisherDatabase, eventsApplication, USERS, settings);
const bus = await createAmqpBus({
  ...{ urls: [vhost.url], service: 'test', instanceId: 'test', logger: SILENT },
  clock: { now: () => Date.now() },
});
const responses: string[] = [];
await bus.subscribe({
  queue: { kind: 'work', name: 'responses' },
  types: ['o.answered.v1'],
  handle: async ({ source, data }) => void responses.push(`${source} ${(data as { text: string }).text}`),
});
afterAll(async () => {
  await bus.close();
  await Promise.all([consumer.close(), publisher.close()]);
  await measured.close();
  await Promise.all([database.drop(), publisherDatabase.drop(), vhost.drop()]);
});

const publish = (text: string, subject: string) =>
  publisher.send('admin', 'POST', '/services/e_Events/publish', { subject, text });

const envelopeOf = (members: object) => ({
  ...{ specversion: '1.0' as const, id: randomUUID(), source: '/e', type: 'e.noted.v1', subject: 's' },
  ...{ time: new Date().toISOString(), datacontenttype: 'application/json' as const, data: { text: 'x' } },
  ...members,
});

const copies = async (like: string) =>
  (
    await consumer.query<{ text: string }>(`SELECT text FROM o.copy WHERE text LIKE '${like}' ORDER BY created_date`)
  ).map(({ text }) => text);

const deadLetters = async () =>
  (
    await consumer.query<{ handler: string; error: string }>(
      'SELECT handler, error FROM events.handler_retry WHERE next_attempt IS NULL ORDER BY position',
    )
  ).map(({ handler, error }) => `${handler}: ${error}`);

// Asserts contract/events.md#other-applications.
test('an application handles events of another one in their order, and publishes its own', async () => {
  const texts = Array.from({ length: 12 }, (_, at) => `ordered ${at}`);
  for (const text of texts) expect((await publish(text, 'a')).status).toBe(200);
  await eventually(async () => expect(await copies('a %')).toEqual(texts.map((text) => `a ${text}`)));
  await eventually(() => expect(responses).toEqual(texts.map((text) => `/o ${text}`)));
  // It is published by its owner alone.
  expect(consumer.published.map(({ type }) => type)).not.toContain('e.noted.v1');
});

// Asserts contract/events.md#other-applications.
test('an event is handled once, however often the broker delivers it', async () => {
  const one = envelopeOf({ subject: 'twice', data: { text: '1' } });
  await bus.publish([one, one]);
  await bus.publish([one, envelopeOf({ subject: 'twice', data: { text: '2' } })]);
  await eventually(async () => expect(await copies('twice %')).toEqual(['twice 1', 'twice 2']));
  // It remains so when the outbox has forgotten it.
  await consumer.query(`DELETE FROM events.outbox WHERE subject = 'twice'`);
  await bus.publish([one, envelopeOf({ subject: 'twice', data: { text: '3' } })]);
  await eventually(async () => expect(await copies('twice %')).toEqual(['twice 1', 'twice 2', 'twice 3']));
});

// Asserts contract/events.md#other-applications.
test('a handler that fails leaves no effect and is called again', async () => {
  await bus.publish([envelopeOf({ subject: 'f', data: { text: 'flaky' } })]);
  await eventually(async () =>
    expect(await consumer.query('SELECT attempts FROM events.handler_retry')).toEqual([{ attempts: 1 }]),
  );
  expect(await copies('f %')).toEqual([]);
  await consumer.query('UPDATE events.handler_retry SET next_attempt = now()');
  await eventually(async () => expect(await copies('f %')).toEqual(['f flaky']));
});

// Asserts contract/events.md#versions.
test('a handler gets events of an earlier version in the version that it knows', async () => {
  await bus.publish([
    envelopeOf({ type: 'e.counted.v1', data: { text: 'four' } }),
    envelopeOf({ type: 'e.counted.v2', data: { count: 5 } }),
  ]);
  await eventually(() => expect(handled.slice(-2)).toEqual(['e.counted.v2 4', 'e.counted.v2 5']));
});

// Asserts contract/events.md#other-applications.
test('an event with another schema is a dead letter at once, and later events of its subject go on', async () => {
  await bus.publish([
    envelopeOf({ subject: 'p', data: { text: 5 } }),
    envelopeOf({ type: 'e.counted.v1', data: null }),
    envelopeOf({ subject: 'p', data: { text: 'good' } }),
  ]);
  await eventually(async () => expect(await copies('p %')).toEqual(['p good']));
  await eventually(async () =>
    expect((await deadLetters()).toSorted()).toEqual([
      'copy: Its data does not match e.noted.v1: data.text must be string',
      'count: The upcast of e.counted.v1 failed: the log has it, with the id of the event',
    ]),
  );
});

// Asserts contract/events.md#other-applications.
test('handlers of one type get the events of their own source alone', async () => {
  const before = await deadLetters();
  await bus.publish([
    envelopeOf({ subject: 'two', source: '/second' }),
    envelopeOf({ subject: 'two', data: { text: 'first' } }),
  ]);
  await eventually(async () => {
    expect(await copies('two %')).toEqual(['two first']);
    expect(handled).toContain('second two');
  });
  await bus.publish([envelopeOf({ subject: 'two', source: '/second' })]);
  await eventually(() =>
    expect(handled.filter((text) => text.startsWith('second'))).toEqual(['second two', 'second two']),
  );
  expect(await deadLetters()).toEqual(before);
});

// Asserts contract/events.md#other-applications.
test('messages that are no events, have another source or are too long, are dead letters of the broker', async () => {
  const before = await deadLetters();
  const refused = [
    { source: '/mallory' },
    { specversion: '2.0' },
    { subject: 'x'.repeat(1_001) },
    { subject: 'nul \u0000' },
    { data: { text: 'x'.repeat(300 * 1024) } },
    { data: { text: 'nul \u0000' } },
  ];
  await bus.publish([...refused, { subject: 'after', data: { text: 'these' } }].map(envelopeOf));
  await eventually(async () => expect(await copies('after %')).toEqual(['after these']));
  const letters = { urls: [vhost.url], services: ['o'], timeoutMs: 30_000 };
  await eventually(async () => expect(await listDeadLetters(letters)).toHaveLength(refused.length));
  expect(await deadLetters()).toEqual(before);
  expect(await consumer.query(`SELECT FROM events.received WHERE source = '/mallory'`)).toEqual([]);
});

// Asserts contract/events.md#other-applications.
test('metrics count what is received and refused, and have the age of what others do not have yet', async () => {
  const text = await measured.render();
  for (const outcome of ['handled', 'refused'])
    expect(text).toMatch(new RegExp(`lintel_events_consumed_total\\{queue="o.received",outcome="${outcome}"\\} [1-9]`));
  expect(text).toMatch(/^lintel_exchange_unread_age_seconds \d/m);
});

// Asserts contract/events.md#other-applications.
test('an event that the database refuses leaves the others of its statement, and each is stored once', async () => {
  const [one, other] = [envelopeOf({ subject: 'one' }), envelopeOf({ subject: 'other' })].map((each) =>
    JSON.stringify(each),
  );
  const again = JSON.stringify({ ...JSON.parse(one ?? ''), subject: 'again' });
  const store = createReceivedEvents(consumer.database);
  const refusals = await receiveAll([one ?? '', 'no JSON', other ?? ''], store);
  expect([...refusals.keys()]).toEqual(['no JSON']);
  expect(await receiveAll([again, again, one ?? ''], store)).toEqual(new Map());
  await eventually(async () => expect(await copies('o% x')).toEqual(['one x', 'other x']));
  expect(await copies('again %')).toEqual([]);
});

// Asserts contract/events.md#other-applications.
test('received events are not published again', async () => {
  const [row] = await consumer.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM events.outbox WHERE type = 'e.noted.v1'`,
  );
  expect(row?.n).toBeGreaterThan(0);
  // Nor when the outbox keeps them for longer, as for a paused handler.
  await consumer.query(`UPDATE events.received SET received_at = received_at - interval '8 days'`);
  await consumer.query(`UPDATE events.outbox SET created_at = created_at - interval '8 days'`);
  const last = envelopeOf({ subject: 'last' });
  await createReceivedEvents(consumer.database).receive([JSON.stringify(last)]);
  const counts = await createOutboxReplay(consumer.database, { lockTimeoutMs: 1_000 }).count({ since: new Date(0) });
  expect(counts.map(({ type }) => type)).not.toContain('e.noted.v1');
});
