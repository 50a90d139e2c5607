import { EventEmitter } from 'node:events';
import { ResultMemory } from './result-memory.ts';

/** A socket of a connection: whether it is read, and why it was closed. */
class Wire {
  isPaused = false;
  error: Error | undefined;
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  destroy(error: Error): void {
    this.error = error;
  }
}

const MIB = 1024 * 1024;

function start(maxMib = 64, maxWaitMs = 60_000) {
  const memory = new ResultMemory({ maxBytes: maxMib * MIB, maxWaitMs });
  const result = () => {
    const wire = new Wire();
    const meter = memory.createMeter(wire);
    return { wire, meter, grow: (mib: number) => meter.grow(mib * MIB) };
  };
  return { memory, result, usedMib: () => memory.usedBytes / MIB };
}

test('small results are not counted and never wait', () => {
  const { result, usedMib } = start();
  for (const mib of [32, 24]) {
    const large = result();
    large.grow(mib);
    large.grow(0);
  }
  expect(usedMib()).toBe(56);
  const small = result();
  small.grow(0.1);
  expect([small.wire.isPaused, usedMib()]).toEqual([false, 56]);
});

test('one result alone may use half of the memory, and is refused above it', () => {
  const { result, usedMib } = start();
  const one = result();
  one.grow(32);
  expect(usedMib()).toBe(32);
  expect(() => one.grow(33)).toThrow(expect.objectContaining({ code: 'LINTEL_RESULT_SIZE' }));
  expect(usedMib()).toBe(0);
});

test('while most of the memory is free, results grow; then the oldest goes on, and the others wait by age', () => {
  const { result, usedMib } = start();
  const [first, second, third] = [result(), result(), result()];
  const waiting = () => [first, second, third].map(({ wire }) => wire.isPaused);
  for (const { grow } of [first, second, third]) grow(5);
  expect([waiting(), usedMib()]).toEqual([[false, false, false], 15]);
  for (const { grow } of [first, second, third]) grow(20);
  expect([waiting(), usedMib()]).toEqual([[false, true, true], 30]);
  first.grow(32);
  expect(usedMib()).toBe(42);
  // The result is complete: the next one continues, as long as an eighth remains.
  first.grow(0);
  expect([waiting(), usedMib()]).toEqual([[false, true, true], 42]);
  first.meter.end(undefined);
  expect([waiting(), usedMib()]).toEqual([[false, false, true], 25]);
  second.meter.end(undefined);
  expect([waiting(), usedMib()]).toEqual([[false, false, false], 20]);
});

test('twenty results that grow together all end, one after the other', () => {
  const { memory, result } = start();
  const results = Array.from({ length: 20 }, () => ({ ...result(), mib: 0 }));
  const STEP_MIB = 0.25;
  while (results.some(({ mib }) => mib < 24)) {
    const growing = results.filter(({ mib, wire }) => mib < 24 && !wire.isPaused);
    expect(growing).not.toEqual([]);
    for (const one of growing) {
      one.mib += STEP_MIB;
      one.grow(one.mib);
      if (one.mib >= 24 && !one.wire.isPaused) one.meter.release();
    }
    for (const one of results) if (one.mib >= 24 && !one.wire.isPaused) one.meter.release();
  }
  expect(results.map(({ wire }) => wire.error)).toEqual(results.map(() => undefined));
  expect(memory.usedBytes).toBe(0);
});

test('a new result finds memory while others use what they may', () => {
  const { result, usedMib } = start();
  const [first, second, third] = [result(), result(), result()];
  first.grow(32);
  first.grow(0);
  second.grow(24);
  expect(usedMib()).toBe(56);
  third.grow(0.4);
  expect(third.wire.isPaused).toBe(false);
  third.grow(2);
  expect(third.wire.isPaused).toBe(true);
});

test('where all results wait for each other, one goes on, and the youngest are refused at once', () => {
  const { result, usedMib } = start();
  const all = Array.from({ length: 40 }, result);
  for (const mib of [0.5, 1, 2, 3, 32]) for (const { wire, grow } of all) if (!wire.isPaused) grow(mib);
  const isRefused = all.map(({ wire }) => wire.error !== undefined);
  expect(isRefused).toContain(true);
  expect(isRefused).toEqual(isRefused.toSorted());
  const going = all.filter(({ wire }) => !wire.isPaused && wire.error === undefined);
  expect(going).toHaveLength(1);
  expect([usedMib() > 32, usedMib() <= 64]).toEqual([true, true]);
});

test('a result that waits too long is refused', async () => {
  const { result, usedMib } = start(64, 5);
  const [first, second] = [result(), result()];
  first.grow(30);
  second.grow(28);
  expect(second.wire.isPaused).toBe(true);
  await new Promise<void>((resolve) => {
    second.wire.destroy = (error) => {
      second.wire.error = error;
      resolve();
    };
  });
  expect(second.wire.error).toMatchObject({ code: 'LINTEL_RESULT_MEMORY' });
  expect(usedMib()).toBe(30);
});

test('a result belongs to its request until the response is closed', () => {
  const { memory, result, usedMib } = start();
  const response = Object.assign(new EventEmitter(), { closed: false });
  const one = result();
  one.grow(10);
  one.meter.end(response);
  expect(usedMib()).toBe(10);
  // In between the connection is used by others.
  one.grow(5);
  expect(usedMib()).toBe(15);
  response.emit('close');
  expect(usedMib()).toBe(5);
  one.meter.end(Object.assign(new EventEmitter(), { closed: true }));
  expect(usedMib()).toBe(0);
  expect(memory.holder()).toBeUndefined();
  expect(memory.holdFor(response, () => memory.holder())).toBe(response);
});

test('of the results of one connection the latest counts', () => {
  const { result, usedMib } = start();
  const one = result();
  one.grow(10);
  one.grow(4);
  expect(usedMib()).toBe(4);
  one.meter.release();
  expect(usedMib()).toBe(0);
});

test('a statement that is given up while it waits is refused at once', () => {
  const { result } = start();
  const [first, second] = [result(), result()];
  first.grow(30);
  second.grow(28);
  expect([first.meter.abandon(), second.meter.abandon()]).toEqual([false, true]);
  expect(second.wire.error).toMatchObject({ code: 'LINTEL_RESULT_MEMORY' });
});

test('for any requests, the memory is never exceeded, and all end', () => {
  const { result, usedMib } = start(64);
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const open = Array.from({ length: 12 }, () => ({ ...result(), mib: 0 }));
  for (let step = 0; step < 5_000; step += 1) {
    const one = open[next(open.length)];
    if (one === undefined || one.wire.isPaused) continue;
    if (one.wire.error !== undefined || next(10) === 0) {
      one.meter.release();
      Object.assign(one, result(), { mib: 0 });
      continue;
    }
    one.mib = Math.min(32, one.mib + next(5));
    one.grow(one.mib);
    expect(usedMib()).toBeLessThanOrEqual(64);
    expect(open.some(({ wire }) => !wire.isPaused || wire.error !== undefined)).toBe(true);
  }
});
