import { createHash, randomBytes } from 'node:crypto';
import type { TestDatabase } from '@lintel/testkit';
import { authorization, Browser, CALLBACK, loginPages, verifier } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client';
const BASIC = { client: null };

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': 'http://lintel.example',
      'svc.authserver.refresh-token-reuse-interval': '0',
      [`${CLIENT}.page.client-id`]: 'page',
      [`${CLIENT}.page.client-authentication-methods`]: 'none',
      [`${CLIENT}.page.grant-types`]: 'authorization_code,refresh_token',
      [`${CLIENT}.page.redirect-uris`]: `${CALLBACK},https://app.example/other`,
      [`${CLIENT}.stranger.client-id`]: 'stranger',
      [`${CLIENT}.stranger.client-authentication-methods`]: 'none',
      [`${CLIENT}.stranger.grant-types`]: 'authorization_code,refresh_token',
      [`${CLIENT}.stranger.redirect-uris`]: 'https://evil.example/callback',
      [`${CLIENT}.web.client-id`]: 'web',
      [`${CLIENT}.web.client-secret`]: 'secret',
      [`${CLIENT}.web.grant-types`]: 'authorization_code,refresh_token',
      [`${CLIENT}.web.redirect-uris`]: CALLBACK,
    },
  });
  await auth.addUser('anna');
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { codeFor } = loginPages(() => auth);
const PAGE = { client_id: 'page' };
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  auth.post(path, form, { ...BASIC, headers });
const redeem = (code: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  post(
    '/oauth2/token',
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...PAGE,
      ...form,
    },
    headers,
  );
const refresh = (token: string, form: Record<string, string> = {}) =>
  post('/oauth2/token', { grant_type: 'refresh_token', refresh_token: token, ...PAGE, ...form });
const isOpen = async (token: string) => (await auth.internal('/exchange', { token })).status === 200;
const errorOf = async (parameters: Record<string, string>) => {
  const browser = new Browser(auth);
  const { left } = await browser.follow(await browser.ask(authorization({ ...PAGE, ...parameters })));
  return left?.searchParams.get('error');
};

// Asserts contract/tokens.md#public-clients.
test('a public client gets tokens for a code that it proves, without a secret', async () => {
  const response = await redeem(await codeFor('anna', PAGE));
  expect([response.status, response.json.token_type]).toEqual([200, 'bearer']);
  expect(await isOpen(response.json.access_token)).toBe(true);
});

test('its refresh tokens work once: without an interval the second use ends the login', async () => {
  const first = (await redeem(await codeFor('anna', PAGE))).json;
  const second = (await refresh(first.refresh_token)).json;
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await isOpen(first.access_token)).toBe(false);
  expect((await refresh(first.refresh_token)).json.error).toBe('invalid_grant');
  expect([await isOpen(second.access_token), (await refresh(second.refresh_token)).status]).toEqual([false, 400]);
});

test('it revokes and describes its own tokens only', async () => {
  const { json } = await redeem(await codeFor('anna', PAGE));
  const other = (await redeem(await codeFor('anna', PAGE))).json;
  const token = json.access_token;
  expect((await post('/oauth2/introspect', { ...PAGE, token })).json.active).toBe(true);
  expect((await post('/oauth2/introspect', { client_id: 'stranger', token })).json).toEqual({ active: false });
  expect((await post('/oauth2/revoke', { client_id: 'stranger', token })).status).toBe(400);
  expect(await isOpen(token)).toBe(true);
  expect((await post('/oauth2/revoke', { ...PAGE, token })).status).toBe(200);
  expect([await isOpen(token), await isOpen(other.access_token)]).toEqual([false, true]);
});

// Asserts contract/tokens.md#public-clients.
test.each([
  ['no challenge', { code_challenge: '', code_challenge_method: '' }],
  ['the method plain', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
  ['a challenge without its method, which means plain', { code_challenge_method: '' }],
])('an authorization request with %s gets no page', async (_case, parameters) => {
  expect(await errorOf(parameters)).toBe('invalid_request');
});

// Asserts contract/tokens.md#public-clients.
test.each([
  ['no verifier', { code_verifier: '' }],
  ['the challenge as the verifier', { code_verifier: createHash('sha256').update(verifier).digest('base64url') }],
  ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
  ['another redirect address of the client', { redirect_uri: 'https://app.example/other' }],
  ['the redirect address of another client', { redirect_uri: 'https://evil.example/callback' }],
  ['no redirect address', { redirect_uri: '' }],
  ['the id of another public client', { client_id: 'stranger' }],
])('a code with %s is refused', async (_case, form) => {
  const code = await codeFor('anna', PAGE);
  const response = await redeem(code, form);
  expect([response.status, response.json]).toEqual([400, { error: 'invalid_grant' }]);
});

// Asserts contract/tokens.md#public-clients.
test('a code of another browser is worthless without the verifier of that browser', async () => {
  const code = await codeFor('anna', {
    ...PAGE,
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
  });
  expect((await redeem(code)).status).toBe(400);
});

// Asserts contract/tokens.md#public-clients.
test.each([
  ['a secret in the form', { client_secret: 'secret' }, {}],
  ['an empty secret in the form', { client_secret: '' }, {}],
  ['a secret in the header', {}, { authorization: `Basic ${Buffer.from('page:secret').toString('base64')}` }],
  ['an empty secret in the header', {}, { authorization: `Basic ${Buffer.from('page:').toString('base64')}` }],
  ['a client that has a secret, by its name alone', { client_id: 'web' }, {}],
  ['no client', { client_id: '' }, {}],
  ['an unknown client', { client_id: 'nobody' }, {}],
])('%s is refused, and the code still works', async (_case, form, headers) => {
  const code = await codeFor('anna', PAGE);
  const response = await redeem(code, form, headers);
  expect([response.status, response.json.error]).toEqual([401, 'invalid_client']);
  expect((await redeem(code)).status).toBe(200);
});

// Asserts contract/tokens.md#public-clients.
test.each(['password', 'client_credentials'])('it has no grant %s', async (grant) => {
  const form = { grant_type: grant, username: 'anna', password: 'anna' };
  const response = await post('/oauth2/token', { ...PAGE, ...form });
  expect([response.status, response.json.error]).toEqual([400, 'unauthorized_client']);
});

// Asserts contract/tokens.md#public-clients.
test('a refresh token of a client with a secret does not work for a public one, nor the other way', async () => {
  const { json } = await redeem(await codeFor('anna', PAGE));
  const stolen = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  expect((await auth.post('/oauth2/token', stolen, { client: 'web:secret' })).json.error).toBe('invalid_grant');
  expect((await refresh(json.refresh_token, { client_id: 'stranger' })).json.error).toBe('invalid_grant');
  expect((await refresh(json.refresh_token)).status).toBe(200);
});

test('discovery names the method', async () => {
  const metadata = await (await fetch(`${auth.url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({ token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'] });
});
