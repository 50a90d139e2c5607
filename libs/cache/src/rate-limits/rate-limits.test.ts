import { RateLimiterRes } from 'rate-limiter-flexible';
import { ElapsingKeys } from '../stores/elapsing-keys.ts';
import { createMemoryLimiter } from './create-memory-limiter.ts';
import { createSharedLimiter } from './create-redis-rate-limits.ts';

const POLICY = { name: 'user', limit: 2, windowSeconds: 60 };

function createTime() {
  let nowMs = 1_000_000;
  return {
    clock: { now: () => nowMs },
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** A counter of the library as it is returned `leftMs` before the end of its window. */
function createCounter(leftMs: number) {
  const requested: string[] = [];
  const state = { isAway: false, requested };
  return {
    state,
    counter: {
      async consume(key: string | number) {
        if (state.isAway) throw new Error('connection lost');
        requested.push(String(key));
        const consumed = requested.length;
        const result = new RateLimiterRes(Math.max(0, POLICY.limit - consumed), leftMs, consumed, false);
        if (consumed > POLICY.limit) throw result;
        return result;
      },
    },
  };
}

test('a window in memory begins with the first request of a key and ends after its time', async () => {
  const { clock, pass } = createTime();
  const limiter = createMemoryLimiter(POLICY, clock);
  expect(await limiter.take('ada')).toEqual({ isAllowed: true, remaining: 1, resetMs: 60_000 });
  pass(20_000);
  expect(await limiter.take('ada')).toEqual({ isAllowed: true, remaining: 0, resetMs: 40_000 });
  expect(await limiter.take('ada')).toEqual({ isAllowed: false, remaining: 0, resetMs: 40_000 });
  expect(await limiter.take('bob')).toEqual({ isAllowed: true, remaining: 1, resetMs: 60_000 });
  pass(40_000);
  expect(await limiter.take('ada')).toEqual({ isAllowed: true, remaining: 1, resetMs: 60_000 });
});

test('a state that needs no request to Redis is there at once, without a promise', async () => {
  const { clock } = createTime();
  expect(createMemoryLimiter(POLICY, clock).take('ada')).toEqual({ isAllowed: true, remaining: 1, resetMs: 60_000 });
  const shared = createSharedLimiter(createCounter(30_000).counter, POLICY, clock);
  const taken = shared.take('ada');
  expect(taken).toHaveProperty('then');
  await taken;
  for (let request = 0; request < 2; request += 1) await shared.take('ada');
  expect(shared.take('ada')).toEqual({ isAllowed: false, remaining: 0, resetMs: 30_000 });
});

test('a refused key is not sent to the store again before its window ends', async () => {
  const { clock, pass } = createTime();
  const { counter, state } = createCounter(30_000);
  const limiter = createSharedLimiter(counter, POLICY, clock);
  for (const isAllowed of [true, true, false]) expect((await limiter.take('ada')).isAllowed).toBe(isAllowed);
  pass(10_000);
  expect(await limiter.take('ada')).toEqual({ isAllowed: false, remaining: 0, resetMs: 20_000 });
  expect(state.requested).toHaveLength(3);
  pass(20_000);
  await limiter.take('ada');
  expect(state.requested).toHaveLength(4);
});

test('a key that has used up its limit is known without counting, until its window ends', async () => {
  const { clock, pass } = createTime();
  const { counter, state } = createCounter(60_000);
  const [memory, shared] = [createMemoryLimiter(POLICY, clock), createSharedLimiter(counter, POLICY, clock)];
  const used = () => [memory.usedUp('ada'), shared.usedUp('ada')];
  for (let request = 0; request < 3; request += 1) {
    if (request < 2) expect(used()).toEqual([undefined, undefined]);
    await memory.take('ada');
    await shared.take('ada');
  }
  pass(20_000);
  const REFUSED = { isAllowed: false, remaining: 0, resetMs: 40_000 };
  expect(used()).toEqual([REFUSED, REFUSED]);
  expect([memory.usedUp('bob'), shared.usedUp('bob')]).toEqual([undefined, undefined]);
  pass(40_000);
  expect(used()).toEqual([undefined, undefined]);
  expect(state.requested).toHaveLength(3);
});

test('while Redis is away, the count of the process says which keys have used up their limit', async () => {
  const { counter, state } = createCounter(30_000);
  const limiter = createSharedLimiter(counter, POLICY, createTime().clock);
  state.isAway = true;
  for (let request = 0; request < 2; request += 1) await limiter.take('ada');
  expect(limiter.usedUp('ada')).toMatchObject({ isAllowed: false });
  state.isAway = false;
  await limiter.take('ada');
  expect(limiter.usedUp('ada')).toBeUndefined();
});

test('without a shared store the process counts by itself', async () => {
  const { counter, state } = createCounter(30_000);
  const limiter = createSharedLimiter(counter, POLICY, createTime().clock);
  state.isAway = true;
  const allowed = [];
  for (let request = 0; request < 3; request += 1) allowed.push((await limiter.take('ada')).isAllowed);
  expect(allowed).toEqual([true, true, false]);
  state.isAway = false;
  expect((await limiter.take('ada')).isAllowed).toBe(true);
});

describe('a large limit', () => {
  const LARGE = { name: 'user', limit: 1_000, windowSeconds: 60 };

  /** Counts as Redis does. */
  function createStore(windowMs = 30_000) {
    let consumed = 0;
    const calls: number[] = [];
    return {
      calls,
      async consume(_key: string | number, points = 1) {
        calls.push(points);
        consumed += points;
        const result = new RateLimiterRes(Math.max(0, LARGE.limit - consumed), windowMs, consumed, false);
        if (consumed > LARGE.limit) throw result;
        return result;
      },
    };
  }

  test('is counted by each process for a hundredth of it at a time, and holds for all together', async () => {
    const store = createStore();
    const { clock } = createTime();
    const processes = [createSharedLimiter(store, LARGE, clock), createSharedLimiter(store, LARGE, clock)];
    let allowed = 0;
    for (let request = 0; request < 1_200; request += 1)
      if ((await processes[request % 2]?.take('ada'))?.isAllowed) allowed += 1;
    expect(allowed).toBe(1_000);
    expect(store.calls.every((points) => points === 10)).toBe(true);
    expect(store.calls).toHaveLength(102);
  });

  test('is taken once for requests that come together, and returns what is left', async () => {
    const store = createStore();
    const limiter = createSharedLimiter(store, LARGE, createTime().clock);
    const states = await Promise.all(Array.from({ length: 10 }, () => limiter.take('ada')));
    expect(states.map(({ remaining }) => remaining)).toEqual([999, 998, 997, 996, 995, 994, 993, 992, 991, 990]);
    expect(store.calls).toEqual([10]);
  });

  test('is counted in memory while Redis is away', async () => {
    const away = { consume: () => Promise.reject(new Error('connection lost')) };
    const limiter = createSharedLimiter(away, LARGE, createTime().clock);
    const states = await Promise.all(Array.from({ length: 1_001 }, () => limiter.take('ada')));
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(1_000);
  });
});

describe('when the clock of the machine is set', () => {
  const realNow = Date.now;
  afterEach(() => {
    Date.now = realNow;
  });
  const setClock = (offsetMs: number): void => {
    Date.now = () => realNow() + offsetMs;
  };

  test.each([
    ['ahead', 3_600_000],
    ['back', -3_600_000],
  ])('by an hour %s, nobody is refused for longer, and nobody is let in earlier', async (_, offsetMs) => {
    const memory = createMemoryLimiter(POLICY);
    const shared = createSharedLimiter(createCounter(30_000).counter, POLICY);
    for (const limiter of [memory, shared]) for (let request = 0; request < 3; request += 1) await limiter.take('ada');
    setClock(offsetMs);
    for (const limiter of [memory, shared]) {
      const { isAllowed, resetMs } = await limiter.take('ada');
      expect(isAllowed).toBe(false);
      expect(resetMs).toBeLessThanOrEqual(60_000);
      expect(resetMs).toBeGreaterThan(0);
    }
  });
});

test('keys whose time is over do not fill the memory', () => {
  const { clock, pass } = createTime();
  const keys = new ElapsingKeys<number>(clock);
  for (let key = 0; key < 999; key += 1) keys.keep(`${key}`, key, 1_000);
  expect(keys.size).toBe(999);
  pass(1_000);
  keys.keep('last', 1, 1_000);
  expect(keys.size).toBe(1);
});
