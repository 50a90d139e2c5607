import { createLoginChecks, type LoginChecksDeps, type LoginSource, type LoginState } from './check-logins.ts';
import type { FederatedLogin, FederatedLogins } from './federated-logins.ts';

// In an ES module `jest` is a member of `import.meta`.
const { jest: fake } = import.meta as unknown as { readonly jest: typeof jest };

const LOGIN: FederatedLogin = {
  id: 'login-1',
  provider: 'acme',
  issuer: 'https://acme.example',
  subject: 'grace',
  sid: undefined,
  username: 'grace',
  refreshToken: 'refresh token',
};

/** Records of one login in memory. */
function logins(keys: readonly string[]): FederatedLogins & { readonly unchecked: string[] } {
  let bound = keys;
  const unchecked: string[] = [];
  return {
    unchecked,
    save: async () => undefined,
    bind: async () => true,
    unbind: async () => undefined,
    loginOf: async () => LOGIN.id,
    takeStale: async () => ({ ...LOGIN, hasExpired: false }),
    hasExpired: async () => false,
    replaceRefreshToken: async () => undefined,
    requireCheck: async (id) => void unchecked.push(id),
    keysOf: async () => bound,
    async end() {
      const ended = bound;
      bound = [];
      return ended;
    },
    providers: async () => [],
  };
}

function checksOf(store: FederatedLogins, stateOf: LoginSource['stateOf'], deps: Partial<LoginChecksDeps> = {}) {
  const source = { rules: {} as LoginSource['rules'], stateOf };
  return createLoginChecks({
    logins: store,
    users: { signIn: () => Promise.reject(new Error('no claims are expected')) },
    sources: new Map([['acme', source]]),
    checkIntervalMs: 0,
    sessions: { endGrant: async () => undefined, endBrowserSession: async () => undefined },
    security: { record: () => undefined } as unknown as LoginChecksDeps['security'],
    logger: { warn: () => undefined, error: () => undefined } as unknown as LoginChecksDeps['logger'],
    ...deps,
  });
}

const responding =
  (state: LoginState): LoginSource['stateOf'] =>
  async () =>
    state;

test('after a failure half-way, the next attempt ends the other sessions', async () => {
  const ended: string[] = [];
  let failures = 1;
  const endGrant = async (key: string) => {
    if (key === 'grant-2' && failures > 0) {
      failures -= 1;
      throw new Error('the database is away');
    }
    ended.push(key);
  };
  const endBrowserSession = async (uid: string) => void ended.push(uid);
  const store = logins(['grant-1', 'grant-2', 'session:uid-3']);
  const checks = checksOf(store, responding({ kind: 'ended' }), { sessions: { endGrant, endBrowserSession } });
  await expect(checks.end({ id: LOGIN.id }, 'logout', 'acme')).rejects.toThrow('away');
  expect(await checks.end({ id: LOGIN.id }, 'logout', 'acme')).toBe(3);
  expect(new Set(ended)).toEqual(new Set(['grant-1', 'grant-2', 'uid-3']));
});

test.each<[string, LoginState, readonly string[]]>([
  ['unavailable', { kind: 'unavailable', cause: new Error('away') }, [LOGIN.id]],
  ['unknown', { kind: 'unknown' }, [LOGIN.id]],
  ['valid', { kind: 'valid' }, []],
])('after a check that is %s, the next refresh is checked or not', async (_case, state, unchecked) => {
  const store = logins(['grant-1']);
  await checksOf(store, responding(state)).isAlive('session');
  expect(store.unchecked).toEqual(unchecked);
});

test('an exchange does not wait for a provider that does not respond', async () => {
  fake.useFakeTimers();
  try {
    const checks = checksOf(logins([]), () => new Promise<never>(() => undefined));
    const alive = checks.isAlive('session');
    await fake.advanceTimersByTimeAsync(2_000);
    expect(await alive).toBe(true);
  } finally {
    fake.useRealTimers();
  }
});

test('an error of a check that ends late is in the log', async () => {
  fake.useFakeTimers();
  try {
    const error = fake.fn();
    const logger = { error, warn: () => undefined } as unknown as LoginChecksDeps['logger'];
    let fail: (cause: Error) => void = () => undefined;
    const stateOf = () =>
      new Promise<never>((_resolve, reject) => {
        fail = reject;
      });
    const alive = checksOf(logins([]), stateOf, { logger }).isAlive('session');
    await fake.advanceTimersByTimeAsync(2_000);
    expect(await alive).toBe(true);
    fail(new Error('late'));
    await fake.advanceTimersByTimeAsync(0);
    expect(error).toHaveBeenCalledTimes(1);
  } finally {
    fake.useRealTimers();
  }
});
