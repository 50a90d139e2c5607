import { HANDLER_RETRIES, retryDelayMs } from './retry-policy.ts';

const policy = { initialDelayMs: 100, maxDelayMs: 1_000 };

test('the delay doubles up to its maximum', () => {
  const delays = [1, 2, 3, 4, 5, 6, 5_000].map((attempt) => retryDelayMs(policy, attempt, () => 1));
  expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
});

test('chance takes away up to half of it', () => {
  expect(retryDelayMs(policy, 1, () => 0)).toBe(50);
  expect(retryDelayMs(policy, 9, () => 0.5)).toBe(750);
});

test('a handler is given minutes before its event is a dead letter', () => {
  const attempts = Array.from({ length: HANDLER_RETRIES.maxAttempts - 1 }, (_, index) => index + 1);
  const shortestMs = attempts.reduce((sum, attempt) => sum + retryDelayMs(HANDLER_RETRIES, attempt, () => 0), 0);
  expect(shortestMs).toBeGreaterThan(2 * 60_000);
});
