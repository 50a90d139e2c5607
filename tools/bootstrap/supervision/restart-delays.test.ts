import { createRestartDelays } from './restart-delays.mjs';

const SHORT = { ranMs: 2_000, wasReady: true };

test('delays double from half a second up to thirty', () => {
  const delays = createRestartDelays();
  expect(Array.from({ length: 8 }, () => delays.after(SHORT))).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
});

test('a minute of work starts the delays again', () => {
  const delays = createRestartDelays();
  for (let i = 0; i < 5; i += 1) delays.after(SHORT);
  expect(delays.after({ ranMs: 60_000, wasReady: true })).toBe(500);
  expect(delays.after(SHORT)).toBe(1_000);
});

test('ten starts in a row that fail are the last, however long each takes; one that succeeds starts the count again', () => {
  const delays = createRestartDelays();
  const failed = { ranMs: 120_000, wasReady: false };
  for (let i = 0; i < 10; i += 1) expect(delays.after(failed)).toBeDefined();
  expect(delays.after(failed)).toBeUndefined();
  const others = createRestartDelays();
  for (let i = 0; i < 10; i += 1) others.after(failed);
  others.after(SHORT);
  expect(others.after(failed)).toBeDefined();
});
