import { createTestVhost, eventually, type TestVhost } from '@lintel/testkit';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { sampleEvent, TEST_RETRIES, TYPES } from '../../test/event-bus-contract.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import type { EventBus } from '../index.ts';
import { createAmqpBus } from './create-amqp-bus.ts';
import { type DeadLetterOptions, discardDeadLetters, listDeadLetters, retryDeadLetters } from './dead-letters.ts';

let vhost: TestVhost;
let control: ChannelModel;
let channel: Channel;
let bus: EventBus;
let options: DeadLetterOptions;
/** Ids of the events that the handler refuses. */
let refused: Set<string>;
let seen: string[];

beforeAll(async () => {
  vhost = await createTestVhost('dead');
  control = await connect(vhost.url);
  channel = await control.createChannel();
  options = { urls: ['amqp://127.0.0.1:1', vhost.url], services: ['demo', 'absent'], timeoutMs: 10_000 };
  bus = await createAmqpBus({
    urls: [vhost.url],
    service: 'demo',
    instanceId: 'test-1',
    clock: { now: () => Date.now() },
    logger: silentLogger,
    retries: TEST_RETRIES,
    drainTimeoutMs: 1_000,
  });
  await bus.subscribe({
    queue: { kind: 'work', name: 'orders' },
    types: TYPES,
    handle: async ({ id }) => {
      seen.push(id);
      if (refused.has(id)) throw new Error('no');
    },
  });
});
beforeEach(() => {
  refused = new Set();
  seen = [];
});
afterEach(() => channel.purgeQueue('demo.dead-letters'));
afterAll(async () => {
  await bus.close();
  await control.close();
  await vhost.drop();
});

/** Publishes events that are refused; resolves when they are dead letters. Subjects have no order. */
async function refusedEvents(...keys: readonly string[]) {
  const events = keys.map((key) => sampleEvent(key));
  refused = new Set(events.map(({ id }) => id));
  await bus.publish(events);
  await eventually(async () =>
    expect((await listDeadLetters(options)).map(({ id }) => id).toSorted()).toEqual(
      events.map(({ id }) => id).toSorted(),
    ),
  );
  return events;
}

test('dead letters are listed with their queue, and stay however often they are listed', async () => {
  const [first, second] = await refusedEvents('order-1', 'order-2');
  for (let times = 0; times < 45; times += 1) await listDeadLetters(options);
  const listed = await listDeadLetters(options);
  expect(listed.toSorted((one, other) => (one.subject ?? '').localeCompare(other.subject ?? ''))).toEqual([
    expect.objectContaining({ service: 'demo', id: first?.id, subject: first?.subject, queue: 'demo.orders' }),
    expect.objectContaining({ type: second?.type, reason: 'rejected', time: expect.any(Date) }),
  ]);
});

test('a letter is handled once more, and the others stay', async () => {
  const [first, second] = await refusedEvents('order-1', 'order-2');
  refused.clear();
  seen = [];
  const { retried, kept } = await retryDeadLetters(options, ({ id }) => id === second?.id);
  expect([retried.map(({ id }) => id), kept]).toEqual([[second?.id], []]);
  await eventually(() => expect(seen).toEqual([second?.id]));
  expect((await listDeadLetters(options)).map(({ id }) => id)).toEqual([first?.id]);
});

test('a letter that is discarded is removed for good, and the others stay', async () => {
  const [first, second] = await refusedEvents('order-1', 'order-2');
  refused.clear();
  seen = [];
  expect(await discardDeadLetters(options, ({ id }) => id === second?.id)).toMatchObject([{ id: second?.id }]);
  expect((await listDeadLetters(options)).map(({ id }) => id)).toEqual([first?.id]);
  await retryDeadLetters(options, () => true);
  await eventually(() => expect(seen).toEqual([first?.id]));
});

test('a letter that is refused again is a dead letter of the same queue again', async () => {
  const [event] = await refusedEvents('order-1');
  await retryDeadLetters(options, () => true);
  await eventually(async () =>
    expect(await listDeadLetters(options)).toEqual([expect.objectContaining({ id: event?.id, queue: 'demo.orders' })]),
  );
});

test('a letter whose queue no longer exists, and what is no event, is kept', async () => {
  await channel.assertQueue('gone', {
    autoDelete: true,
    arguments: { 'x-dead-letter-exchange': 'demo.dlx' },
  });
  channel.sendToQueue('gone', Buffer.from('{not json'), { messageId: 'poison' });
  await eventually(async () => {
    const message = await channel.get('gone');
    if (message === false) throw new Error('not yet');
    channel.nack(message, false, false);
  });
  await eventually(async () => expect(await listDeadLetters(options)).toHaveLength(1));
  await channel.deleteQueue('gone');
  const letter = { id: 'poison', type: undefined, queue: 'gone' };
  expect(await retryDeadLetters(options, () => true)).toMatchObject({ retried: [], kept: [letter] });
  expect(await listDeadLetters(options)).toMatchObject([letter]);
});
