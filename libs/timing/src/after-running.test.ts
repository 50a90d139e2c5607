import { afterRunning } from './after-running.ts';

// In an ES module `jest` is a member of `import.meta`.
const { jest: fake } = import.meta as unknown as { readonly jest: typeof jest };

let nowMs = 0;
const clock = { now: () => nowMs };
let calls = 0;
const start = () => afterRunning(1_000, () => (calls += 1), clock);
/** Timers fire after `ms`; by the clock, `stoodStillMs` more have passed. */
function pass(ms: number, stoodStillMs = 0): void {
  nowMs += ms + stoodStillMs;
  fake.advanceTimersByTime(ms);
}

beforeEach(() => {
  fake.useFakeTimers();
  [nowMs, calls] = [0, 0];
});
afterEach(() => fake.useRealTimers());

test('calls back once, after the time', () => {
  start();
  pass(999);
  expect(calls).toBe(0);
  pass(1);
  pass(5_000);
  expect(calls).toBe(1);
});

test('begins again, as often as the process has stood still', () => {
  start();
  pass(1_000, 3_000);
  pass(999);
  expect(calls).toBe(0);
  pass(1, 101);
  expect(calls).toBe(0);
  pass(1_000, 100);
  expect(calls).toBe(1);
});

test('does not call back once it is cancelled, before or after it has begun again', () => {
  start()();
  const cancel = start();
  pass(1_000, 3_000);
  cancel();
  pass(5_000);
  expect(calls).toBe(0);
});
