import { createMemoryStore, createRedisStore, type KeyValueStore } from '@lintel/cache';
import { PlatformError } from '@lintel/errors';
import { createLogger } from '@lintel/telemetry';
import { type TestDatabase, testEnvironment, uniqueName } from '@lintel/testkit';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../test/start-auth.ts';
import { hashToken } from '../hash-token.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
});
afterAll(() => testDatabase.drop());

const requestsOf = (auth: () => RunningAuth) => ({
  login: async (): Promise<TestResponse['json']> =>
    (await auth().post('/oauth/token', { grant_type: 'password', username: 'clerk', password: 'clerk' })).json,
  refresh: (token: string, form: Record<string, string> = {}, by = auth()) =>
    by.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...form }),
  isAccepted: async (token: string): Promise<boolean> => (await auth().internal('/exchange', { token })).status === 200,
  endOf: async (token: string): Promise<number> => (await auth().post('/oauth2/introspect', { token })).json.exp,
});

describe('svc.authserver.reuse-refresh-tokens=false', () => {
  let redis: KeyValueStore;
  /** What the key-value store was given. */
  const written: string[] = [];
  let isAway = false;
  let auth: RunningAuth;
  /** A second replica. */
  let other: RunningAuth;

  beforeAll(async () => {
    redis = createRedisStore({
      address: { url: testEnvironment('LINTEL_TEST_REDIS_URL') },
      keyPrefix: `${uniqueName('auth')}:`,
      logger: createLogger({ service: 'auth', level: 'silent' }),
    });
    const keyValues: KeyValueStore = new Proxy(redis, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          if (name === 'set') written.push(given.join(' '));
          if (name === 'membersOf' && isAway) throw new PlatformError('DATA_UNAVAILABLE');
          return member.apply(target, given);
        };
      },
    });
    const options = {
      properties: {
        'svc.authserver.reuse-refresh-tokens': 'false',
        'svc.authserver.client.scoped.client-id': 'scoped',
        'svc.authserver.client.scoped.client-secret': 'secret',
        'svc.authserver.client.scoped.grant-types': 'password,refresh_token',
        'svc.authserver.client.scoped.scopes': 'rest-api,reports',
      },
      keyValues,
    };
    auth = await startAuth(testDatabase, options);
    other = await startAuth(testDatabase, options);
    await auth.addUser('clerk');
  });
  afterAll(async () => {
    await auth.close();
    await other.close();
    await redis.close();
  });

  const { login, refresh, isAccepted, endOf } = requestsOf(() => auth);
  /** As if the token had been used longer ago than the interval. */
  const makeOld = (token: string) =>
    testDatabase.query(
      `UPDATE auth.oidc_model SET payload = payload || jsonb_build_object('consumed', (payload->>'consumed')::bigint - 10)
       WHERE id = $1`,
      [hashToken(token)],
    );

  // Asserts contract/decisions.md#42, contract/tokens.md#refresh, contract/tokens.md#settings.
  test('a refresh answers a new refresh token that ends when the first would have', async () => {
    const first = await login();
    const firstEnd = await endOf(first.refresh_token);
    const second = (await refresh(first.refresh_token)).json;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second['OAuth2.SESSION_ID']).toBe(first['OAuth2.SESSION_ID']);
    expect(await endOf(second.refresh_token)).toBe(firstEnd);
    expect(await isAccepted(first.access_token)).toBe(false);
    expect(await isAccepted(second.access_token)).toBe(true);
  });

  // Asserts contract/decisions.md#86, contract/tokens.md#refresh.
  test('requests with one token get the same successor: at the same time, again, and from two replicas', async () => {
    const first = await login();
    const responses = await Promise.all(
      [auth, other, auth, other, auth, other].map((by) => refresh(first.refresh_token, {}, by)),
    );
    responses.push(await refresh(first.refresh_token), await refresh(first.refresh_token, {}, other));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const [{ json: second }] = responses as [TestResponse];
    for (const member of ['access_token', 'refresh_token'])
      expect(new Set(responses.map(({ json }) => json[member]))).toEqual(new Set([second[member]]));
    expect(await isAccepted(second.access_token)).toBe(true);
    const third = (await refresh(second.refresh_token)).json;
    // The token of the latest refresh stays valid, although the tokens of the first one have ended.
    const late = (await refresh(first.refresh_token)).json;
    expect([late.refresh_token, await isAccepted(late.access_token)]).toEqual([second.refresh_token, true]);
    expect([await isAccepted(second.access_token), await isAccepted(third.access_token)]).toEqual([false, true]);
  });

  // Asserts contract/tokens.md#refresh.
  test('after the interval, a second use of a refresh token ends the whole login', async () => {
    const first = await login();
    const second = (await refresh(first.refresh_token)).json;
    await makeOld(first.refresh_token);
    const reuse = await refresh(first.refresh_token);
    expect([reuse.status, reuse.json.error]).toEqual([400, 'invalid_grant']);
    expect(await isAccepted(second.access_token)).toBe(false);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  // Asserts contract/decisions.md#86, contract/tokens.md#refresh.
  test('another client, and a login that has ended, get no successor', async () => {
    const first = await login();
    const second = (await refresh(first.refresh_token)).json;
    const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const foreign = await auth.post('/oauth/token', form, { client: 'other:other-secret' });
    expect([foreign.status, await isAccepted(second.access_token)]).toEqual([400, true]);
    await auth.post('/oauth2/revoke', { token: second.refresh_token });
    expect((await refresh(first.refresh_token)).json.error).toBe('invalid_grant');
  });

  // Asserts contract/decisions.md#86, contract/tokens.md#refresh.
  test('a request with another scope gets the same successor and an access token with its scope', async () => {
    const client = 'scoped:secret';
    const post = (form: Record<string, string>) => auth.post('/oauth/token', form, { client });
    const first = (await post({ grant_type: 'password', username: 'clerk', password: 'clerk' })).json;
    const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const [whole, narrow] = [(await post(form)).json, (await post({ ...form, scope: 'reports' })).json];
    expect([whole.scope, narrow.scope]).toEqual(['rest-api reports', 'reports']);
    expect(narrow.refresh_token).toBe(whole.refresh_token);
    expect([await isAccepted(whole.access_token), await isAccepted(narrow.access_token)]).toEqual([true, true]);
  });

  // Asserts contract/decisions.md#86, contract/tokens.md#refresh.
  test('after an outage during a refresh the client gets the successor', async () => {
    const first = await login();
    isAway = true;
    const response = await refresh(first.refresh_token).finally(() => {
      isAway = false;
    });
    expect(response.status).toBe(503);
    const second = await refresh(first.refresh_token);
    expect([second.status, await isAccepted(first.access_token)]).toEqual([200, false]);
    expect((await refresh(second.json.refresh_token)).status).toBe(200);
  });

  test('no store has a token that could be read: only hashes, and what is encrypted', async () => {
    const first = await login();
    const second = (await refresh(first.refresh_token)).json;
    const rows = await testDatabase.query<{ text: string }>('SELECT m::text AS text FROM auth.oidc_model m');
    const stored = [...written, ...rows.map(({ text }) => text)].join('\n');
    expect(stored).toContain(hashToken(second.refresh_token));
    for (const json of [first, second])
      for (const token of [json.access_token, json.refresh_token]) expect(stored).not.toContain(token);
  });
});

describe('svc.authserver.refresh-token-reuse-interval=0', () => {
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await startAuth(testDatabase, {
      properties: {
        'svc.authserver.reuse-refresh-tokens': 'false',
        'svc.authserver.refresh-token-reuse-interval': '0',
      },
    });
  });
  afterAll(() => auth.close());
  const { login, refresh, isAccepted } = requestsOf(() => auth);

  // Asserts contract/tokens.md#refresh.
  test('a second use ends the login at once', async () => {
    const first = await login();
    const second = (await refresh(first.refresh_token)).json;
    expect((await refresh(first.refresh_token)).json.error).toBe('invalid_grant');
    expect(await isAccepted(second.access_token)).toBe(false);
  });

  // Asserts contract/tokens.md#refresh.
  test('of two uses at the same time at most one succeeds', async () => {
    const first = await login();
    const responses = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(responses.every(({ status }) => status === 200 || status === 400)).toBe(true);
  });
});

describe('a refresh token that is reused (contract/decisions.md#42)', () => {
  const AT_ONCE = 6;
  let auth: RunningAuth;
  let arrived = 0;
  let release: () => void = () => undefined;

  beforeAll(async () => {
    const memory = createMemoryStore({ clock: { now: () => Date.now() } });
    /** Issues the tokens of the first request when all have arrived. */
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    auth = await startAuth(testDatabase, {
      keyValues: new Proxy(memory, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return async (...given: unknown[]) => {
            // Each refresh renews its session, as the login has written it.
            if (name === 'set' && String(given[0]).startsWith('session:')) arrived += 1;
            if (arrived === 1 + AT_ONCE) release();
            const result: unknown = await member.apply(target, given);
            if (name === 'increment' && String(given[0]).startsWith('oidc:issuing:') && result === 1) await all;
            return result;
          };
        },
      }),
    });
  });
  afterAll(() => auth.close());
  const { login, refresh, isAccepted } = requestsOf(() => auth);

  // Asserts contract/tokens.md#refresh.
  test('refreshes that overlap get one access token, a later one ends it', async () => {
    const first = await login();
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => refresh(first.refresh_token)));
    expect(responses.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
    expect(new Set(responses.map(({ json }) => json.refresh_token))).toEqual(new Set([first.refresh_token]));
    const tokens = [...new Set(responses.map(({ json }) => String(json.access_token)))];
    expect(tokens).toHaveLength(1);
    expect([await isAccepted(first.access_token), await isAccepted(tokens[0] ?? '')]).toEqual([false, true]);
    const later = (await refresh(first.refresh_token)).json;
    expect([await isAccepted(tokens[0] ?? ''), await isAccepted(later.access_token)]).toEqual([false, true]);
  });
});
