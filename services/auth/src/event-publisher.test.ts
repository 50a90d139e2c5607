import type { Envelope } from '@lintel/contracts';
import type { EventBus } from '@lintel/events';
import { createEventPublisher } from './event-publisher.ts';

/** A bus that can be disconnected. */
function createFakeBus() {
  const published: Envelope[] = [];
  let isConnected = true;
  let listener: (state: 'connected' | 'disconnected') => void = () => {};
  const bus: EventBus = {
    publish: async (envelopes) => {
      if (!isConnected) throw new Error('no broker');
      published.push(...envelopes);
    },
    subscribe: () => Promise.reject(new Error('not used')),
    onConnection: (next) => {
      listener = next;
    },
    isConnected: () => isConnected,
    close: () => Promise.resolve(),
  };
  return {
    bus,
    published,
    setConnected(value: boolean) {
      isConnected = value;
      listener(value ? 'connected' : 'disconnected');
    },
  };
}

const settled: string[] = [];
const ownWrites = {
  settle: async (facts: readonly { readonly type: string }[]) => void settled.push(...facts.map(({ type }) => type)),
};
const warnings: string[] = [];
const logger = {
  debug: () => {},
  info: () => {},
  warn: (_fields: object, message: string) => {
    warnings.push(message);
  },
  error: () => {},
  child: () => logger,
};
const create = (bus: EventBus) => {
  let id = 0;
  const ids = {
    next: () => {
      id += 1;
      return String(id);
    },
  };
  return createEventPublisher({ bus, logger, clock: { now: () => 0 }, ids, ownWrites });
};

describe('events of auth', () => {
  test('are published with their owner, subject and data', async () => {
    const { bus, published } = createFakeBus();
    await create(bus).publish('auth.session.ended.v1', 'S1', { sessionId: 'S1', username: 'clerk' });
    expect(published).toEqual([
      expect.objectContaining({
        id: '1',
        source: '/lintel/auth',
        type: 'auth.session.ended.v1',
        subject: 'S1',
        data: { sessionId: 'S1', username: 'clerk' },
      }),
    ]);
  });

  test('wait for the broker without failing what caused them', async () => {
    const fake = createFakeBus();
    const publisher = create(fake.bus);
    fake.setConnected(false);
    for (const sessionId of ['S1', 'S2'])
      await publisher.publish('auth.session.ended.v1', sessionId, { sessionId, username: 'clerk' });
    expect(fake.published).toEqual([]);
    expect(warnings).toEqual(['events of auth wait for the broker', 'events of auth wait for the broker']);
    fake.setConnected(true);
    expect(fake.published.map(({ subject }) => subject)).toEqual(['S1', 'S2']);
  });
});
