import { createDispatcher, type DispatcherOptions } from './create-dispatcher.ts';
import type { ClaimedDelivery } from './delivery.ts';

const CLAIMED: ClaimedDelivery = {
  id: '7',
  leaseId: 'lease',
  eventId: 'event',
  changedAt: '2026-11-20T08:00:00.000Z',
  change: { entity: 't_Deal', id: '1', kind: 'created', attributes: [] },
  attempt: 1,
  waitedMs: 0,
  webhook: { url: 'https://example.com/', owner: 'reader', filter: undefined, became: [], secrets: [] },
};

const options = (): DispatcherOptions => ({
  store: {
    enqueue: async () => ({ hasMore: false, isNeeded: true }),
    replay: async () => {},
    claim: async () => [],
    release: async () => {},
    prune: async () => false,
  },
  deliver: async () => 'delivered',
  concurrency: 1,
  perWebhook: 1,
  leaseMs: 1_000,
  logRetentionMs: 1_000,
  logger: { error: () => {}, warn: () => {} },
});

test('due deliveries are sent although a replay fails', async () => {
  const logged: string[] = [];
  const base = options();
  const delivered = await new Promise<ClaimedDelivery>((resolve) => {
    const dispatcher = createDispatcher({
      ...base,
      store: {
        ...base.store,
        replay: () => Promise.reject(new Error('The statement took too long')),
        claim: async () => [CLAIMED],
      },
      deliver: async (delivery) => {
        resolve(delivery);
        void dispatcher.stop();
        return 'delivered';
      },
      logger: { error: (_fields, text) => void logged.push(text), warn: () => {} },
    });
    dispatcher.start();
  });
  expect(delivered).toBe(CLAIMED);
  expect(logged).toEqual(['Deliveries of webhooks could not be replayed']);
});

test('the log is pruned although no webhook is active, and repeatedly until nothing is left to remove', async () => {
  const base = options();
  let left = 2;
  await new Promise<void>((resolve) => {
    const dispatcher = createDispatcher({
      ...base,
      store: {
        ...base.store,
        enqueue: async () => {
          if (left === 0) {
            resolve();
            void dispatcher.stop();
          } else dispatcher.wake();
          return { hasMore: false, isNeeded: false };
        },
        prune: async () => {
          left -= 1;
          return left > 0;
        },
      },
    });
    dispatcher.start();
  });
  expect(left).toBe(0);
});
