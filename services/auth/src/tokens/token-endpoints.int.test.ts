import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { type Answer, type RunningAuth, startAuth } from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createTestDatabase('auth');
  auth = await startAuth(testDatabase);
  await auth.addUser('clerk', { roles: ['rest-minimal', 'sales-clerk'], locale: 'de' });
  await auth.addUser('sleeper', { active: false });
  await auth.addUser('passwordless', { passwordHash: null });
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
});

const CLERK = { grant_type: 'password', username: 'clerk', password: 'clerk' };
const RFC_6749 = 'https://datatracker.ietf.org/doc/html/rfc6749#section-5.2';
const CHALLENGE = 'Basic realm="oauth2/client"';

const login = async (path = '/oauth/token', client = 'client:secret'): Promise<Answer['json']> =>
  (await auth.post(path, CLERK, { client })).json;
const refresh = (token: string, path = '/oauth/token', more: Record<string, string> = {}, client = 'client:secret') =>
  auth.post(path, { grant_type: 'refresh_token', refresh_token: token, ...more }, { client });
const isAccepted = async (token: string): Promise<boolean> =>
  (await auth.internal('/exchange', { token })).status === 200;

function expectUncached(answer: Answer): void {
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('pragma')).toBe('no-cache');
  expect(answer.headers.get('content-type')).toBe('application/json;charset=UTF-8');
}

describe.each(['/oauth/token', '/oauth2/token'])('the password grant at %s', (path) => {
  test('answers exactly the members of the specification in their order', async () => {
    const answer = await auth.post(path, CLERK);
    expect(answer.status).toBe(200);
    expectUncached(answer);
    expect(Object.keys(answer.json)).toEqual([
      'access_token',
      'token_type',
      'refresh_token',
      'expires_in',
      'scope',
      'OAuth2.SESSION_ID',
    ]);
    expect(answer.json).toMatchObject({ token_type: 'bearer', expires_in: 43199, scope: 'rest-api' });
    expect(answer.json['OAuth2.SESSION_ID']).toMatch(/^[0-9A-F]{32}$/);
    const length = path === '/oauth/token' ? 27 : 128;
    for (const member of ['access_token', 'refresh_token']) {
      expect(answer.json[member]).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(answer.json[member]).toHaveLength(length);
    }
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('vary')).toBeNull();
  });

  test('gives each request tokens and a session of its own; earlier ones stay valid', async () => {
    const first = await login(path);
    const second = await login(path);
    for (const member of ['access_token', 'refresh_token', 'OAuth2.SESSION_ID'])
      expect(first[member]).not.toBe(second[member]);
    expect(await isAccepted(first.access_token)).toBe(true);
    expect(await isAccepted(second.access_token)).toBe(true);
  });

  test('works from a browser of another origin, whose rules are the gateway’s', async () => {
    const answer = await auth.post(path, CLERK, { headers: { origin: 'https://elsewhere.example' } });
    expect(answer.status).toBe(200);
  });

  test('takes a scope of the client', async () => {
    const answer = await auth.post(path, { ...CLERK, scope: 'reports' }, { client: 'other:other-secret' });
    expect(answer.json.scope).toBe('reports');
  });
});

describe('refusals of /oauth/token', () => {
  const rows: readonly (readonly [string, () => Promise<Answer>, number, object, Record<string, string>?])[] = [
    ['no Basic header', () => auth.post('/oauth/token', CLERK, { client: null }), 401, invalidClient()],
    [
      'another scheme',
      () => auth.post('/oauth/token', CLERK, { client: null, headers: { authorization: 'Bearer x' } }),
      401,
      invalidClient(),
    ],
    [
      'a malformed Basic header',
      () => auth.post('/oauth/token', CLERK, { client: null, headers: { authorization: 'Basic !!!' } }),
      401,
      invalidClient(),
    ],
    ['an unknown client', () => auth.post('/oauth/token', CLERK, { client: 'nobody:secret' }), 401, invalidClient()],
    ['a wrong secret', () => auth.post('/oauth/token', CLERK, { client: 'client:wrong' }), 401, invalidClient()],
    ['an empty secret', () => auth.post('/oauth/token', CLERK, { client: 'client:' }), 401, invalidClient()],
    [
      'client credentials in the form',
      () => auth.post('/oauth/token', { ...CLERK, client_id: 'client', client_secret: 'secret' }, { client: null }),
      401,
      invalidClient(),
    ],
    [
      'another client_id in the form',
      () => auth.post('/oauth/token', { ...CLERK, client_id: 'other' }),
      401,
      invalidClient('Given client ID does not match authenticated client'),
    ],
    ['a wrong password', () => auth.post('/oauth/token', { ...CLERK, password: 'x' }), 400, grantError()],
    ['an unknown user', () => auth.post('/oauth/token', { ...CLERK, username: 'x' }), 400, grantError()],
    ['another case of the name', () => auth.post('/oauth/token', { ...CLERK, username: 'Clerk' }), 400, grantError()],
    [
      'a name with a NUL character',
      () => auth.post('/oauth/token', 'grant_type=password&username=cl%00erk&password=clerk'),
      400,
      grantError(),
    ],
    [
      'a user without a password',
      () => auth.post('/oauth/token', { ...CLERK, username: 'passwordless', password: '' }),
      400,
      grantError(),
    ],
    ['missing user name and password', () => auth.post('/oauth/token', { grant_type: 'password' }), 400, grantError()],
    [
      'a disabled user',
      () => auth.post('/oauth/token', { ...CLERK, username: 'sleeper', password: 'sleeper' }),
      400,
      grantError('User is disabled'),
    ],
    [
      'a disabled user with a wrong password',
      () => auth.post('/oauth/token', { ...CLERK, username: 'sleeper', password: 'x' }),
      400,
      grantError(),
    ],
    [
      'no grant type',
      () => auth.post('/oauth/token', { username: 'clerk' }),
      400,
      { error: 'invalid_request', error_description: 'Missing grant type' },
    ],
    [
      'a grant type given twice',
      () => auth.post('/oauth/token', 'grant_type=password&grant_type=password'),
      400,
      { error: 'invalid_request', error_description: 'Parameter grant_type is given more than once' },
    ],
    [
      'an unknown grant type',
      () => auth.post('/oauth/token', { grant_type: 'magic' }),
      400,
      { error: 'unsupported_grant_type', error_description: 'Unsupported grant type' },
    ],
    [
      'client_credentials, which this endpoint has not',
      () => auth.post('/oauth/token', { grant_type: 'client_credentials' }, { client: 'integration:secret' }),
      400,
      { error: 'unsupported_grant_type', error_description: 'Unsupported grant type' },
    ],
    [
      'implicit',
      () => auth.post('/oauth/token', { grant_type: 'implicit' }),
      400,
      { error: 'invalid_grant', error_description: 'Implicit grant type not supported from token endpoint' },
    ],
    [
      'a grant that the client may not use',
      () => auth.post('/oauth/token', CLERK, { client: 'integration:secret' }),
      401,
      { error: 'invalid_client', error_description: 'Unauthorized grant type' },
      { 'www-authenticate': 'Bearer error="invalid_client", error_description="Unauthorized grant type"' },
    ],
    [
      'a scope that the client has not',
      () => auth.post('/oauth/token', { ...CLERK, scope: 'rest-api admin' }),
      400,
      { error: 'invalid_scope', error_description: 'Invalid scope', scope: 'rest-api' },
    ],
    [
      'a body that is no form',
      () => auth.post('/oauth/token', '{}', { headers: { 'content-type': 'application/json' } }),
      400,
      {
        error: 'invalid_request',
        error_description: 'The body must be application/x-www-form-urlencoded in UTF-8',
      },
    ],
    [
      'GET',
      () => auth.post('/oauth/token', CLERK, { method: 'GET' }),
      405,
      { error: 'method_not_allowed', error_description: "Request method 'GET' not supported" },
      { allow: 'POST' },
    ],
  ];

  const cases = rows.map(([situation, request, status, body, headers = {}]) => ({
    situation,
    request,
    status,
    body,
    headers,
  }));
  test.each(cases)('$situation', async ({ request, status, body, headers }) => {
    const answer = await request();
    expect(answer.json).toEqual(body);
    expect(answer.status).toBe(status);
    expectUncached(answer);
    const challenge = status === 401 ? { 'www-authenticate': CHALLENGE, ...headers } : headers;
    for (const [name, value] of Object.entries(challenge)) expect(answer.headers.get(name)).toBe(value);
  });

  test('a form of more than 56 KiB is 413', async () => {
    const answer = await auth.post('/oauth/token', { ...CLERK, password: 'x'.repeat(60_000) });
    expect(answer.status).toBe(413);
    expect(answer.json.error).toBe('invalid_request');
  });

  test('parameters of the query string count here', async () => {
    const answer = await auth.post('/oauth/token?grant_type=password&username=clerk', { password: 'clerk' });
    expect(answer.status).toBe(200);
  });

  test('unknown users take the time of known ones', async () => {
    const timeOf = async (username: string): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 9; round += 1) {
        const start = performance.now();
        await auth.post('/oauth/token', { ...CLERK, username, password: 'wrong' });
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b)[2] ?? 0;
    };
    const known = await timeOf('clerk');
    const unknown = await timeOf('nobody-of-that-name');
    expect(unknown).toBeGreaterThan(known * 0.5);
    expect(unknown).toBeLessThan(known * 2);
  });
});

describe('client credentials', () => {
  test('answer exactly three members', async () => {
    const answer = await auth.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      { client: 'integration:secret' },
    );
    expect(answer.status).toBe(200);
    expectUncached(answer);
    expect(Object.keys(answer.json)).toEqual(['access_token', 'token_type', 'expires_in']);
    expect(answer.json).toMatchObject({ token_type: 'Bearer', expires_in: 43199 });
    expect(answer.json.access_token).toHaveLength(128);
  });

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

describe('refusals of /oauth2/token', () => {
  const parameter = (name: string, error = 'invalid_request') => ({
    error,
    error_description: `OAuth 2.0 Parameter: ${name}`,
    error_uri: RFC_6749,
  });
  const rows: readonly (readonly [string, () => Promise<Answer>, number, object])[] = [
    ['no client authentication', () => auth.post('/oauth2/token', CLERK, { client: null }), 401, invalidClient()],
    ['an unknown client', () => auth.post('/oauth2/token', CLERK, { client: 'nobody:x' }), 401, invalidClient()],
    ['a wrong secret', () => auth.post('/oauth2/token', CLERK, { client: 'client:x' }), 401, invalidClient()],
    [
      'a malformed Basic header',
      () => auth.post('/oauth2/token', CLERK, { client: null, headers: { authorization: 'Basic ???' } }),
      400,
      { error: 'invalid_request', error_description: 'The Authorization header is not valid Basic' },
    ],
    ['no grant type', () => auth.post('/oauth2/token', {}), 400, parameter('grant_type')],
    [
      'a grant type in the query string',
      () => auth.post('/oauth2/token?grant_type=password', { username: 'clerk', password: 'clerk' }),
      400,
      parameter('grant_type'),
    ],
    [
      'a repeated grant type',
      () => auth.post('/oauth2/token', 'grant_type=password&grant_type=password'),
      400,
      parameter('grant_type'),
    ],
    [
      'an unknown grant type',
      () => auth.post('/oauth2/token', { grant_type: 'magic' }),
      400,
      parameter('grant_type', 'unsupported_grant_type'),
    ],
    [
      'no user name',
      () => auth.post('/oauth2/token', { grant_type: 'password', password: 'x' }),
      400,
      parameter('username'),
    ],
    [
      'no password',
      () => auth.post('/oauth2/token', { grant_type: 'password', username: 'clerk' }),
      400,
      parameter('password'),
    ],
    [
      'a repeated password',
      () => auth.post('/oauth2/token', 'grant_type=password&username=clerk&password=a&password=b'),
      400,
      parameter('password'),
    ],
    [
      'a grant that the client may not use',
      () => auth.post('/oauth2/token', { grant_type: 'client_credentials' }),
      400,
      { error: 'unauthorized_client' },
    ],
    [
      'a scope that the client has not',
      () => auth.post('/oauth2/token', { ...CLERK, scope: 'admin' }),
      400,
      { error: 'invalid_scope' },
    ],
    [
      'a scope that a client-credentials client has not',
      () =>
        auth.post(
          '/oauth2/token',
          { grant_type: 'client_credentials', scope: 'admin' },
          { client: 'integration:secret' },
        ),
      400,
      { error: 'invalid_scope' },
    ],
    [
      'a wrong password',
      () => auth.post('/oauth2/token', { ...CLERK, password: 'x' }),
      400,
      { ...grantError(), error_uri: RFC_6749 },
    ],
    [
      'a disabled user',
      () => auth.post('/oauth2/token', { ...CLERK, username: 'sleeper', password: 'sleeper' }),
      400,
      { ...grantError('User is disabled'), error_uri: RFC_6749 },
    ],
    ['an unknown refresh token', () => refresh('unknown', '/oauth2/token'), 400, { error: 'invalid_grant' }],
    [
      'no refresh token',
      () => auth.post('/oauth2/token', { grant_type: 'refresh_token' }),
      400,
      parameter('refresh_token'),
    ],
  ];

  test.each(rows)('%s', async (_situation, request, status, body) => {
    const answer = await request();
    expect(answer.json).toEqual(body);
    expect(answer.status).toBe(status);
    expectUncached(answer);
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? CHALLENGE : null);
  });

  test('the refresh token of another client', async () => {
    const { refresh_token: token } = await login();
    const answer = await refresh(token, '/oauth2/token', {}, 'other:other-secret');
    expect([answer.status, answer.json]).toEqual([400, { error: 'invalid_grant' }]);
  });

  test('an expired refresh token', async () => {
    const { refresh_token: token } = await login('/oauth2/token', 'brief:secret');
    await sleep(2_100);
    const answer = await refresh(token, '/oauth2/token', {}, 'brief:secret');
    expect([answer.status, answer.json]).toEqual([400, { error: 'invalid_grant' }]);
  });
});

describe('refresh at /oauth/token', () => {
  test('answers the same refresh token and session, and ends the access token of before', async () => {
    const before = await login();
    const answer = await refresh(before.refresh_token);
    expect(answer.status).toBe(200);
    expectUncached(answer);
    expect(answer.json).toMatchObject({
      token_type: 'bearer',
      refresh_token: before.refresh_token,
      expires_in: 43199,
      scope: 'rest-api',
      'OAuth2.SESSION_ID': before['OAuth2.SESSION_ID'],
    });
    expect(answer.json.access_token).not.toBe(before.access_token);
    expect(await isAccepted(before.access_token)).toBe(false);
    expect(await isAccepted(answer.json.access_token)).toBe(true);
    const again = await refresh(before.refresh_token);
    expect(await isAccepted(answer.json.access_token)).toBe(false);
    expect(await isAccepted(again.json.access_token)).toBe(true);
  });

  test('rebuilds a session that was lost', async () => {
    const before = await login();
    const id = before['OAuth2.SESSION_ID'];
    const session = await auth.sessions.load(id);
    await auth.sessions.delete(id);
    expect(await isAccepted(before.access_token)).toBe(false);
    const answer = await refresh(before.refresh_token);
    expect(await isAccepted(answer.json.access_token)).toBe(true);
    expect(await auth.sessions.load(id)).toEqual(session);
  });

  test('narrows the scope, for this access token only', async () => {
    const before = await login('/oauth/token', 'other:other-secret');
    expect(before.scope).toBe('rest-api reports');
    const narrow = await refresh(before.refresh_token, '/oauth/token', { scope: 'reports' }, 'other:other-secret');
    expect(narrow.json.scope).toBe('reports');
    const wide = await refresh(before.refresh_token, '/oauth/token', {}, 'other:other-secret');
    expect(wide.json.scope).toBe('rest-api reports');
  });

  test('refuses a wider scope', async () => {
    const { refresh_token: token } = await login();
    const answer = await refresh(token, '/oauth/token', { scope: 'rest-api admin' });
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: 'invalid_scope', error_description: 'Unable to narrow the scope of the client authentication' },
    ]);
  });

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

function invalidClient(description = 'Client authentication failed'): object {
  return { error: 'invalid_client', error_description: description };
}
function grantError(description = 'Bad credentials'): object {
  return { error: 'invalid_grant', error_description: description };
}
