import { TokenCache, tokenHashOf } from './token-cache.ts';

/** A JWT that auth might issue; nobody verifies its signature here. */
const ANY_JWT = `h.${Buffer.from('{"sub":"ada","client_id":"client"}').toString('base64url')}.s`;

const START_MS = 1_000_000_000_000;

function setUp() {
  const state = {
    nowMs: START_MS,
    connected: true,
    asked: 0,
    release: undefined as (() => void) | undefined,
    held: false,
  };
  const cache = new TokenCache({
    nowMs: () => state.nowMs,
    maxStalenessMs: 30_000,
    isConnected: () => state.connected,
    exchange: {
      async exchange(request) {
        state.asked += 1;
        const number = state.asked;
        if (state.held)
          await new Promise<void>((resolve) => {
            state.release = resolve;
          });
        const sub = 'token' in request ? request.token : 'anonymous';
        const payload = Buffer.from(JSON.stringify({ sub, client_id: 'client' })).toString('base64url');
        return { jwt: `h.${payload}.${number}`, expiresAt: state.nowMs / 1000 + 60, sessionId: `s-${sub}` };
      },
    },
  });
  const asks = async (work: () => Promise<unknown>) => {
    const before = state.asked;
    await work();
    return state.asked - before;
  };
  return { cache, state, asks };
}

test('an entry lives as long as the staleness bound while events arrive', async () => {
  const { cache, state, asks } = setUp();
  expect(await asks(() => cache.identityOf('a'))).toBe(1);
  state.nowMs += 29_999;
  expect(await asks(() => cache.identityOf('a'))).toBe(0);
  state.nowMs += 1;
  expect(await asks(() => cache.identityOf('a'))).toBe(1);
});

test('while the broker is away an entry lives five seconds', async () => {
  const { cache, state, asks } = setUp();
  await cache.identityOf('a');
  state.connected = false;
  state.nowMs += 4_999;
  expect(await asks(() => cache.identityOf('a'))).toBe(0);
  state.nowMs += 1;
  expect(await asks(() => cache.identityOf('a'))).toBe(1);
});

test('no entry is used in the last seconds of its JWT, whatever the bound', async () => {
  const state = { nowMs: START_MS, asked: 0 };
  const cache = new TokenCache({
    nowMs: () => state.nowMs,
    maxStalenessMs: 3_600_000,
    isConnected: () => true,
    exchange: {
      exchange: async () => {
        state.asked += 1;
        return { jwt: ANY_JWT, expiresAt: state.nowMs / 1000 + 60, sessionId: 's' };
      },
    },
  });
  await cache.identityOf('a');
  state.nowMs += 54_999;
  await cache.identityOf('a');
  expect(state.asked).toBe(1);
  state.nowMs += 1;
  await cache.identityOf('a');
  expect(state.asked).toBe(2);
});

test('the end of a session evicts all its tokens and no others', async () => {
  const { cache, asks } = setUp();
  await cache.identityOf('a');
  await cache.identityOf('b');
  cache.evictSession('s-a');
  expect(await asks(() => cache.identityOf('b'))).toBe(0);
  expect(await asks(() => cache.identityOf('a'))).toBe(1);
});

test('what was asked for before a revocation is not kept after it', async () => {
  const { cache, state, asks } = setUp();
  state.held = true;
  const first = cache.identityOf('a');
  cache.evictToken(tokenHashOf('a'));
  state.held = false;
  state.release?.();
  await first;
  expect(await asks(() => cache.identityOf('a'))).toBe(1);
  expect(await asks(() => cache.identityOf('a'))).toBe(0);
});

test('a request after a revocation does not join a question that was asked before it', async () => {
  const { cache, state } = setUp();
  state.held = true;
  const first = cache.identityOf('a');
  cache.evictToken(tokenHashOf('a'));
  state.held = false;
  const second = await cache.identityOf('a');
  state.release?.();
  expect(second.jwt).not.toBe((await first).jwt);
});

test('a failed exchange is not remembered', async () => {
  let fails = true;
  const cache = new TokenCache({
    nowMs: () => START_MS,
    maxStalenessMs: 30_000,
    isConnected: () => true,
    exchange: {
      exchange: async () => {
        if (fails) throw new Error('away');
        return { jwt: ANY_JWT, expiresAt: START_MS / 1000 + 60, sessionId: 's' };
      },
    },
  });
  await expect(cache.identityOf('a')).rejects.toThrow('away');
  fails = false;
  expect((await cache.identityOf('a')).jwt).toBe(ANY_JWT);
});
