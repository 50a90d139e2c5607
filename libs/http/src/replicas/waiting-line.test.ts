import { WaitingLine } from './waiting-line.ts';

const never = new AbortController().signal;

test('those who wait get what is there in the order in which they came', async () => {
  const line = new WaitingLine();
  const free: number[] = [];
  const got: string[] = [];
  const waiting = ['first', 'second'].map(async (name) => {
    got.push(`${name} ${await line.wait(() => free.pop(), { timeoutMs: 60_000, signal: never })}`);
  });
  line.advance();
  expect(line.length).toBe(2);
  for (const number of [1, 2]) {
    free.push(number);
    line.advance();
  }
  await Promise.all(waiting);
  expect([got, line.length]).toEqual([['first 1', 'second 2'], 0]);
});

test('one that cannot use what is there does not hold up those behind it', async () => {
  const line = new WaitingLine();
  const choosy = line.wait(() => undefined, { timeoutMs: 20, signal: never });
  const other = line.wait(() => 'place', { timeoutMs: 60_000, signal: never });
  line.advance();
  expect(await other).toBe('place');
  expect(await choosy).toBeUndefined();
  expect(line.length).toBe(0);
});

test('nobody waits longer than the time given, or after leaving', async () => {
  const line = new WaitingLine();
  const leaving = new AbortController();
  const left = line.wait(() => 'place', { timeoutMs: 60_000, signal: leaving.signal });
  leaving.abort();
  expect(await left).toBeUndefined();
  expect(await line.wait(() => 'place', { timeoutMs: 60_000, signal: leaving.signal })).toBeUndefined();
  expect(await line.wait(() => 'place', { timeoutMs: 1, signal: never })).toBeUndefined();
  expect(line.length).toBe(0);
});
