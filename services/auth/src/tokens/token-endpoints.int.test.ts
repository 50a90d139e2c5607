import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '@lintel/testkit';
import { freshLife } from '../../test/fresh-life.ts';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase);
  await auth.addUser('clerk', { roles: ['rest-minimal', 'sales-clerk'], locale: 'de' });
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
});

const CLERK = { grant_type: 'password', username: 'clerk', password: 'clerk' };

const login = async (path = '/oauth/token', client = 'client:secret'): Promise<TestResponse['json']> =>
  (await auth.post(path, CLERK, { client })).json;
const refresh = (token: string, path = '/oauth/token', more: Record<string, string> = {}, client = 'client:secret') =>
  auth.post(path, { grant_type: 'refresh_token', refresh_token: token, ...more }, { client });
const isAccepted = async (token: string): Promise<boolean> =>
  (await auth.internal('/exchange', { token })).status === 200;

function expectUncached(response: TestResponse): void {
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('pragma')).toBe('no-cache');
  expect(response.headers.get('content-type')).toBe('application/json;charset=UTF-8');
}

describe.each(['/oauth/token', '/oauth2/token'])('the password grant at %s', (path) => {
  // Asserts contract/decisions.md#45, contract/decisions.md#55, contract/tokens.md#oauth2-response,
  // contract/tokens.md#response.
  test('answers exactly the members of the contract in their order', async () => {
    const response = await auth.post(path, CLERK);
    expect(response.status).toBe(200);
    expectUncached(response);
    expect(Object.keys(response.json)).toEqual([
      'access_token',
      'token_type',
      'refresh_token',
      'expires_in',
      'scope',
      'OAuth2.SESSION_ID',
    ]);
    expect(response.json).toMatchObject({ token_type: 'bearer', expires_in: freshLife(43_200), scope: 'rest-api' });
    expect(response.json['OAuth2.SESSION_ID']).toMatch(/^[0-9A-F]{32}$/);
    const length = path === '/oauth/token' ? 27 : 128;
    for (const member of ['access_token', 'refresh_token']) {
      expect(response.json[member]).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(response.json[member]).toHaveLength(length);
    }
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('vary')).toBeNull();
  });

  // Asserts contract/tokens.md#response, contract/tokens.md#sessions.
  test('gives each request tokens and a session of its own; earlier ones stay valid', async () => {
    const first = await login(path);
    const second = await login(path);
    for (const member of ['access_token', 'refresh_token', 'OAuth2.SESSION_ID'])
      expect(first[member]).not.toBe(second[member]);
    expect(await isAccepted(first.access_token)).toBe(true);
    expect(await isAccepted(second.access_token)).toBe(true);
  });

  // Asserts contract/conventions.md#cors.
  test('works from a browser of another origin, whose rules are the gateway’s', async () => {
    const response = await auth.post(path, CLERK, { headers: { origin: 'https://elsewhere.example' } });
    expect(response.status).toBe(200);
  });

  // Asserts contract/tokens.md#request, contract/tokens.md#settings.
  test('takes a scope of the client', async () => {
    const response = await auth.post(path, { ...CLERK, scope: 'reports' }, { client: 'other:other-secret' });
    expect(response.json.scope).toBe('reports');
  });
});

describe('client credentials', () => {
  // Asserts contract/decisions.md#45, contract/tokens.md#endpoints, contract/tokens.md#oauth2-response.
  test('answer exactly three members', async () => {
    const response = await auth.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      { client: 'integration:secret' },
    );
    expect(response.status).toBe(200);
    expectUncached(response);
    expect(Object.keys(response.json)).toEqual(['access_token', 'token_type', 'expires_in']);
    expect(response.json).toMatchObject({ token_type: 'Bearer', expires_in: freshLife(43_200) });
    expect(response.json.access_token).toHaveLength(128);
  });

  // Asserts contract/roles.md#predefined, contract/tokens.md#clients, contract/tokens.md#oauth2-response.
  test('make a session with the roles of the client and no user', async () => {
    const { json } = await auth.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      { client: 'integration:secret' },
    );
    const exchanged = await auth.internal('/exchange', { token: json.access_token });
    expect(await auth.sessions.load(exchanged.json.sessionId)).toMatchObject({
      username: 'integration',
      userId: null,
      clientId: 'integration',
      kind: 'client',
      resourceRoles: ['rest-minimal', 'sales-manager'],
      rowLevelRoles: ['own-region'],
      locale: null,
      attributes: {},
    });
  });
});

describe('refresh at /oauth/token', () => {
  // Asserts contract/decisions.md#42, contract/tokens.md#endpoints, contract/tokens.md#refresh,
  // contract/tokens.md#settings.
  test('answers the same refresh token and session, and ends the access token of before', async () => {
    const before = await login();
    const response = await refresh(before.refresh_token);
    expect(response.status).toBe(200);
    expectUncached(response);
    expect(response.json).toMatchObject({
      token_type: 'bearer',
      refresh_token: before.refresh_token,
      expires_in: freshLife(43_200),
      scope: 'rest-api',
      'OAuth2.SESSION_ID': before['OAuth2.SESSION_ID'],
    });
    expect(response.json.access_token).not.toBe(before.access_token);
    expect(await isAccepted(before.access_token)).toBe(false);
    expect(await isAccepted(response.json.access_token)).toBe(true);
    const again = await refresh(before.refresh_token);
    expect(await isAccepted(response.json.access_token)).toBe(false);
    expect(await isAccepted(again.json.access_token)).toBe(true);
  });

  // Asserts contract/tokens.md#sessions.
  test('rebuilds a session that was lost', async () => {
    const before = await login();
    const id = before['OAuth2.SESSION_ID'];
    const session = await auth.sessions.load(id);
    await auth.sessions.delete(id);
    expect(await isAccepted(before.access_token)).toBe(false);
    const response = await refresh(before.refresh_token);
    expect(await isAccepted(response.json.access_token)).toBe(true);
    expect(await auth.sessions.load(id)).toEqual(session);
  });

  // Asserts contract/tokens.md#refresh.
  test('narrows the scope, for this access token only', async () => {
    const before = await login('/oauth/token', 'other:other-secret');
    expect(before.scope).toBe('rest-api reports');
    const narrow = await refresh(before.refresh_token, '/oauth/token', { scope: 'reports' }, 'other:other-secret');
    expect(narrow.json.scope).toBe('reports');
    const wide = await refresh(before.refresh_token, '/oauth/token', {}, 'other:other-secret');
    expect(wide.json.scope).toBe('rest-api reports');
  });

  // Asserts contract/tokens.md#refresh.
  test('refuses a wider scope', async () => {
    const { refresh_token: token } = await login();
    const response = await refresh(token, '/oauth/token', { scope: 'rest-api admin' });
    expect([response.status, response.json]).toEqual([
      400,
      { error: 'invalid_scope', error_description: 'Unable to narrow the scope of the client authentication' },
    ]);
  });

  // Asserts contract/tokens.md#refresh.
  test('refuses a missing, an unknown and a foreign token', async () => {
    const missing = await auth.post('/oauth/token', { grant_type: 'refresh_token' });
    expect([missing.status, missing.json]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'refresh_token parameter not provided' },
    ]);
    const unknown = await refresh('unknown');
    expect([unknown.status, unknown.json]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Invalid refresh token' },
    ]);
    const before = await login();
    const foreign = await refresh(before.refresh_token, '/oauth/token', {}, 'other:other-secret');
    expect([foreign.status, foreign.json]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Wrong client for this refresh token' },
    ]);
    expect(await isAccepted(before.access_token)).toBe(true);
  });

  // Asserts contract/tokens.md#refresh.
  test('says once that a token has expired', async () => {
    const { refresh_token: token } = await login('/oauth/token', 'brief:secret');
    await sleep(2_100);
    const first = await refresh(token, '/oauth/token', {}, 'brief:secret');
    expect([first.status, first.json]).toEqual([
      401,
      { error: 'invalid_token', error_description: 'Invalid refresh token (expired)' },
    ]);
    expect(first.headers.get('www-authenticate')).toBe(
      'Bearer error="invalid_token", error_description="Invalid refresh token (expired)"',
    );
    const second = await refresh(token, '/oauth/token', {}, 'brief:secret');
    expect([second.status, second.json.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('lifetimes', () => {
  // Asserts contract/tokens.md#unauthorized.
  test('a client may have its own, and an expired access token says so once', async () => {
    const { access_token: token, expires_in: expiresIn } = await login('/oauth/token', 'brief:secret');
    expect(expiresIn).toBe(0);
    await sleep(1_100);
    const first = await auth.internal('/exchange', { token });
    expect([first.status, first.json]).toEqual([401, { reason: 'expired' }]);
    const second = await auth.internal('/exchange', { token });
    expect([second.status, second.json]).toEqual([401, { reason: 'invalid' }]);
  });
});

describe('storage', () => {
  // Asserts contract/tokens.md#invalidation, contract/tokens.md#settings.
  test('no token is stored in readable form', async () => {
    const { access_token: access, refresh_token: refreshToken } = await login();
    const [{ rows }] = (await auth.testDatabase.query<{ rows: string }>(
      'SELECT json_agg(oidc_model)::text AS rows FROM auth.oidc_model',
    )) as [{ rows: string }];
    expect(rows).not.toContain(refreshToken);
    expect(rows).not.toContain(access);
    expect(auth.log.join('\n')).not.toContain(access);
    expect(auth.log.join('\n')).not.toContain(refreshToken);
  });
});
