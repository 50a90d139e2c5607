import { createKeptValue } from './kept-value.ts';

const HOUR_MS = 3_600_000;

/** A value whose reading the test finishes. */
function keptValue() {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const reads: PromiseWithResolvers<object>[] = [];
  const read = () => {
    const next = Promise.withResolvers<object>();
    reads.push(next);
    return next.promise;
  };
  const warnings: unknown[] = [];
  const logger = { warn: (facts: unknown) => warnings.push(facts) };
  const options = { clock, maxAgeMs: HOUR_MS, minIntervalMs: 30_000, provider: 'acme', logger };
  return { clock, reads, warnings, kept: createKeptValue(read, options) };
}

async function known() {
  const { kept, reads, clock, warnings } = keptValue();
  const first = kept.current();
  const value = {};
  reads[0]?.resolve(value);
  await first;
  return { kept, reads, clock, warnings, value };
}

test('requests at the same time share one attempt, and its failure', async () => {
  const { kept, reads } = keptValue();
  const both = [kept.current(), kept.current()];
  expect(reads).toHaveLength(1);
  reads[0]?.reject(new Error('unavailable'));
  for (const each of both) await expect(each).rejects.toThrow('unavailable');
});

test('while a newer value is read, others use the known one', async () => {
  const { kept, reads, clock, value } = await known();
  clock.nowMs = 30_000;
  const newer = kept.newerThan(value);
  expect(reads).toHaveLength(2);
  expect(await kept.current()).toBe(value);
  reads[1]?.reject(new Error('unavailable'));
  expect(await newer).toBeUndefined();
  expect(await kept.current()).toBe(value);
});

test('if an old value cannot be read again, all requests use the former one, and a warning is logged', async () => {
  const { kept, reads, clock, warnings, value } = await known();
  clock.nowMs = HOUR_MS;
  const both = [kept.current(), kept.current()];
  expect(reads).toHaveLength(2);
  reads[1]?.reject(new Error('unavailable'));
  expect(await Promise.all(both)).toEqual([value, value]);
  expect(reads).toHaveLength(2);
  expect(warnings).toEqual([{ provider: 'acme', error: expect.any(Error) }]);
});

test('requests that need a newer value receive it from the attempt of another, also after it', async () => {
  const { kept, reads, clock, value } = await known();
  clock.nowMs = 30_000;
  const both = [kept.newerThan(value), kept.newerThan(value)];
  const newer = {};
  reads[1]?.resolve(newer);
  expect(await Promise.all(both)).toEqual([newer, newer]);
  expect(await kept.newerThan(value)).toBe(newer);
  expect(await kept.newerThan(newer)).toBeUndefined();
  expect(reads).toHaveLength(2);
});
