import type { Envelope } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { currentTraceId } from '@lintel/telemetry';
import { eventually } from '@lintel/testkit';
import { createEnvelope, type EventBus, type RetryPolicy } from '../src/index.ts';

/** Short enough for tests: what takes minutes in service takes milliseconds here. */
export const TEST_RETRIES: RetryPolicy = { maxAttempts: 4, initialDelayMs: 5, maxDelayMs: 20 };

let count = 0;

/** An event of a subject, with its number in `by`. */
export function sampleEvent(subject: string | undefined, number = 0): Envelope {
  count += 1;
  return createEnvelope({
    owner: 'data',
    type: 'data.entity.changed.v1',
    subject,
    data: { entity: 'sales_Order', id: subject ?? null, change: 'updated', attributes: ['status'], by: String(number) },
    id: `event-${count}`,
    time: new Date('2026-11-21T10:00:00Z'),
  });
}

export const userEvent = (username: string): Envelope =>
  createEnvelope({
    owner: 'data',
    type: 'data.user.changed.v1',
    subject: username,
    data: { username, change: 'updated' },
    id: `user-event-${++count}`,
    time: new Date('2026-11-21T10:00:00Z'),
  });

export const TYPES = ['data.entity.changed.v1'] as const;

/** The contract of every adapter of the bus. `create` makes a bus with `TEST_RETRIES` for the service `demo`. */
export function describeEventBusContract(name: string, create: () => Promise<EventBus>): void {
  describe(name, () => {
    let bus: EventBus;
    beforeEach(async () => {
      bus = await create();
    });
    afterEach(() => bus.close());

    let queueNumber = 0;
    const workQueue = () => ({ kind: 'work', name: `contract-${++queueNumber}` }) as const;
    const replica = { kind: 'replica', service: 'demo' } as const;
    const ignore = async (): Promise<void> => {};

    test('an event reaches every queue that subscribed to its type, and no other', async () => {
      const seen: Record<string, string[]> = { work: [], replica: [], users: [] };
      const record = (key: string) => async (envelope: Envelope) => {
        seen[key]?.push(envelope.id);
      };
      await bus.subscribe({ queue: workQueue(), types: TYPES, handle: record('work') });
      await bus.subscribe({ queue: replica, types: TYPES, handle: record('replica') });
      await bus.subscribe({ queue: replica, types: ['data.user.changed.v1'], handle: record('users') });
      const [order, user] = [sampleEvent('order-1'), userEvent('clerk')];
      await bus.publish([order, user]);
      await eventually(() => {
        expect(seen).toEqual({ work: [order.id], replica: [order.id], users: [user.id] });
      });
    });

    test('an event arrives as it was published', async () => {
      const seen: Envelope[] = [];
      await bus.subscribe({ queue: workQueue(), types: TYPES, handle: async (envelope) => void seen.push(envelope) });
      const event: Envelope = {
        ...sampleEvent('order-ü', 7),
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      };
      await bus.publish([event]);
      await eventually(() => expect(seen).toEqual([event]));
    });

    test('jobs are handled side by side, as many at a time as was said', async () => {
      let [running, max, handled] = [0, 0, 0];
      const handle = async (): Promise<void> => {
        running += 1;
        max = Math.max(max, running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        handled += 1;
      };
      const queue = { kind: 'jobs', name: `contract-${++queueNumber}`, concurrency: 2 } as const;
      await bus.subscribe({ queue, types: TYPES, handle });
      await bus.publish(Array.from({ length: 6 }, (_, number) => sampleEvent(`order-${number}`)));
      await eventually(() => expect(handled).toBe(6));
      expect(max).toBe(2);
    });

    test('a handler runs in the trace of the change', async () => {
      const seen: unknown[] = [];
      await bus.subscribe({ queue: workQueue(), types: TYPES, handle: async () => void seen.push(currentTraceId()) });
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await bus.publish([{ ...sampleEvent('order-1'), traceparent }]);
      await eventually(() => expect(seen).toEqual(['0af7651916cd43dd8448eb211c80319c']));
    });

    test('publishing does not wait for handlers', async () => {
      let finish = (): void => {};
      const gate = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let started = false;
      await bus.subscribe({
        queue: workQueue(),
        types: TYPES,
        handle: () => {
          started = true;
          return gate;
        },
      });
      await bus.publish([sampleEvent('order-1')]);
      await eventually(() => expect(started).toBe(true));
      finish();
    });

    test('publishing an event that nobody wants succeeds', async () => {
      await bus.publish([sampleEvent('order-1')]);
      await bus.publish([]);
    });

    test('events of one subject are handled one at a time in the order of publication', async () => {
      const seen = new Map<string, string[]>();
      const busy = new Set<string>();
      let overlaps = 0;
      await bus.subscribe({
        queue: workQueue(),
        types: TYPES,
        handle: async ({ subject = '', data }) => {
          if (busy.has(subject)) overlaps += 1;
          busy.add(subject);
          // Were they not one at a time, a later one would often be done first.
          await new Promise((resolve) => setTimeout(resolve, 4 - (Number((data as { by: string }).by) % 4)));
          busy.delete(subject);
          seen.set(subject, [...(seen.get(subject) ?? []), (data as { by: string }).by]);
        },
      });
      const numbers = Array.from({ length: 20 }, (_, index) => index);
      for (const number of numbers) await bus.publish(['a', 'b', 'c'].map((subject) => sampleEvent(subject, number)));
      const expected = numbers.map(String);
      await eventually(() => expect(Object.fromEntries(seen)).toEqual({ a: expected, b: expected, c: expected }));
      expect(overlaps).toBe(0);
    });

    test('a failed event is tried again before later events of its subject, and others go on meanwhile', async () => {
      const seen: string[] = [];
      let attempts = 0;
      await bus.subscribe({
        queue: workQueue(),
        types: TYPES,
        handle: async ({ subject, data }) => {
          const name = `${subject}${(data as { by: string }).by}`;
          if (name === 'a1') {
            attempts += 1;
            if (attempts === 1) throw new Error('database away');
            await eventually(() => expect(seen).toContain('b1'));
          }
          seen.push(name);
        },
      });
      await bus.publish([sampleEvent('a', 1), sampleEvent('a', 2), sampleEvent('b', 1)]);
      await eventually(() => expect(seen).toEqual(['b1', 'a1', 'a2']));
    });

    test('an event that cannot succeed is given up at once, one that fails too often after its last attempt', async () => {
      const attempts: Record<string, number> = {};
      await bus.subscribe({
        queue: workQueue(),
        types: TYPES,
        handle: async ({ subject = '' }) => {
          attempts[subject] = (attempts[subject] ?? 0) + 1;
          if (subject === 'final') throw new PlatformError('REQ_INVALID_PARAMETER', 'never right');
          if (subject === 'stubborn') throw new PlatformError('DATA_UNAVAILABLE');
        },
      });
      await bus.publish(['final', 'stubborn', 'good'].map((subject) => sampleEvent(subject)));
      await eventually(() => expect(attempts).toEqual({ final: 1, stubborn: TEST_RETRIES.maxAttempts, good: 1 }));
      await bus.publish([sampleEvent('good')]);
      await eventually(() => expect(attempts).toEqual({ final: 1, stubborn: TEST_RETRIES.maxAttempts, good: 2 }));
    });

    test('a handler that fails does not disturb another subscription', async () => {
      const seen: string[] = [];
      await bus.subscribe({
        queue: replica,
        types: TYPES,
        handle: async () => {
          throw new Error('broken');
        },
      });
      await bus.subscribe({ queue: replica, types: TYPES, handle: async ({ id }) => void seen.push(id) });
      const event = sampleEvent('order-1');
      await bus.publish([event]);
      await eventually(() => expect(seen).toEqual([event.id]));
    });

    test('subscribers of one work queue share its events', async () => {
      const seen: string[] = [];
      const handle = async ({ id }: Envelope) => void seen.push(id);
      const queue = workQueue();
      const first = await bus.subscribe({ queue, types: TYPES, handle });
      await bus.subscribe({ queue, types: TYPES, handle });
      const events = Array.from({ length: 10 }, (_, index) => sampleEvent(`order-${index}`));
      await bus.publish(events);
      await eventually(() => expect(seen).toHaveLength(10));
      await first.close();
      await bus.publish([sampleEvent('late')]);
      await eventually(() => expect(seen).toHaveLength(11));
      expect(new Set(seen).size).toBe(11);
    });

    test('closing a subscription waits for the event being handled', async () => {
      let done = false;
      let started = false;
      const subscription = await bus.subscribe({
        queue: replica,
        types: TYPES,
        handle: async () => {
          started = true;
          await new Promise((resolve) => setTimeout(resolve, 50));
          done = true;
        },
      });
      await bus.publish([sampleEvent('order-1')]);
      await eventually(() => expect(started).toBe(true));
      await subscription.close();
      expect(done).toBe(true);
      started = false;
      await bus.publish([sampleEvent('order-1')]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(started).toBe(false);
    });

    test('a closed bus is not connected and refuses events', async () => {
      await bus.subscribe({ queue: replica, types: TYPES, handle: ignore });
      expect(bus.isConnected()).toBe(true);
      await bus.close();
      expect(bus.isConnected()).toBe(false);
      await expect(bus.publish([sampleEvent('order-1')])).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
      await expect(bus.subscribe({ queue: replica, types: TYPES, handle: ignore })).rejects.toMatchObject({
        code: 'BUS_UNAVAILABLE',
      });
      await bus.close();
    });
  });
}
