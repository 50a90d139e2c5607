import { eventually } from '@lintel/testkit';
import { describeEventAdministration } from '../../test/event-administration-contract.ts';
import { describeEventBusContract, sampleEvent, TEST_RETRIES, TYPES } from '../../test/event-bus-contract.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import { createInProcessBus } from './create-in-process-bus.ts';

const create = () => createInProcessBus({ logger: silentLogger, retries: TEST_RETRIES, drainTimeoutMs: 500 });

describeEventBusContract('the in-process bus keeps the promises of the bus', async () => create().forService('demo'));

test('work queues of two services with the same name are two queues', async () => {
  const bus = create();
  const seen: string[] = [];
  for (const service of ['data', 'auth']) {
    const queue = { kind: 'work', name: 'users' } as const;
    await bus.forService(service).subscribe({ queue, types: TYPES, handle: async () => void seen.push(service) });
  }
  await bus.publish([sampleEvent('order-1')]);
  await eventually(() => expect(seen.toSorted()).toEqual(['auth', 'data']));
  await bus.close();
});

test('a service that closes its view leaves the others their subscriptions', async () => {
  const bus = create();
  const seen: string[] = [];
  const [data, auth] = [bus.forService('data'), bus.forService('auth')];
  for (const view of [data, auth]) {
    const name = view === data ? 'data' : 'auth';
    const queue = { kind: 'replica', service: name } as const;
    await view.subscribe({ queue, types: TYPES, handle: async () => void seen.push(name) });
  }
  await data.close();
  await auth.publish([sampleEvent('order-1')]);
  await eventually(() => expect(seen).toEqual(['auth']));
  expect(bus.isConnected()).toBe(true);
  await bus.close();
});

test('closing the bus handles what is queued first', async () => {
  const bus = create();
  let handled = 0;
  const handle = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    handled += 1;
  };
  await bus.subscribe({ queue: { kind: 'work', name: 'slow' }, types: TYPES, handle });
  await bus.publish(Array.from({ length: 20 }, () => sampleEvent('one-subject')));
  await bus.close();
  expect(handled).toBe(20);
});

test('an event whose data does not match its type reaches no handler, and is a dead letter', async () => {
  const bus = create();
  const handled: string[] = [];
  const handle = async ({ id }: { id: string }) => void handled.push(id);
  await bus.subscribe({ queue: { kind: 'work', name: 'q' }, types: TYPES, handle });
  await bus.publish([{ ...sampleEvent('order-1'), data: { entity: 42 } }]);
  const { letters } = await bus.administration.deadLetters(1);
  expect(letters).toMatchObject([{ queue: 'q', type: 'data.entity.changed.v1' }]);
  expect(await bus.administration.retry(letters[0]?.key ?? '')).toBe('retried');
  expect((await bus.administration.deadLetters(1)).total).toBe(1);
  await bus.close();
  expect(handled).toEqual([]);
});

describeEventAdministration('the administration of the in-process bus', async () => {
  const bus = create();
  return { bus: bus.forService('demo'), administration: bus.administration, close: () => bus.close() };
});

// Asserts contract/operations.md#dead-letters.
test('a dead letter whose queue no longer exists is kept', async () => {
  const bus = create();
  const refuse = async (): Promise<void> => {
    throw Object.assign(new Error('no'), { retryable: false });
  };
  const subscription = await bus.subscribe({ queue: { kind: 'work', name: 'q' }, types: TYPES, handle: refuse });
  await bus.publish([sampleEvent('order-1')]);
  await eventually(async () => expect((await bus.administration.deadLetters(1)).total).toBe(1));
  await subscription.close();
  const { letters } = await bus.administration.deadLetters(1);
  expect(await bus.administration.retry(letters[0]?.key ?? '')).toBe('no-queue');
  expect((await bus.administration.deadLetters(1)).total).toBe(1);
  await bus.close();
});
