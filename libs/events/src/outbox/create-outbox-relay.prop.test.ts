import { cases, fc } from '@lintel/testkit/properties';
import { sampleEvent } from '../../test/event-bus-contract.ts';
import { FakeBus } from '../../test/fake-bus.ts';
import { FakeOutbox } from '../../test/fake-outbox.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import { createOutboxRelay } from './create-outbox-relay.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 5 }), notify: fc.boolean() }),
  fc.record({ kind: fc.constant('bus fails' as const), after: fc.nat({ max: 4 }) }),
  fc.record({ kind: fc.constant('store fails' as const), when: fc.constantFrom('before' as const, 'after' as const) }),
  fc.record({ kind: fc.constant('connection' as const), up: fc.boolean() }),
  fc.record({ kind: fc.constant('pause' as const) }),
);

/** What the consumer keeps: the first delivery of each event. */
const withoutRepeats = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

test('with failures at any time, every event is published, in order, and none is marked before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 4 }), async (steps, batchSize) => {
      const store = new FakeOutbox();
      const bus = new FakeBus();
      const backOff = { initialDelayMs: 0, maxDelayMs: 1 };
      const clock = { now: () => 0 };
      const relay = createOutboxRelay({
        store,
        bus,
        clock,
        logger: silentLogger,
        batchSize,
        pollIntervalMs: 1,
        backOff,
      });
      const appended: string[] = [];
      relay.start();
      for (const move of steps) {
        if (move.kind === 'append') {
          const events = Array.from({ length: move.count }, () => sampleEvent('s'));
          appended.push(...events.map((event) => event.id));
          store.append(...events);
          if (move.notify) store.notify();
        } else if (move.kind === 'bus fails') bus.failAfter.push(move.after);
        else if (move.kind === 'store fails') store.failures.push(move.when);
        else if (move.kind === 'connection') bus.change(move.up);
        else await new Promise((resolve) => setTimeout(resolve, 1));
        const published = new Set(bus.published);
        expect(store.published.filter((id) => !published.has(id))).toEqual([]);
      }
      bus.change(true);
      while (store.pending.length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      await relay.stop();
      expect(store.published).toEqual(appended);
      expect(withoutRepeats(bus.published)).toEqual(appended);
    }),
    cases(500),
  );
});
