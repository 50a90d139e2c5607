import type { Logger, SecurityRecord } from '@lintel/telemetry';
import { eventually } from '@lintel/testkit';
import { createSecurityEventWriter } from './create-security-event-writer.ts';
import type { DatedRecord } from './security-event-store.ts';

const event = (username: string): SecurityRecord => ({ name: 'login.failed', count: 1, username });

/** A store that records what it stores, and fails or waits as the test says. */
function start(
  options: { readonly maxWaiting?: number; readonly batchSize?: number; readonly attempts?: number } = {},
) {
  const stored: string[][] = [];
  const warnings: object[] = [];
  const control = { isBroken: false, isSlow: undefined as Promise<void> | undefined };
  const logger = { warn: (facts: object) => warnings.push(facts) } as unknown as Logger;
  const store = {
    async write(events: readonly DatedRecord[]) {
      await control.isSlow;
      if (control.isBroken) throw new Error('no database');
      stored.push(events.map(({ record, atMs }) => `${record.username}@${atMs}`));
    },
  };
  let now = 0;
  const clock = { now: () => ++now };
  const writer = createSecurityEventWriter({ store, logger, clock, gatherMs: 0, retryMs: 0, ...options });
  return { writer, stored, warnings, control };
}

test('events are stored in batches, in their order and with the time at which they happened', async () => {
  const { writer, stored } = start({ batchSize: 2 });
  for (const name of ['a', 'b', 'c']) writer.add(event(name));
  await eventually(async () => expect(stored).toEqual([['a@1', 'b@2'], ['c@3']]));
  await writer.close();
});

// Asserts contract/operations.md#security-events.
test('a write that fails is made again; the events after it wait', async () => {
  const { writer, stored, warnings, control } = start({ attempts: Number.MAX_SAFE_INTEGER });
  control.isBroken = true;
  writer.add(event('a'));
  await eventually(async () => expect(warnings).not.toEqual([]));
  writer.add(event('b'));
  control.isBroken = false;
  await eventually(async () => expect(stored.flat()).toEqual(['a@1', 'b@2']));
  await writer.close();
});

// Asserts contract/operations.md#security-events.
test('a slow write delays nothing; above the maximum events are counted, and their number is logged', async () => {
  const { writer, stored, warnings, control } = start({ maxWaiting: 3 });
  const { promise, resolve } = Promise.withResolvers<void>();
  control.isSlow = promise;
  for (const name of ['a', 'b', 'c', 'd', 'e']) writer.add(event(name));
  expect(stored).toEqual([]);
  resolve();
  await eventually(async () => expect(warnings).toEqual([{ lost: 2 }]));
  expect(stored).toEqual([['a@1', 'b@2', 'c@3']]);
  await writer.close();
});

// Asserts contract/operations.md#security-events.
test('a batch that can never be stored is lost after some attempts, and does not stop the others', async () => {
  const { writer, warnings, control, stored } = start({ attempts: 3 });
  control.isBroken = true;
  writer.add(event('a'));
  await eventually(async () => expect(warnings).toContainEqual({ lost: 1 }));
  control.isBroken = false;
  writer.add(event('b'));
  await eventually(async () => expect(stored).toEqual([['b@2']]));
  await writer.close();
});

test('the end stores what waits', async () => {
  const { writer, stored } = start();
  writer.add(event('a'));
  await writer.close();
  expect(stored).toEqual([['a@1']]);
  writer.add(event('b'));
  expect(stored).toEqual([['a@1']]);
});
