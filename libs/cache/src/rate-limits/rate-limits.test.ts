import { RateLimiterRes } from 'rate-limiter-flexible';
import { createMemoryLimiter } from './create-memory-limiter.ts';
import { createSharedLimiter } from './create-redis-rate-limits.ts';
import { ElapsingKeys } from './elapsing-keys.ts';

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

/** A counter of the library as it answers when its window has `leftMs` to go. */
function createCounter(leftMs: number) {
  const asked: string[] = [];
  const state = { isAway: false, asked };
  return {
    state,
    counter: {
      async consume(key: string | number) {
        if (state.isAway) throw new Error('connection lost');
        asked.push(String(key));
        const consumed = asked.length;
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

test('a key that was refused is not asked for again before its window ends', async () => {
  const { clock, pass } = createTime();
  const { counter, state } = createCounter(30_000);
  const limiter = createSharedLimiter(counter, POLICY, clock);
  for (const isAllowed of [true, true, false]) expect((await limiter.take('ada')).isAllowed).toBe(isAllowed);
  pass(10_000);
  expect(await limiter.take('ada')).toEqual({ isAllowed: false, remaining: 0, resetMs: 20_000 });
  expect(state.asked).toHaveLength(3);
  pass(20_000);
  await limiter.take('ada');
  expect(state.asked).toHaveLength(4);
});

test('where nobody can be asked the process counts by itself', async () => {
  const { counter, state } = createCounter(30_000);
  const limiter = createSharedLimiter(counter, POLICY, createTime().clock);
  state.isAway = true;
  const allowed = [];
  for (let request = 0; request < 3; request += 1) allowed.push((await limiter.take('ada')).isAllowed);
  expect(allowed).toEqual([true, true, false]);
  state.isAway = false;
  expect((await limiter.take('ada')).isAllowed).toBe(true);
});

describe('when somebody sets the clock of the machine', () => {
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
