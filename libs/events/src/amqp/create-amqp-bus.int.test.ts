import type { Envelope } from '@lintel/contracts';
import { createTestVhost, eventually, startTcpProxy, type TcpProxy, type TestVhost } from '@lintel/testkit';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { describeEventBusContract, sampleEvent, TEST_RETRIES, TYPES } from '../../test/event-bus-contract.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import type { EventBus } from '../index.ts';
import { type AmqpBusOptions, createAmqpBus } from './create-amqp-bus.ts';

const REPLICA = { kind: 'replica', service: 'demo' } as const;

let vhost: TestVhost;
let proxy: TcpProxy;
let control: ChannelModel;
let channel: Channel;
const open: EventBus[] = [];

/** A work queue of one test: events that wait in another's do not disturb it. */
let work: { readonly kind: 'work'; readonly name: string };
let workNumber = 0;
beforeEach(() => {
  workNumber += 1;
  work = { kind: 'work', name: `orders-${workNumber}` };
});

beforeAll(async () => {
  vhost = await createTestVhost('bus');
  const { hostname, port } = new URL(vhost.url);
  proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  control = await connect(vhost.url);
  channel = await control.createChannel();
});

afterEach(async () => {
  proxy.restore();
  await Promise.all(open.splice(0).map((bus) => bus.close()));
});

afterAll(async () => {
  await control.close();
  await proxy.close();
  await vhost.drop();
});

async function createBus(options: Partial<AmqpBusOptions> = {}): Promise<EventBus> {
  const bus = await createAmqpBus({
    urls: [vhost.url],
    service: 'demo',
    instanceId: 'test-1',
    clock: { now: () => Date.now() },
    logger: silentLogger,
    retries: TEST_RETRIES,
    drainTimeoutMs: 1_000,
    ...options,
  });
  open.push(bus);
  return bus;
}

/** A bus whose wire the test can cut. */
const createCuttableBus = (options: Partial<AmqpBusOptions> = {}): Promise<EventBus> => {
  const url = new URL(vhost.url);
  url.port = String(proxy.port);
  return createBus({ urls: [url.href], ...options });
};

/** The next event of a queue; throws if it stays empty. */
const nextOf = (queue: string) =>
  eventually(async () => {
    const message = await channel.get(queue, { noAck: true });
    if (message === false) throw new Error(`${queue} is empty`);
    return message;
  });

describeEventBusContract('the AMQP bus keeps the promises of the bus', () => createBus());

test('an event travels persistent, typed and with its trace context', async () => {
  const bus = await createBus();
  await bus.subscribe({ queue: REPLICA, types: TYPES, handle: async () => {} });
  await channel.assertQueue('spy', { exclusive: false, autoDelete: true, durable: false });
  await channel.bindQueue('spy', 'data.events', '#');
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const event: Envelope = { ...sampleEvent('order-1'), traceparent };
  await bus.publish([event]);
  const message = await nextOf('spy');
  expect(message.properties).toMatchObject({
    deliveryMode: 2,
    contentType: 'application/cloudevents+json',
    messageId: event.id,
    type: 'data.entity.changed.v1',
    appId: 'demo',
    headers: { traceparent },
  });
  expect(message.fields.routingKey).toBe('data.entity.changed.v1');
  expect(JSON.parse(message.content.toString())).toEqual(event);
  await channel.deleteQueue('spy');
});

test('an event without a subscriber ends in the alternate exchange', async () => {
  const bus = await createBus();
  await bus.publish([sampleEvent('warm-up')]);
  await channel.purgeQueue('lintel.unroutable');
  const event: Envelope = { ...sampleEvent('order-1'), type: 'data.nothing.heard.v1' };
  await bus.publish([event]);
  expect((await nextOf('lintel.unroutable')).properties.messageId).toBe(event.id);
});

test('a topology that was deleted under the bus is declared again by the next publications', async () => {
  const bus = await createBus();
  await bus.publish([sampleEvent('order-1')]);
  await channel.deleteQueue('lintel.unroutable');
  const event: Envelope = { ...sampleEvent('order-1'), type: 'data.nothing.heard.v1' };
  await expect(bus.publish([event])).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
  await bus.publish([event]);
  await channel.deleteExchange('data.events');
  await expect(bus.publish([event])).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
  await bus.publish([event]);
});

test('a poison message is dead-lettered at once and the next event is handled', async () => {
  const bus = await createBus();
  const seen: string[] = [];
  await bus.subscribe({ queue: work, types: TYPES, handle: async ({ id }) => void seen.push(id) });
  await channel.purgeQueue('demo.dead-letters');
  const [type = ''] = TYPES;
  channel.publish('data.events', type, Buffer.from('{not json'), { messageId: 'poison-1' });
  channel.publish('data.events', type, Buffer.from('{"id":"x"}'), { messageId: 'poison-2' });
  const event = sampleEvent('order-1');
  await bus.publish([event]);
  await eventually(() => expect(seen).toEqual([event.id]));
  const poison = [await nextOf('demo.dead-letters'), await nextOf('demo.dead-letters')];
  expect(poison.map((message) => message.properties.messageId)).toEqual(['poison-1', 'poison-2']);
});

test('an event that its handler refuses is dead-lettered with the queue it came from', async () => {
  const bus = await createBus();
  const handle = async () => {
    throw new Error('no');
  };
  await bus.subscribe({ queue: work, types: TYPES, handle });
  await channel.purgeQueue('demo.dead-letters');
  const event = sampleEvent('order-1');
  await bus.publish([event]);
  const letter = await nextOf('demo.dead-letters');
  expect(letter.properties.messageId).toBe(event.id);
  expect(letter.properties.headers?.['x-first-death-queue']).toBe(`demo.${work.name}`);
});

test('events of a work queue wait for a consumer that is away', async () => {
  const first = await createBus();
  const subscription = await first.subscribe({ queue: work, types: TYPES, handle: async () => {} });
  await subscription.close();
  const event = sampleEvent('order-1');
  await first.publish([event]);
  const seen: string[] = [];
  const second = await createBus();
  await second.subscribe({ queue: work, types: TYPES, handle: async ({ id }) => void seen.push(id) });
  await eventually(() => expect(seen).toEqual([event.id]));
});

test('a consumer that leaves hands its unhandled events over in order', async () => {
  const first = await createBus();
  const seen: string[] = [];
  const slowly = async (envelope: Envelope): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    seen.push((envelope.data as { by: string }).by);
  };
  await first.subscribe({ queue: work, types: TYPES, handle: slowly });
  const second = await createBus({ instanceId: 'test-2' });
  await second.subscribe({ queue: work, types: TYPES, handle: slowly });
  await second.publish(Array.from({ length: 30 }, (_, number) => sampleEvent('one', number)));
  await eventually(() => expect(seen.length).toBeGreaterThan(5));
  await first.close();
  await eventually(() => expect(seen).toHaveLength(30));
  expect(seen).toEqual(Array.from({ length: 30 }, (_, number) => String(number)));
});

test('a process that is at a job leaves the others to the next process, and its own where it dies', async () => {
  const queue = { kind: 'jobs', name: `jobs-${workNumber}`, concurrency: 1 } as const;
  const seen: string[] = [];
  const first = await createCuttableBus();
  const stuck = new Promise<void>(() => {});
  await first.subscribe({
    queue,
    types: TYPES,
    handle: async ({ subject }) => {
      seen.push(`first ${subject}`);
      await stuck;
    },
  });
  const sender = await createBus({ instanceId: 'test-2' });
  await sender.publish([sampleEvent('a')]);
  await eventually(() => expect(seen).toEqual(['first a']));
  await sender.subscribe({ queue, types: TYPES, handle: async ({ subject }) => void seen.push(`second ${subject}`) });
  await sender.publish([sampleEvent('b')]);
  await eventually(() => expect(seen).toEqual(['first a', 'second b']));
  proxy.block();
  await eventually(() => expect(seen).toEqual(['first a', 'second b', 'second a']));
});

test('a cut connection comes back with its subscriptions, and says so', async () => {
  const bus = await createCuttableBus();
  const states: string[] = [];
  bus.onConnection((state) => states.push(state));
  const seen: Record<string, string[]> = { work: [], replica: [] };
  for (const queue of [work, REPLICA]) {
    await bus.subscribe({ queue, types: TYPES, handle: async ({ id }) => void seen[queue.kind]?.push(id) });
  }
  proxy.cutConnections();
  await eventually(() => expect(states).toEqual(['disconnected', 'connected']));
  expect(bus.isConnected()).toBe(true);
  const event = sampleEvent('order-1');
  await bus.publish([event]);
  await eventually(() => expect(seen).toEqual({ work: [event.id], replica: [event.id] }));
});

test('connections that the broker closes come back', async () => {
  const bus = await createBus();
  const states: string[] = [];
  bus.onConnection((state) => states.push(state));
  // The management API learns of a connection a moment after it is made.
  await eventually(
    async () => {
      await vhost.closeConnections();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(states.slice(0, 2)).toEqual(['disconnected', 'connected']);
    },
    { timeoutMs: 20_000, intervalMs: 500 },
  );
  control = await connect(vhost.url);
  channel = await control.createChannel();
  await eventually(() => bus.publish([sampleEvent('order-1')]));
});

test('an event whose acknowledgement was lost with the connection is delivered again', async () => {
  const bus = await createCuttableBus();
  const seen: string[] = [];
  const handle = async ({ id }: Envelope): Promise<void> => {
    seen.push(id);
    if (seen.length === 1) proxy.cutConnections();
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await bus.subscribe({ queue: work, types: TYPES, handle });
  const sender = await createBus();
  const event = sampleEvent('order-1');
  await sender.publish([event]);
  await eventually(() => expect(seen).toEqual([event.id, event.id]));
});

test('publishing without a connection waits for it, and gives up after its bound', async () => {
  const [patient, hasty] = [
    await createCuttableBus({ publishTimeoutMs: 120_000 }),
    await createCuttableBus({ publishTimeoutMs: 100 }),
  ];
  proxy.block();
  await eventually(() => expect([patient.isConnected(), hasty.isConnected()]).toEqual([false, false]));
  const published = patient.publish([sampleEvent('order-1')]);
  await expect(hasty.publish([sampleEvent('order-1')])).rejects.toMatchObject({
    code: 'BUS_UNAVAILABLE',
    retryable: true,
  });
  proxy.restore();
  await published;
});

test('a broker that went silent without closing is noticed, and publishing is refused within its bound', async () => {
  const bus = await createCuttableBus({ heartbeatSeconds: 1 });
  const hasty = await createCuttableBus({ publishTimeoutMs: 100, heartbeatSeconds: 1 });
  await bus.publish([sampleEvent('order-1')]);
  proxy.freeze();
  await expect(hasty.publish([sampleEvent('order-1')])).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
  await eventually(() => expect(bus.isConnected()).toBe(false));
  proxy.restore();
  await eventually(() => expect(bus.isConnected()).toBe(true));
  await bus.publish([sampleEvent('order-1')]);
});

test('a bus whose broker went silent closes all the same', async () => {
  const bus = await createCuttableBus();
  await bus.subscribe({ queue: REPLICA, types: TYPES, handle: async () => {} });
  proxy.freeze();
  await bus.close();
});

test('the next address is tried where one does not answer', async () => {
  const bus = await createBus({ urls: ['amqp://127.0.0.1:1', vhost.url] });
  expect(bus.isConnected()).toBe(true);
});

test('without a broker the bus starts unconnected and closes at once', async () => {
  const bus = await createBus({ urls: ['amqp://127.0.0.1:1'], connectTimeoutMs: 300, publishTimeoutMs: 100 });
  expect(bus.isConnected()).toBe(false);
  await bus.subscribe({ queue: REPLICA, types: TYPES, handle: async () => {} });
  await expect(bus.publish([sampleEvent('order-1')])).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
  await bus.close();
});

test('a subscription made while there was no connection works with the first one', async () => {
  proxy.block();
  const bus = await createCuttableBus({ connectTimeoutMs: 100 });
  const seen: string[] = [];
  await bus.subscribe({ queue: REPLICA, types: TYPES, handle: async ({ id }) => void seen.push(id) });
  proxy.restore();
  await eventually(() => expect(bus.isConnected()).toBe(true));
  const event = sampleEvent('order-1');
  await bus.publish([event]);
  await eventually(() => expect(seen).toEqual([event.id]));
});

test('a queue that exists with other arguments refuses the subscription', async () => {
  await channel.assertQueue('demo.odd', { durable: true });
  const bus = await createBus();
  const subscribing = bus.subscribe({ queue: { kind: 'work', name: 'odd' }, types: TYPES, handle: async () => {} });
  await expect(subscribing).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(bus.isConnected()).toBe(true);
  await channel.deleteQueue('demo.odd');
});

test('a queue deleted under its consumer is made again', async () => {
  const bus = await createBus();
  const seen: string[] = [];
  const states: string[] = [];
  bus.onConnection((state) => states.push(state));
  await bus.subscribe({ queue: work, types: TYPES, handle: async ({ id }) => void seen.push(id) });
  await channel.deleteQueue(`demo.${work.name}`);
  await eventually(() => expect(states).toEqual(['disconnected', 'connected']));
  const event = sampleEvent('order-1');
  await bus.publish([event]);
  await eventually(() => expect(seen).toEqual([event.id]));
});

test('addresses that are none are refused', async () => {
  await expect(createBus({ urls: [] })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  await expect(createBus({ urls: ['http://localhost'] })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
});
