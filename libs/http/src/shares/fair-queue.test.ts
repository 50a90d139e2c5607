import { FairQueue, type OperationKind, type Slot } from './fair-queue.ts';
import type { FairQueueOptions } from './fair-queue-options.ts';

function createTime() {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

const create = (options: Partial<FairQueueOptions> = {}) =>
  new FairQueue({
    name: 'test',
    capacity: 8,
    heavyCapacity: 4,
    maxWaiting: 1_000,
    maxWaitingPerCaller: 100,
    maxWaitMs: 10_000,
    ...options,
  });

const takeAll = (queue: FairQueue, caller: string, kind: OperationKind = 'ordinary'): readonly Slot[] => {
  const slots: Slot[] = [];
  for (let slot = queue.tryTake(caller, kind); slot !== undefined; slot = queue.tryTake(caller, kind)) slots.push(slot);
  return slots;
};

/** Records the callers of started operations, in order. */
function follow(queue: FairQueue) {
  const started: { readonly caller: string; readonly slot: Slot }[] = [];
  const take = (caller: string, kind: OperationKind = 'ordinary') =>
    void queue.take(caller, kind).then(
      (slot) => started.push({ caller, slot }),
      () => undefined,
    );
  return { started, take, settle: () => new Promise((resolve) => setImmediate(resolve)) };
}

test('one caller gets half of the slots, the next ones half of what is free, and a further one finds one', () => {
  const queue = create();
  expect(['a', 'b', 'c', 'd'].map((caller) => takeAll(queue, caller).length)).toEqual([4, 2, 1, 1]);
  expect(queue.running).toBe(8);
});

test('a caller whose operations were quick so far uses all slots but two, until they are slow', () => {
  const time = createTime();
  const queue = create({ nowMs: time.nowMs });
  const [first] = takeAll(queue, 'a').slice(0, 1);
  for (const each of takeAll(queue, 'a')) each.end();
  time.pass(5);
  first?.end();
  const quick = takeAll(queue, 'a');
  expect([queue.running, takeAll(queue, 'b').length]).toEqual([6, 1]);
  time.pass(1_000);
  for (const slot of quick) slot.end();
  expect(takeAll(queue, 'a').length).toBeLessThanOrEqual(4);
});

test('where the heavy operations of a caller wait for each other, it may use all of their slots but those reserved', () => {
  const queue = create({ capacity: 8, heavyCapacity: 4, heavyReserved: 1 });
  expect(['a', 'b', 'c'].map((caller) => takeAll(queue, caller, 'heavy').length)).toEqual([3, 1, 0]);
});

test('a single slot is used', () => {
  const queue = create({ capacity: 1, heavyCapacity: 1 });
  const [slot] = takeAll(queue, 'a', 'heavy');
  expect(queue.tryTake('b', 'ordinary')).toBeUndefined();
  slot?.end();
  expect(queue.tryTake('b', 'ordinary')).toBeDefined();
});

test('heavy operations leave slots for others, and do not block ordinary ones of the same caller', async () => {
  const queue = create({ heavyCapacity: 2 });
  const { started, take, settle } = follow(queue);
  const heavy = [...takeAll(queue, 'a', 'heavy'), ...takeAll(queue, 'b', 'heavy')];
  expect(heavy).toHaveLength(2);
  take('c', 'heavy');
  await settle();
  expect(started).toEqual([]);
  expect(queue.tryTake('a', 'ordinary')).toBeDefined();
  expect(queue.tryTake('c', 'ordinary')).toBeDefined();
  heavy[0]?.end();
  await settle();
  expect(started.map(({ caller }) => caller)).toEqual(['c']);
});

test('the slots of heavy operations are divided, too: one caller leaves some to others', () => {
  const queue = create({ capacity: 16, heavyCapacity: 4 });
  expect(['a', 'b', 'c', 'd'].map((caller) => takeAll(queue, caller, 'heavy').length)).toEqual([2, 1, 1, 0]);
});

test('operations that never ran before leave slots for those that did, for any number of callers', async () => {
  const queue = create({ capacity: 8 });
  expect(['a', 'b', 'c', 'd'].map((caller) => takeAll(queue, caller, 'untried').length)).toEqual([4, 2, 1, 0]);
  const { started, take, settle } = follow(queue);
  take('d', 'untried');
  take('light');
  await settle();
  expect(started.map(({ caller }) => caller)).toEqual(['light']);
});

test('operations that run long become heavy while they run, and their names are reported once', () => {
  const time = createTime();
  const slow: string[] = [];
  const queue = create({ capacity: 8, heavyCapacity: 4, nowMs: time.nowMs, onSlow: (name) => slow.push(name) });
  const started = ['a', 'a', 'b', 'c'].map((caller, at) => queue.tryTake(caller, 'ordinary', `s${at}`));
  time.pass(249);
  expect(queue.tryTake('d', 'heavy')).toBeDefined();
  expect(slow).toEqual([]);
  time.pass(1);
  expect(queue.tryTake('e', 'heavy')).toBeUndefined();
  expect(slow).toEqual(['s0', 's1', 's2', 's3']);
  expect(queue.tryTake('e', 'ordinary')).toBeDefined();
  for (const slot of started) slot?.end();
  expect(queue.tryTake('f', 'heavy')).toBeDefined();
  expect([slow.length, queue.running]).toEqual([4, 3]);
});

test('a quick caller counts as slow from the time on that one of its operations runs long', () => {
  const time = createTime();
  const queue = create({ nowMs: time.nowMs });
  for (const slot of takeAll(queue, 'a')) {
    time.pass(1);
    slot.end();
  }
  for (let each = 0; each < 4; each += 1) queue.tryTake('a', 'ordinary');
  time.pass(1_000);
  expect(queue.tryTake('a', 'ordinary')).toBeUndefined();
  expect(queue.tryTake('b', 'ordinary')).toBeDefined();
});

test('of those that wait, the caller that has used less time is next, and each keeps its own order', async () => {
  const time = createTime();
  const queue = create({ capacity: 2, heavyCapacity: 2, nowMs: time.nowMs });
  const { started, take, settle } = follow(queue);
  take('busy');
  take('light');
  await settle();
  for (let each = 0; each < 3; each += 1) take('busy');
  take('light');
  time.pass(1_000);
  started[0]?.slot.end();
  await settle();
  time.pass(10);
  started[1]?.slot.end();
  await settle();
  expect(started.map(({ caller }) => caller)).toEqual(['busy', 'light', 'busy', 'light']);
  expect(queue.waiting).toBe(2);
});

test('a caller that has used up its share gets 429, and others go on', async () => {
  const queue = create({ maxWaitingPerCaller: 2 });
  takeAll(queue, 'a');
  const { take } = follow(queue);
  take('a');
  take('a');
  await expect(queue.take('a', 'ordinary')).rejects.toMatchObject({
    code: 'REQ_TOO_MANY_REQUESTS',
    headers: { 'Retry-After': '1' },
  });
  expect(queue.tryTake('b', 'ordinary')).toBeDefined();
});

test('a wait that would be too long is refused at once, with the time after which to try again', async () => {
  const time = createTime();
  const queue = create({ capacity: 2, heavyCapacity: 2, nowMs: time.nowMs });
  for (let each = 0; each < 30; each += 1) {
    const slot = queue.tryTake('a', 'ordinary');
    time.pass(8_000);
    slot?.end();
  }
  queue.tryTake('a', 'ordinary');
  const { take, settle } = follow(queue);
  take('a');
  take('a');
  await settle();
  expect(queue.waiting).toBe(2);
  time.pass(6_000);
  await expect(queue.take('a', 'ordinary')).rejects.toMatchObject({
    code: 'REQ_TOO_MANY_REQUESTS',
    headers: { 'Retry-After': '24' },
  });
});

test('a full queue returns 503 for further callers', async () => {
  const queue = create({ capacity: 1, heavyCapacity: 1, maxWaiting: 2 });
  takeAll(queue, 'a');
  const { take } = follow(queue);
  take('b');
  take('c');
  await expect(queue.take('d', 'ordinary')).rejects.toMatchObject({
    code: 'REQ_OVERLOADED',
    headers: { 'Retry-After': '2' },
  });
});

test('a wait ends after the longest time: 429 where own operations run, 503 where those of others do', async () => {
  const queue = create({ capacity: 1, heavyCapacity: 1, maxWaitMs: 20 });
  const [slot] = takeAll(queue, 'a');
  const [own, other] = await Promise.allSettled([queue.take('a', 'ordinary'), queue.take('b', 'ordinary')]);
  expect(own).toMatchObject({ reason: { code: 'REQ_TOO_MANY_REQUESTS' } });
  expect(other).toMatchObject({ reason: { code: 'REQ_OVERLOADED' } });
  expect(queue.waiting).toBe(0);
  slot?.end();
  expect(queue.tryTake('b', 'ordinary')).toBeDefined();
});

test('whose request is aborted waits no longer', async () => {
  const queue = create({ capacity: 1, heavyCapacity: 1 });
  const [slot] = takeAll(queue, 'a');
  const leaving = new AbortController();
  const gone = queue.take('b', 'ordinary', leaving.signal);
  const { started, take, settle } = follow(queue);
  take('c');
  leaving.abort(new Error('left'));
  await expect(gone).rejects.toThrow('left');
  slot?.end();
  await settle();
  expect(started.map(({ caller }) => caller)).toEqual(['c']);
});
