import { cases, fc } from '@lintel/testkit/properties';
import { SubjectLanes } from './subject-lanes.ts';

test('work of a subject runs in order and alone, never more than the limit at a time, and all of it', async () => {
  const items = fc.array(fc.record({ subject: fc.constantFrom('a', 'b', 'c', 'd'), turns: fc.nat({ max: 3 }) }), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 4 }), async (work, concurrency) => {
      const lanes = new SubjectLanes(concurrency);
      const finished: { readonly subject: string; readonly number: number }[] = [];
      const busy = new Set<string>();
      let running = 0;
      for (const [number, { subject, turns }] of work.entries()) {
        lanes.add(subject, async () => {
          expect(busy.has(subject)).toBe(false);
          busy.add(subject);
          running += 1;
          expect(running).toBeLessThanOrEqual(concurrency);
          for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
          running -= 1;
          busy.delete(subject);
          finished.push({ subject, number });
        });
      }
      expect(running).toBe(0);
      await lanes.idle();
      for (const subject of ['a', 'b', 'c', 'd']) {
        const expected = [...work.entries()].filter(([, item]) => item.subject === subject).map(([number]) => number);
        expect(finished.filter((item) => item.subject === subject).map((item) => item.number)).toEqual(expected);
      }
    }),
    cases(500),
  );
});

test('a busy subject does not starve the others', async () => {
  const lanes = new SubjectLanes(1);
  const order: string[] = [];
  for (let count = 0; count < 5; count += 1) lanes.add('busy', async () => void order.push('busy'));
  lanes.add('other', async () => void order.push('other'));
  await lanes.idle();
  expect(order.slice(0, 2)).toEqual(['busy', 'other']);
});
