import type { Envelope, EventData, EventType } from '@lintel/contracts';
import { createTokenCache, type TokenCache, tokenHashOf } from './token-cache.ts';

/** A JWT that auth might issue; nobody verifies its signature here. */
const ANY_JWT = `h.${Buffer.from('{"sub":"ada","client_id":"client"}').toString('base64url')}.s`;

const START_MS = 1_000_000_000_000;

function setUp() {
  const state = {
    nowMs: START_MS,
    asked: 0,
    release: undefined as (() => void) | undefined,
    held: false,
  };
  const tokens = createTokenCache({
    clock: { now: () => state.nowMs },
    maxStalenessMs: 30_000,
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
  tokens.cache.setConnected(true);
  const asks = async (work: () => Promise<unknown>) => {
    const before = state.asked;
    await work();
    return state.asked - before;
  };
  return { tokens, state, asks };
}

function tell<T extends EventType>({ cache }: TokenCache, type: T, data: EventData<T>): void {
  const envelope: Envelope = {
    specversion: '1.0',
    id: '1',
    source: '/lintel/auth',
    type,
    time: '2026-11-21T00:00:00Z',
    datacontenttype: 'application/json',
    data,
  };
  cache.handleEvent(envelope);
}

test('an entry lives as long as the staleness bound while events arrive', async () => {
  const { tokens, state, asks } = setUp();
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
  state.nowMs += 29_999;
  expect(await asks(() => tokens.identityOf('a'))).toBe(0);
  state.nowMs += 1;
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
});

test('while the broker is away an entry lives five seconds', async () => {
  const { tokens, state, asks } = setUp();
  await tokens.identityOf('a');
  tokens.cache.setConnected(false);
  state.nowMs += 4_999;
  expect(await asks(() => tokens.identityOf('a'))).toBe(0);
  state.nowMs += 1;
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
});

test('no entry is used in the last seconds of its JWT, whatever the bound', async () => {
  const state = { nowMs: START_MS, asked: 0 };
  const tokens = createTokenCache({
    clock: { now: () => state.nowMs },
    maxStalenessMs: 3_600_000,
    exchange: {
      exchange: async () => {
        state.asked += 1;
        return { jwt: ANY_JWT, expiresAt: state.nowMs / 1000 + 60, sessionId: 's' };
      },
    },
  });
  tokens.cache.setConnected(true);
  await tokens.identityOf('a');
  state.nowMs += 54_999;
  await tokens.identityOf('a');
  expect(state.asked).toBe(1);
  state.nowMs += 1;
  await tokens.identityOf('a');
  expect(state.asked).toBe(2);
});

test('the end of a session evicts all its tokens and no others', async () => {
  const { tokens, asks } = setUp();
  await tokens.identityOf('a');
  await tokens.identityOf('b');
  tell(tokens, 'auth.session.ended.v1', { sessionId: 's-a', username: 'a' });
  expect(await asks(() => tokens.identityOf('b'))).toBe(0);
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
});

test('what was asked for before a session ended is not kept after it', async () => {
  const { tokens, state, asks } = setUp();
  state.held = true;
  const first = tokens.identityOf('a');
  tell(tokens, 'auth.session.ended.v1', { sessionId: 's-a', username: 'a' });
  state.held = false;
  state.release?.();
  await first;
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
});

test('what was asked for before a revocation is not kept after it', async () => {
  const { tokens, state, asks } = setUp();
  state.held = true;
  const first = tokens.identityOf('a');
  tell(tokens, 'auth.token.revoked.v1', { tokenHash: tokenHashOf('a'), sessionId: 's-a' });
  state.held = false;
  state.release?.();
  await first;
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
  expect(await asks(() => tokens.identityOf('a'))).toBe(0);
});

test('a request after a revocation does not join a question that was asked before it', async () => {
  const { tokens, state } = setUp();
  state.held = true;
  const first = tokens.identityOf('a');
  tell(tokens, 'auth.token.revoked.v1', { tokenHash: tokenHashOf('a'), sessionId: 's-a' });
  state.held = false;
  const second = await tokens.identityOf('a');
  state.release?.();
  expect(second.jwt).not.toBe((await first).jwt);
});

test('a failed exchange is not remembered', async () => {
  let fails = true;
  const tokens = createTokenCache({
    clock: { now: () => START_MS },
    maxStalenessMs: 30_000,
    exchange: {
      exchange: async () => {
        if (fails) throw new Error('away');
        return { jwt: ANY_JWT, expiresAt: START_MS / 1000 + 60, sessionId: 's' };
      },
    },
  });
  await expect(tokens.identityOf('a')).rejects.toThrow('away');
  fails = false;
  expect((await tokens.identityOf('a')).jwt).toBe(ANY_JWT);
});
