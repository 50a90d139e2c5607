import { eventually } from '@lintel/testkit';
import { sampleEvent } from '../../test/event-bus-contract.ts';
import { FakeBus } from '../../test/fake-bus.ts';
import { FakeOutbox } from '../../test/fake-outbox.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import { createOutboxRelay, type OutboxRelay, type OutboxRelayOptions } from './create-outbox-relay.ts';

const running: OutboxRelay[] = [];
afterEach(() => Promise.all(running.splice(0).map((relay) => relay.stop())));

function setUp(options: Partial<OutboxRelayOptions> = {}) {
  const store = new FakeOutbox();
  const bus = new FakeBus();
  let nowMs = Date.parse('2026-11-21T10:00:00Z');
  const relay = createOutboxRelay({
    store,
    bus,
    logger: silentLogger,
    clock: { now: () => nowMs },
    pollIntervalMs: 60_000,
    ...options,
  });
  running.push(relay);
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { store, bus, relay, advance };
}

test('what waits at the start is published in batches and marked', async () => {
  const { store, bus, relay } = setUp({ batchSize: 10 });
  const events = Array.from({ length: 25 }, () => sampleEvent('order-1'));
  store.append(...events);
  relay.start();
  await eventually(() => expect(store.published).toEqual(events.map((event) => event.id)));
  expect(bus.published).toEqual(store.published);
  expect(bus.publications).toBe(3);
});

test('a notification wakes the relay at once', async () => {
  const { store, relay } = setUp();
  relay.start();
  await eventually(() => expect(store.listeners).toBe(1));
  store.append(sampleEvent('order-1'));
  store.notify();
  await eventually(() => expect(store.published).toHaveLength(1));
});

test('an entry whose notification was lost is found by the periodic look', async () => {
  const { store, relay } = setUp({ pollIntervalMs: 20 });
  relay.start();
  await eventually(() => expect(store.batches).toBeGreaterThan(0));
  store.append(sampleEvent('order-1'));
  await eventually(() => expect(store.published).toHaveLength(1));
});

test('without notifications the periodic look goes on', async () => {
  const { store, relay } = setUp({ pollIntervalMs: 20 });
  store.listenFails = true;
  relay.start();
  store.append(sampleEvent('order-1'));
  await eventually(() => expect(store.published).toHaveLength(1));
  store.listenFails = false;
  await eventually(() => expect(store.listeners).toBe(1));
});

test('a batch that was not confirmed stays and is published again', async () => {
  const { store, bus, relay } = setUp();
  const events = [sampleEvent('a'), sampleEvent('b')];
  store.append(...events);
  bus.failAfter.push(1);
  relay.start();
  await eventually(() => expect(store.published).toHaveLength(2));
  const [first, second] = events.map((event) => event.id);
  expect(bus.published).toEqual([first, first, second]);
});

test('without a broker no batch is begun, and its return wakes the relay', async () => {
  const { store, bus, relay } = setUp();
  bus.connected = false;
  store.append(sampleEvent('order-1'));
  relay.start();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(store.batches).toBe(0);
  bus.change(true);
  await eventually(() => expect(store.published).toHaveLength(1));
});

test('new entries do not defeat the back-off after a failure', async () => {
  const { store, bus, relay } = setUp({ backOff: { initialDelayMs: 60_000, maxDelayMs: 60_000 } });
  bus.failAfter.push(...Array.from({ length: 100 }, () => 0));
  store.append(sampleEvent('order-1'));
  relay.start();
  await eventually(() => expect(bus.publications).toBe(1));
  for (let count = 0; count < 100; count += 1) {
    store.notify();
    await new Promise(setImmediate);
  }
  expect(bus.publications).toBe(1);
});

test('the age of the oldest entry grows while it cannot be published', async () => {
  const { store, bus, relay, advance } = setUp();
  expect(relay.oldestAgeMs()).toBe(0);
  store.append(sampleEvent('order-1'));
  bus.failAfter.push(0);
  relay.start();
  await eventually(() => expect(bus.publications).toBe(1));
  advance(1_500);
  expect(relay.oldestAgeMs()).toBe(1_500);
  await eventually(() => expect(store.published).toHaveLength(1));
  expect(relay.oldestAgeMs()).toBe(0);
});

test('stopping waits for the running batch and ends the listening', async () => {
  const { store, bus, relay } = setUp();
  store.append(sampleEvent('order-1'));
  relay.start();
  await eventually(() => expect(bus.publications).toBe(1));
  await relay.stop();
  expect(store.published).toHaveLength(1);
  expect(store.listeners).toBe(0);
  store.append(sampleEvent('order-2'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(store.published).toHaveLength(1);
});

test('a relay that never ran stops', async () => {
  const { relay } = setUp();
  await relay.stop();
});
