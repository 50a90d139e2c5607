import type { Envelope, EventData, EventType } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createTokenCache, type TokenCache, tokenHashOf } from './token-cache.ts';

/** A JWT such as auth issues; its signature is not verified here. */
const ANY_JWT = `h.${Buffer.from('{"sub":"ada","client_id":"client"}').toString('base64url')}.s`;

const START_MS = 1_000_000_000_000;

function setUp(maxStalenessMs = 30_000) {
  const state = {
    nowMs: START_MS,
    /** Error of the time of day. */
    offMs: 0,
    asked: 0,
    isAway: false,
    release: undefined as (() => void) | undefined,
    held: false,
  };
  const tokens = createTokenCache({
    clock: { now: () => state.nowMs },
    wallClock: { now: () => state.nowMs + state.offMs },
    maxStalenessMs,
    exchange: {
      assertSession: async () => undefined,
      async exchange(request) {
        if (state.isAway) throw new PlatformError('AUTH_UNAVAILABLE');
        state.asked += 1;
        const number = state.asked;
        if (state.held)
          await new Promise<void>((resolve) => {
            state.release = resolve;
          });
        const sub = 'token' in request ? request.token : 'anonymous';
        const payload = Buffer.from(JSON.stringify({ sub, client_id: 'client' })).toString('base64url');
        return {
          jwt: `h.${payload}.${number}`,
          expiresAt: (state.nowMs + state.offMs) / 1000 + 60,
          sessionId: `s-${sub}`,
        };
      },
    },
  });
  tokens.cache.setConnected(true);
  const asks = async (work: () => unknown) => {
    const before = state.asked;
    await work();
    return state.asked - before;
  };
  return { tokens, state, asks };
}

function notify<T extends EventType>({ cache }: TokenCache, type: T, data: EventData<T>): void {
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

// Asserts contract/decisions.md#55.
test.each([
  ['while events arrive as long as the staleness bound', 30_000, true, 30_000],
  ['while the broker is away five seconds', 30_000, false, 5_000],
  ['until five seconds before the end of its JWT, whatever the bound', 3_600_000, true, 55_000],
])('an entry is answered %s while auth is away, then 503', async (_how, maxStalenessMs, isConnected, lifeMs) => {
  const { tokens, state } = setUp(maxStalenessMs);
  tokens.cache.setConnected(isConnected);
  const { jwt } = await tokens.identityOf('a');
  state.isAway = true;
  state.nowMs += lifeMs - 1;
  expect((await tokens.identityOf('a')).jwt).toBe(jwt);
  state.nowMs += 1;
  await expect(tokens.identityOf('a')).rejects.toMatchObject({ status: 503 });
  state.isAway = false;
  expect((await tokens.identityOf('a')).jwt).not.toBe(jwt);
});

test.each([
  ['ahead', 3_600_000, 1],
  ['back', -3_600_000, 0],
])('a clock that is set %s makes no entry live longer than its bound', async (_, offMs, askedAtOnce) => {
  const { tokens, state, asks } = setUp(30_000);
  await tokens.identityOf('a');
  state.offMs = offMs;
  // Where the clock is ahead, the JWT has expired, for the services too.
  expect(await asks(() => tokens.identityOf('a'))).toBe(askedAtOnce);
  state.nowMs += 30_000;
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
});

test('an entry in use is renewed before its end', async () => {
  const { tokens, state, asks } = setUp(30_000);
  await tokens.identityOf('a');
  state.nowMs += 22_499;
  expect(await asks(() => tokens.identityOf('a'))).toBe(0);
  state.nowMs += 1;
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
  state.nowMs += 22_499;
  expect(await asks(() => tokens.identityOf('a'))).toBe(0);
});

test('the end of a session evicts all its tokens and no others', async () => {
  const { tokens, asks } = setUp();
  await tokens.identityOf('a');
  await tokens.identityOf('b');
  notify(tokens, 'auth.session.ended.v1', { sessionId: 's-a', username: 'a' });
  expect(await asks(() => tokens.identityOf('b'))).toBe(0);
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
});

test('a result that was requested before a session ended is not cached after it', async () => {
  const { tokens, state, asks } = setUp();
  state.held = true;
  const first = tokens.identityOf('a');
  notify(tokens, 'auth.session.ended.v1', { sessionId: 's-a', username: 'a' });
  state.held = false;
  state.release?.();
  await first;
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
});

test('a result that was requested before a revocation is not cached after it', async () => {
  const { tokens, state, asks } = setUp();
  state.held = true;
  const first = tokens.identityOf('a');
  notify(tokens, 'auth.token.revoked.v1', { tokenHash: tokenHashOf('a'), sessionId: 's-a' });
  state.held = false;
  state.release?.();
  await first;
  expect(await asks(() => tokens.identityOf('a'))).toBe(1);
  expect(await asks(() => tokens.identityOf('a'))).toBe(0);
});

test('a request after a revocation does not share a check that began before it', async () => {
  const { tokens, state } = setUp();
  state.held = true;
  const first = tokens.identityOf('a');
  notify(tokens, 'auth.token.revoked.v1', { tokenHash: tokenHashOf('a'), sessionId: 's-a' });
  state.held = false;
  const second = await tokens.identityOf('a');
  state.release?.();
  expect(second.jwt).not.toBe((await first).jwt);
});

test.each<[EventType, Record<string, unknown>]>([
  ['auth.session.ended.v1', { sessionId: 's-x', username: 'a', sessionIds: ['s-x', 's-a', 's-b'] }],
  [
    'auth.token.revoked.v1',
    { tokenHash: 'x', sessionId: 's-x', tokenHashes: ['x', tokenHashOf('a'), tokenHashOf('b')] },
  ],
])('%s names all that ended together', async (type, data) => {
  const { tokens, asks } = setUp();
  for (const token of ['a', 'b', 'c']) await tokens.identityOf(token);
  notify(tokens, type, data as EventData<EventType>);
  for (const [token, asked] of [
    ['a', 1],
    ['b', 1],
    ['c', 0],
  ] as const)
    expect([token, await asks(() => tokens.identityOf(token))]).toEqual([token, asked]);
});

test('a failed exchange is not remembered', async () => {
  let fails = true;
  const tokens = createTokenCache({
    clock: { now: () => START_MS },
    wallClock: { now: () => START_MS },
    maxStalenessMs: 30_000,
    exchange: {
      assertSession: async () => undefined,
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
