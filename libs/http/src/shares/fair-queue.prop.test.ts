import { cases, fc } from '@lintel/testkit/properties';
import { FairQueue, type OperationKind, type Slot } from './fair-queue.ts';

const LONGEST_MS = 50;

const operation = fc.record({
  afterMs: fc.nat({ max: 20 }),
  caller: fc.constantFrom('b', 'c', 'd'),
  durationMs: fc.integer({ min: 1, max: LONGEST_MS }),
  kind: fc.constantFrom<OperationKind>('ordinary', 'untried', 'heavy'),
});

/**
 * Runs the given operations of other callers, while `light` runs one short operation after the other.
 *
 * @returns the waits of `light`
 */
async function waitsOfLight(capacity: number, arrivals: readonly Operation[]) {
  let nowMs = 0;
  const queue = new FairQueue({
    name: 'test',
    capacity,
    heavyCapacity: Math.max(1, Math.floor(capacity / 2)),
    maxWaiting: 10_000,
    maxWaitingPerCaller: 10_000,
    maxWaitMs: 1_000_000,
    nowMs: () => nowMs,
  });
  const events: { readonly atMs: number; readonly run: () => void }[] = [];
  const at = (atMs: number, run: () => void): void => void events.push({ atMs, run });
  const start = (caller: string, kind: OperationKind, durationMs: number, begun: (waitedMs: number) => void): void => {
    const askedMs = nowMs;
    const take = (slot: Slot): void => {
      begun(nowMs - askedMs);
      at(nowMs + durationMs, () => slot.end());
    };
    const free = queue.tryTake(caller, kind);
    if (free !== undefined) take(free);
    else void queue.take(caller, kind).then(take);
  };
  let arrivalMs = 0;
  for (const { afterMs, caller, durationMs, kind } of arrivals) {
    arrivalMs += afterMs;
    at(arrivalMs, () => start(caller, kind, durationMs, () => undefined));
  }
  const waits: number[] = [];
  const light = (): void =>
    start('light', 'ordinary', 1, (waitedMs) => {
      waits.push(waitedMs);
      if (waits.length < 20) at(nowMs + 5, light);
    });
  at(3, light);
  while (events.length > 0) {
    events.sort((one, other) => one.atMs - other.atMs);
    const [event] = events.splice(0, 1);
    if (event === undefined) break;
    nowMs = event.atMs;
    event.run();
    // Lets operations begin that have received a slot.
    await Promise.resolve();
    await Promise.resolve();
  }
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
  return waits;
}

type Operation = {
  readonly afterMs: number;
  readonly caller: string;
  readonly durationMs: number;
  readonly kind: OperationKind;
};

test('with any load of others, a light caller waits for no more than two operations of each of them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(operation, { maxLength: 80 }),
      async (capacity, sent) => {
        const waits = await waitsOfLight(capacity, sent);
        expect(waits).toHaveLength(20);
        expect(Math.max(...waits)).toBeLessThanOrEqual(3 * 2 * LONGEST_MS);
      },
    ),
    cases(300),
  );
});

test('with one busy caller a light one never waits where there are two slots', async () => {
  const busy = operation.map((each) => ({ ...each, caller: 'b' }));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 12 }), fc.array(busy, { maxLength: 80 }), async (capacity, sent) => {
      expect(Math.max(...(await waitsOfLight(capacity, sent)))).toBe(0);
    }),
    cases(200),
  );
});
