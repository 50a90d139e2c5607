import { cases, fc } from '@lintel/testkit/properties';
import { KeyedQueue } from './keyed-queue.ts';

test('work of a subject runs in order and alone, never more than the limit at a time, and all of it', async () => {
  const items = fc.array(fc.record({ subject: fc.constantFrom('a', 'b', 'c', 'd'), rounds: fc.nat({ max: 3 }) }), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 4 }), async (work, concurrency) => {
      const queue = new KeyedQueue(concurrency);
      const finished: { readonly subject: string; readonly number: number }[] = [];
      const busy = new Set<string>();
      let running = 0;
      for (const [number, { subject, rounds }] of work.entries()) {
        queue.add(subject, async () => {
          expect(busy.has(subject)).toBe(false);
          busy.add(subject);
          running += 1;
          expect(running).toBeLessThanOrEqual(concurrency);
          for (let round = 0; round < rounds; round += 1) await new Promise(setImmediate);
          running -= 1;
          busy.delete(subject);
          finished.push({ subject, number });
        });
      }
      expect(running).toBe(0);
      await queue.idle();
      for (const subject of ['a', 'b', 'c', 'd']) {
        const expected = [...work.entries()].filter(([, item]) => item.subject === subject).map(([number]) => number);
        expect(finished.filter((item) => item.subject === subject).map((item) => item.number)).toEqual(expected);
      }
    }),
    cases(500),
  );
});

test('a busy subject does not starve the others', async () => {
  const queue = new KeyedQueue(1);
  const order: string[] = [];
  for (let count = 0; count < 5; count += 1) queue.add('busy', async () => void order.push('busy'));
  queue.add('other', async () => void order.push('other'));
  await queue.idle();
  expect(order.slice(0, 2)).toEqual(['busy', 'other']);
});
