import { createTestVhost, eventually, startTcpProxy, type TcpProxy, type TestVhost } from '@lintel/testkit';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { sampleEvent, TEST_RETRIES, TYPES } from '../../test/event-bus-contract.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import type { EventBus } from '../index.ts';
import { type AmqpBusOptions, createAmqpBus } from './create-amqp-bus.ts';

const PATIENT = { timeoutMs: 60_000 };
const REPLICA = { kind: 'replica', service: 'demo' } as const;

let vhost: TestVhost;
/** Two ways to the broker, as the addresses of two nodes are. */
let nodes: readonly [TcpProxy, TcpProxy];
const open: EventBus[] = [];
/** What the buses warned of. */
let warnings: { readonly fields: object; readonly text: string }[];

let work: { readonly kind: 'work'; readonly name: string };
let workNumber = 0;
beforeEach(() => {
  warnings = [];
  workNumber += 1;
  work = { kind: 'work', name: `outage-${workNumber}` };
});

beforeAll(async () => {
  vhost = await createTestVhost('outages');
  const { hostname, port } = new URL(vhost.url);
  const startNode = () => startTcpProxy({ host: hostname, port: Number(port) });
  nodes = [await startNode(), await startNode()];
});

afterEach(async () => {
  for (const node of nodes) node.restore();
  await Promise.all(open.splice(0).map((bus) => bus.close()));
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await vhost.drop();
});

const urlOf = (node: TcpProxy): string => {
  const url = new URL(vhost.url);
  url.port = String(node.port);
  return url.href;
};

async function createBus(options: Partial<AmqpBusOptions> = {}): Promise<EventBus> {
  const bus = await createAmqpBus({
    urls: nodes.map(urlOf),
    service: 'demo',
    instanceId: 'test-1',
    clock: { now: () => Date.now() },
    logger: {
      ...silentLogger,
      warn: (fields: object, text: string) => void warnings.push({ fields, text }),
    } as typeof silentLogger,
    retries: TEST_RETRIES,
    drainTimeoutMs: 1_000,
    ...options,
  });
  open.push(bus);
  return bus;
}

/** Subscribes both kinds of queues; returns the ids that they received. */
async function subscribe(bus: EventBus): Promise<Record<'work' | 'replica', string[]>> {
  const seen = { work: [] as string[], replica: [] as string[] };
  for (const queue of [work, REPLICA] as const)
    await bus.subscribe({ queue, types: TYPES, handle: async ({ id }) => void seen[queue.kind].push(id) });
  return seen;
}

/** An event gets through to both queues. */
async function expectThrough(bus: EventBus, seen: Record<'work' | 'replica', string[]>): Promise<void> {
  const event = sampleEvent('order-1');
  // With short heartbeats, a machine that stands still loses its connection again.
  await eventually(() => bus.publish([event]), PATIENT);
  await eventually(() => {
    for (const ids of Object.values(seen)) expect(ids).toContain(event.id);
  }, PATIENT);
}

async function onBroker<T>(task: (channel: Channel) => Promise<T>): Promise<T> {
  const model: ChannelModel = await connect(vhost.url);
  try {
    return await task(await model.createChannel());
  } finally {
    await model.close();
  }
}

test('a node that goes away leaves the work to the next one, and that one to the first', async () => {
  const bus = await createBus();
  const seen = await subscribe(bus);
  const states: string[] = [];
  bus.onConnection((state) => states.push(state));
  const [first, second] = nodes;
  expect([first, second].map((node) => node.connectionCount())).toEqual([1, 0]);
  first.block();
  await eventually(() => expect(states).toEqual(['disconnected', 'connected']));
  expect(second.connectionCount()).toBe(1);
  await expectThrough(bus, seen);
  first.restore();
  second.block();
  await eventually(() => expect(states).toEqual(['disconnected', 'connected', 'disconnected', 'connected']));
  expect(first.connectionCount()).toBe(1);
  await expectThrough(bus, seen);
});

test('a node that accepts connections and says nothing is given up for the next one', async () => {
  const [first, second] = nodes;
  first.freeze();
  const bus = await createBus({ responseTimeoutMs: 1_000 });
  await eventually(() => expect([bus.isConnected(), second.connectionCount()]).toEqual([true, 1]));
});

test('a half-open connection is noticed within three heartbeats, and the next node takes over', async () => {
  const [first, second] = nodes;
  const bus = await createBus({ heartbeatSeconds: 1 });
  const seen = await subscribe(bus);
  first.freeze();
  // Without heartbeats nothing would ever be noticed.
  await eventually(() => expect([bus.isConnected(), second.connectionCount()]).toEqual([true, 1]), PATIENT);
  await expectThrough(bus, seen);
});

test('everything is declared again on a broker that has lost everything', async () => {
  const bus = await createBus();
  const seen = await subscribe(bus);
  await bus.publish([sampleEvent('before')]);
  const states: string[] = [];
  bus.onConnection((state) => states.push(state));
  await vhost.loseEverything();
  await eventually(() => expect(states).toEqual(['disconnected', 'connected']));
  await expectThrough(bus, seen);
  await onBroker(async (channel) => {
    for (const exchange of ['data.events', 'lintel.unroutable', 'demo.dlx']) await channel.checkExchange(exchange);
    for (const queue of ['lintel.unroutable', 'demo.dead-letters', `demo.${work.name}`])
      await channel.checkQueue(queue);
  });
});

test('a process holds no more events of a queue than it may handle at a time', async () => {
  const bus = await createBus({ prefetch: 3 });
  let handling = 0;
  let finish = (): void => {};
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await bus.subscribe({
    queue: work,
    types: TYPES,
    handle: async () => {
      handling += 1;
      await gate;
    },
  });
  await bus.publish(Array.from({ length: 10 }, (_, number) => sampleEvent(`order-${number}`)));
  await eventually(() => expect(handling).toBe(3));
  // What waits at the broker is what was not handed out.
  await onBroker(async (channel) => {
    await eventually(async () => expect((await channel.checkQueue(`demo.${work.name}`)).messageCount).toBe(7));
  });
  finish();
  await eventually(() => expect(handling).toBe(10));
});

test('an event that comes back is logged and refused', async () => {
  const bus = await createBus();
  await bus.publish([sampleEvent('order-1')]);
  await onBroker(async (channel) => {
    await channel.deleteQueue('lintel.unroutable');
  });
  const event = { ...sampleEvent('order-2'), type: 'data.nothing.heard.v1' };
  await expect(bus.publish([event])).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
  expect(warnings).toContainEqual({
    fields: expect.objectContaining({ eventId: event.id, eventType: event.type, reason: 'NO_ROUTE' }),
    text: 'The broker returned an event: exchanges or queues of the topology are missing',
  });
});
