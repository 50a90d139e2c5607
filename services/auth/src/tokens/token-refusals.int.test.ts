import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '@lintel/testkit';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: { 'svc.security.bruteforceprotection.max-login-attempts-number': '1000' },
  });
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

const login = async (path = '/oauth/token', client = 'client:secret'): Promise<TestResponse['json']> =>
  (await auth.post(path, CLERK, { client })).json;
const refresh = (token: string, path = '/oauth/token', more: Record<string, string> = {}, client = 'client:secret') =>
  auth.post(path, { grant_type: 'refresh_token', refresh_token: token, ...more }, { client });

function expectUncached(response: TestResponse): void {
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('pragma')).toBe('no-cache');
  expect(response.headers.get('content-type')).toBe('application/json;charset=UTF-8');
}

describe('refusals of /oauth/token', () => {
  const rows: readonly (readonly [string, () => Promise<TestResponse>, number, object, Record<string, string>?])[] = [
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
      { allow: 'OPTIONS, POST' },
    ],
  ];

  const cases = rows.map(([situation, request, status, body, headers = {}]) => ({
    situation,
    request,
    status,
    body,
    headers,
  }));
  // Asserts contract/decisions.md#41, contract/tokens.md#oauth-errors, contract/tokens.md#request,
  // contract/tokens.md#settings, contract/tokens.md#users.
  test.each(cases)('/oauth/token refuses $situation', async ({ request, status, body, headers }) => {
    const response = await request();
    expect(response.json).toEqual(body);
    expect(response.status).toBe(status);
    expectUncached(response);
    const challenge = status === 401 ? { 'www-authenticate': CHALLENGE, ...headers } : headers;
    for (const [name, value] of Object.entries(challenge)) expect(response.headers.get(name)).toBe(value);
  });

  test('a form of more than 56 KiB is 413', async () => {
    const response = await auth.post('/oauth/token', { ...CLERK, password: 'x'.repeat(60_000) });
    expect(response.status).toBe(413);
    expect(response.json.error).toBe('invalid_request');
  });

  // Asserts contract/tokens.md#request.
  test('parameters of the query string count here', async () => {
    const response = await auth.post('/oauth/token?grant_type=password&username=clerk', { password: 'clerk' });
    expect(response.status).toBe(200);
  });

  // Asserts contract/tokens.md#oauth-errors.
  test.each([
    ['/oauth/token', undefined],
    ['/oauth2/token', RFC_6749],
  ])('a wrong password is described in the language of Accept-Language: %s', async (path, uri) => {
    const wrong = { ...CLERK, password: 'x' };
    const { status, json } = await auth.post(path, wrong, { headers: { 'accept-language': 'de' } });
    const refusal = grantError('Benutzername oder Passwort ist falsch');
    expect([status, json]).toEqual([400, uri === undefined ? refusal : { ...refusal, error_uri: uri }]);
  });
});

describe('refusals of /oauth2/token', () => {
  const parameter = (name: string, error = 'invalid_request') => ({
    error,
    error_description: `OAuth 2.0 Parameter: ${name}`,
    error_uri: RFC_6749,
  });
  const rows: readonly (readonly [string, () => Promise<TestResponse>, number, object])[] = [
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

  // Asserts contract/decisions.md#41, contract/tokens.md#oauth2-errors, contract/tokens.md#oauth2-response.
  test.each(rows)('/oauth2/token refuses %s', async (_situation, request, status, body) => {
    const response = await request();
    expect(response.json).toEqual(body);
    expect(response.status).toBe(status);
    expectUncached(response);
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? CHALLENGE : null);
  });

  // Asserts contract/tokens.md#oauth2-errors.
  test('the refresh token of another client', async () => {
    const { refresh_token: token } = await login();
    const response = await refresh(token, '/oauth2/token', {}, 'other:other-secret');
    expect([response.status, response.json]).toEqual([400, { error: 'invalid_grant' }]);
  });

  // Asserts contract/tokens.md#oauth2-errors.
  test('an expired refresh token', async () => {
    const { refresh_token: token } = await login('/oauth2/token', 'brief:secret');
    await sleep(2_100);
    const response = await refresh(token, '/oauth2/token', {}, 'brief:secret');
    expect([response.status, response.json]).toEqual([400, { error: 'invalid_grant' }]);
  });
});

function invalidClient(description = 'Client authentication failed'): object {
  return { error: 'invalid_client', error_description: description };
}
function grantError(description = 'Bad credentials'): object {
  return { error: 'invalid_grant', error_description: description };
}
