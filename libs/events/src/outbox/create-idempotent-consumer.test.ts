import { sampleEvent } from '../../test/event-bus-contract.ts';
import type { InboxStore } from '../outbox-store.ts';
import { createIdempotentConsumer } from './create-idempotent-consumer.ts';

/** An inbox in memory: what is recorded is forgotten when the work fails. */
function fakeInbox(): InboxStore<{ readonly name: string }> {
  const seen = new Set<string>();
  return {
    once: async (consumer, eventId, work) => {
      const key = `${consumer}/${eventId}`;
      if (seen.has(key)) return;
      await work({ name: 'transaction' });
      seen.add(key);
    },
  };
}

test('an event delivered again is not handled again, an equal event with another id is', async () => {
  const handled: string[] = [];
  const consume = createIdempotentConsumer({
    inbox: fakeInbox(),
    consumer: 'sessions',
    handle: async ({ id }, context) => void handled.push(`${id} in ${context.name}`),
  });
  const [first, second] = [sampleEvent('order-1'), sampleEvent('order-1')];
  for (const event of [first, second, first, second]) await consume(event);
  expect(handled).toEqual([`${first.id} in transaction`, `${second.id} in transaction`]);
});

test('a handler that failed is called again', async () => {
  let calls = 0;
  const consume = createIdempotentConsumer({
    inbox: fakeInbox(),
    consumer: 'sessions',
    handle: async () => {
      calls += 1;
      if (calls === 1) throw new Error('away');
    },
  });
  const event = sampleEvent('order-1');
  await expect(consume(event)).rejects.toThrow('away');
  await consume(event);
  await consume(event);
  expect(calls).toBe(2);
});
