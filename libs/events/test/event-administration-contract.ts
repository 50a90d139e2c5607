import { eventually } from '@lintel/testkit';
import type { EventAdministration, EventBus } from '../src/index.ts';
import { sampleEvent, TYPES } from './event-bus-contract.ts';

export interface AdministeredBus {
  readonly bus: EventBus;
  readonly administration: EventAdministration;
  /** Ends both. */
  close(): Promise<void>;
}

/** What every administration of a bus promises. */
export function describeEventAdministration(title: string, open: () => Promise<AdministeredBus>): void {
  describe(title, () => {
    let opened: AdministeredBus;
    let isRefusing: boolean;
    let seen: string[];
    beforeEach(async () => {
      opened = await open();
      isRefusing = true;
      seen = [];
      await opened.bus.subscribe({
        queue: { kind: 'work', name: 'orders' },
        types: TYPES,
        handle: async ({ id }) => {
          seen.push(id);
          if (isRefusing) throw Object.assign(new Error('no'), { retryable: false });
        },
      });
    });
    afterEach(() => opened.close());

    const letters = () => opened.administration.deadLetters(200);
    async function refuse(...keys: readonly string[]) {
      const events = keys.map((key) => sampleEvent(key));
      await opened.bus.publish(events);
      await eventually(async () => expect((await letters()).total).toBe(keys.length));
      isRefusing = false;
      seen = [];
      return events;
    }

    test('a dead letter is listed, has its content, and is handled again after a retry', async () => {
      const [event] = await refuse('order-1');
      const { letters: listed, total } = await letters();
      expect([total, listed]).toEqual([
        1,
        [expect.objectContaining({ id: event?.id, type: event?.type, reason: 'rejected', key: expect.any(String) })],
      ]);
      const key = listed[0]?.key ?? '';
      const content = await opened.administration.deadLetter(key);
      expect([JSON.parse(content?.content ?? ''), content?.isTruncated]).toEqual([
        JSON.parse(JSON.stringify(event)),
        false,
      ]);
      expect(await opened.administration.retry(key)).toBe('retried');
      await eventually(() => expect(seen).toEqual([event?.id]));
      expect((await letters()).total).toBe(0);
    });

    test('of retries at the same time one has an effect', async () => {
      const [event] = await refuse('order-1');
      const key = (await letters()).letters[0]?.key ?? '';
      const outcomes = await Promise.all([1, 2, 3].map(() => opened.administration.retry(key)));
      expect(outcomes.toSorted()).toEqual(['retried', 'unknown', 'unknown']);
      await eventually(() => expect(seen).toEqual([event?.id]));
    });

    test('a letter is discarded, the others stay; unknown ones are reported', async () => {
      await refuse('order-1', 'order-2');
      const [first, second] = (await letters()).letters;
      expect(await opened.administration.discard(first?.key ?? '')).toBe(true);
      expect(await opened.administration.discard(first?.key ?? '')).toBe(false);
      expect(await opened.administration.deadLetter('unknown')).toBeUndefined();
      expect(await opened.administration.retry('unknown')).toBe('unknown');
      expect((await letters()).letters.map(({ key }) => key)).toEqual([second?.key]);
    });

    test('a list has as many letters as requested, and the number of all', async () => {
      await refuse('order-1', 'order-2', 'order-3');
      const { letters: some, total } = await opened.administration.deadLetters(2);
      expect([some.length, total]).toEqual([2, 3]);
      expect(await opened.administration.deadLetters(0)).toEqual({ letters: [], total: 3 });
    });

    test('queues have their events and consumers', async () => {
      expect(await opened.administration.queues()).toEqual([
        { name: expect.stringContaining('orders'), events: 0, consumers: 1 },
      ]);
    });
  });
}
