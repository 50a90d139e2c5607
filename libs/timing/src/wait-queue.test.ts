import { WaitQueue } from './wait-queue.ts';

const never = new AbortController().signal;

test('callers get what is there in the order in which they came', async () => {
  const queue = new WaitQueue();
  const free: number[] = [];
  const got: string[] = [];
  const waiting = ['first', 'second'].map(async (name) => {
    got.push(`${name} ${await queue.wait(() => free.pop(), { timeoutMs: 60_000, signal: never })}`);
  });
  queue.advance();
  expect(queue.length).toBe(2);
  for (const number of [1, 2]) {
    free.push(number);
    queue.advance();
  }
  await Promise.all(waiting);
  expect([got, queue.length]).toEqual([['first 1', 'second 2'], 0]);
});

test('a caller that cannot use what is there does not block the next', async () => {
  const queue = new WaitQueue();
  const choosy = queue.wait(() => undefined, { timeoutMs: 20, signal: never });
  const other = queue.wait(() => 'item', { timeoutMs: 60_000, signal: never });
  queue.advance();
  expect(await other).toBe('item');
  expect(await choosy).toBeUndefined();
  expect(queue.length).toBe(0);
});

test('a wait ends with the timeout or the signal', async () => {
  const queue = new WaitQueue();
  const leaving = new AbortController();
  const left = queue.wait(() => 'item', { timeoutMs: 60_000, signal: leaving.signal });
  leaving.abort();
  expect(await left).toBeUndefined();
  expect(await queue.wait(() => 'item', { timeoutMs: 60_000, signal: leaving.signal })).toBeUndefined();
  expect(await queue.wait(() => 'item', { timeoutMs: 1, signal: never })).toBeUndefined();
  expect(queue.length).toBe(0);
});
