import { eventually } from '@lintel/testkit';
import { sampleEvent, TEST_RETRIES, TYPES } from '../test/event-bus-contract.ts';
import { silentLogger } from '../test/silent-logger.ts';
import { handleAfter } from './handle-after.ts';
import { createInProcessBus } from './in-process/create-in-process-bus.ts';

const queue = { kind: 'work', name: 'q' } as const;

test('a queue is declared during a start, and its events are handled after it', async () => {
  const bus = createInProcessBus({ logger: silentLogger, retries: TEST_RETRIES });
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const calls: string[] = [];
  await handleAfter(started, bus).subscribe({ queue, types: TYPES, handle: async () => void calls.push('handled') });
  await bus.publish([sampleEvent('order-1')]);
  await new Promise(setImmediate);
  calls.push('started');
  start();
  await eventually(() => expect(calls).toEqual(['started', 'handled']));
  await bus.close();
});

test('after a start that failed no event is handled', async () => {
  const bus = createInProcessBus({ logger: silentLogger, retries: TEST_RETRIES, drainTimeoutMs: 0 });
  const handled: string[] = [];
  const failed = Promise.reject(new Error('no database'));
  await handleAfter(failed, bus).subscribe({ queue, types: TYPES, handle: async ({ id }) => void handled.push(id) });
  await bus.publish([sampleEvent('order-1')]);
  await eventually(async () => expect((await bus.administration.deadLetters(1)).letters).toHaveLength(1));
  expect(handled).toEqual([]);
  await bus.close();
});
