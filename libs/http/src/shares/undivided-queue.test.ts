import { FairQueue } from './fair-queue.ts';

/** All slots for one caller, as for the hashing of passwords. */
const create = ({ capacity = 1, maxWaitingPerCaller = 3, maxWaiting = 5, nowMs = (): number => 0 } = {}) =>
  new FairQueue({
    name: 'test',
    capacity,
    heavyCapacity: capacity,
    isUndivided: true,
    makesRoom: true,
    maxWaitingPerCaller,
    maxWaiting,
    maxWaitMs: 30_000,
    nowMs,
  });

/** Starts an operation that ends when the test decides. */
function start(limits: { capacity?: number; maxWaiting?: number } = {}) {
  let nowMs = 0;
  const queue = create({ ...limits, nowMs: () => nowMs });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const outcomes = new Map<string, string>();
  const add = (key: string, name: string): void => {
    queue
      .run(key, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .then(
        () => outcomes.set(name, 'done'),
        ({ code }) => outcomes.set(name, code),
      );
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const endOne = async () => {
    nowMs += 50;
    ends.shift()?.();
    await settle();
  };
  return { add, endOne, settle, started, outcomes };
}

test('keys are served alternately: the first work of another key comes before the second of this one', async () => {
  const { add, endOne, settle, started } = start();
  for (const name of ['a1', 'a2', 'a3']) add('a', name);
  add('b', 'b1');
  await settle();
  for (let at = 0; at < 4; at += 1) await endOne();
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('one key alone uses all slots', async () => {
  const { add, settle, started } = start({ capacity: 3 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) add('a', name);
  await settle();
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

test('a key with too much waiting is refused, others are not', async () => {
  const { add, settle, outcomes } = start();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) add('a', name);
  add('b', 'b1');
  await settle();
  expect([...outcomes]).toEqual([['a5', 'REQ_TOO_MANY_REQUESTS']]);
});

test('where all that may wait does, the key with the most gives up its newest', async () => {
  const { add, settle, outcomes } = start();
  add('a', 'a0');
  for (const name of ['a1', 'a2', 'a3']) add('a', name);
  for (const name of ['b1', 'b2']) add('b', name);
  add('c', 'c1');
  await settle();
  expect([...outcomes]).toEqual([['a3', 'REQ_TOO_MANY_REQUESTS']]);
});

test('where every key has as much, the newest is refused', async () => {
  const { add, settle, outcomes } = start({ maxWaiting: 2 });
  for (const key of ['a', 'b', 'c', 'd']) add(key, key);
  await settle();
  expect([...outcomes]).toEqual([['d', 'REQ_OVERLOADED']]);
});

test('work that fails makes room for the next', async () => {
  const queue = create({ maxWaitingPerCaller: 1, maxWaiting: 1 });
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run('a', async () => 1)).toBe(1);
});
