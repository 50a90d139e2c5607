import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { freshLife } from '../../test/fresh-life.ts';
import { CALLBACK, loginPages } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client';
const DAY = 24 * 3600;

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': 'http://lintel.example',
      [`${CLIENT}.web.client-id`]: 'web',
      [`${CLIENT}.web.client-secret`]: 'secret',
      [`${CLIENT}.web.grant-types`]: 'authorization_code',
      [`${CLIENT}.web.redirect-uris`]: CALLBACK,
      [`${CLIENT}.web.authorization-code-time-to-live`]: '1s',
      [`${CLIENT}.poster.client-id`]: 'poster',
      [`${CLIENT}.poster.client-secret`]: 'secret',
      [`${CLIENT}.poster.grant-types`]: 'password,client_credentials',
      [`${CLIENT}.poster.client-authentication-methods`]: 'client_secret_post',
      [`${CLIENT}.poster.access-token-time-to-live`]: '5m',
      [`${CLIENT}.rotating.client-id`]: 'rotating',
      [`${CLIENT}.rotating.client-secret`]: 'secret',
      [`${CLIENT}.rotating.grant-types`]: 'password,refresh_token',
      [`${CLIENT}.rotating.reuse-refresh-tokens`]: 'false',
      'svc.authserver.refresh-token-reuse-interval': '0',
      [`${CLIENT}.rotating.access-token-time-to-live`]: '60m',
      [`${CLIENT}.rotating.refresh-token-time-to-live`]: '30d',
    },
  });
  await auth.addUser('clerk');
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
});

const CLERK = { grant_type: 'password', username: 'clerk', password: 'clerk' };
const POSTER = { client_id: 'poster', client_secret: 'secret' };

const login = async (client = 'client:secret') => (await auth.post('/oauth/token', CLERK, { client })).json;
const refresh = async (token: string, client = 'client:secret') =>
  (await auth.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token }, { client })).json;
const lifeOf = async (token: string, client = 'client:secret') =>
  (await auth.post('/oauth2/introspect', { token }, { client })).json;

describe('lifetimes', () => {
  // Asserts contract/configuration.md#limits, contract/tokens.md#clients, contract/tokens.md#oauth2-response,
  // contract/tokens.md#request, contract/tokens.md#settings.
  test('of access tokens are 12 hours, or what the client has, floored to the second', async () => {
    expect((await login()).expires_in).toEqual(freshLife(43_200));
    expect((await login('rotating:secret')).expires_in).toEqual(freshLife(3_600));
    const form = { grant_type: 'client_credentials', ...POSTER };
    expect((await auth.post('/oauth2/token', form, { client: null })).json.expires_in).toEqual(freshLife(300));
  });

  // Asserts contract/configuration.md#limits, contract/tokens.md#clients, contract/tokens.md#refresh,
  // contract/tokens.md#request, contract/tokens.md#settings.
  test('of refresh tokens are 365 days, or what the client has, and no refresh makes them longer', async () => {
    const tokens = await login();
    const before = await lifeOf(tokens.refresh_token);
    expect(before.exp - before.iat).toBe(365 * DAY);
    await sleep(1_100);
    await refresh(tokens.refresh_token);
    expect(await lifeOf(tokens.refresh_token)).toEqual(before);
    const own = await lifeOf((await login('rotating:secret')).refresh_token, 'rotating:secret');
    expect(own.exp - own.iat).toBe(30 * DAY);
  });

  // Asserts contract/configuration.md#limits, contract/tokens.md#clients.
  test('of codes end them', async () => {
    const { codeFor, redeem } = loginPages(() => auth);
    // Lifetimes begin and end at whole seconds: a code with a lifetime of one second may expire at once.
    await eventually(async () => expect((await redeem(await codeFor('clerk'))).status).toBe(200));
    const code = await codeFor('clerk');
    await sleep(1_100);
    const late = await redeem(code);
    expect([late.status, late.json]).toEqual([400, { error: 'invalid_grant' }]);
  });
});

// Asserts contract/tokens.md#clients, contract/tokens.md#refresh.
test('a client may have refresh tokens that work once', async () => {
  const { refresh_token: first } = await login('rotating:secret');
  const { refresh_token: second } = await refresh(first, 'rotating:secret');
  expect(second).not.toBe(first);
  expect(await refresh(first, 'rotating:secret')).toMatchObject({ error: 'invalid_grant' });
  expect(await refresh(second, 'rotating:secret')).toMatchObject({ error: 'invalid_grant' });
});

describe('a client that authenticates in the form', () => {
  const post = (path: string, form: Record<string, string>) => auth.post(path, form, { client: null });

  // Asserts contract/tokens.md#clients.
  test.each(['/oauth/token', '/oauth2/token'])('gets, describes and revokes its tokens: %s', async (path) => {
    const { status, json } = await post(path, { ...CLERK, ...POSTER });
    expect(status).toBe(200);
    const form = { token: json.access_token, ...POSTER };
    expect((await post('/oauth2/introspect', form)).json).toMatchObject({ active: true, client_id: 'poster' });
    expect((await post(path.replace('token', 'revoke'), form)).status).toBe(200);
    expect((await post('/oauth2/introspect', form)).json).toEqual({ active: false });
  });

  // Asserts contract/tokens.md#request.
  test.each([
    ['a wrong secret', '/oauth2/token', { ...POSTER, client_secret: 'wrong' }],
    ['no secret', '/oauth2/token', { client_id: 'poster' }],
    ['a client of the other method', '/oauth2/token', { client_id: 'client', client_secret: 'secret' }],
    ['the secret in the URL', '/oauth/token?client_secret=secret', { client_id: 'poster' }],
  ])('is refused with %s', async (_what, path, form) => {
    const response = await post(path, { ...CLERK, ...form });
    expect([response.status, response.json.error]).toEqual([401, 'invalid_client']);
  });

  // Asserts contract/tokens.md#clients.
  test('is refused by the header', async () => {
    const response = await auth.post('/oauth2/token', CLERK, { client: 'poster:secret' });
    expect([response.status, response.json.error]).toEqual([401, 'invalid_client']);
  });

  test('is listed in discovery', async () => {
    const response = await fetch(`${auth.url}/.well-known/oauth-authorization-server`);
    expect(await response.json()).toMatchObject({
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    });
  });
});

// Asserts contract/tokens.md#request.
test.each(['/oauth/token', '/oauth2/token'])(
  'a secret in the form beside the header neither helps nor harms: %s',
  async (path) => {
    for (const client_secret of ['secret', 'wrong'])
      expect((await auth.post(path, { ...CLERK, client_id: 'client', client_secret })).status).toBe(200);
    const wrong = await auth.post(
      path,
      { ...CLERK, client_id: 'client', client_secret: 'secret' },
      { client: 'client:x' },
    );
    expect(wrong.status).toBe(401);
  },
);
