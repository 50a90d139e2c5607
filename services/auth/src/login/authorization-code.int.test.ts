import { randomBytes } from 'node:crypto';
import { DECISION_FIELD } from '@lintel/login';
import type { TestDatabase } from '@lintel/testkit';
import { authorization, Browser, CALLBACK, fieldsOf, loginPages, verifier } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../test/start-auth.ts';
import { hashToken } from '../hash-token.ts';

const CLIENT = 'svc.authserver.client';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      // Cookies of the login need HTTPS, which the test does not use.
      'svc.authserver.issuer': 'http://lintel.example',
      [`${CLIENT}.web.client-id`]: 'web',
      [`${CLIENT}.web.client-secret`]: 'secret',
      [`${CLIENT}.web.grant-types`]: 'authorization_code,refresh_token',
      [`${CLIENT}.web.redirect-uris`]: CALLBACK,
      [`${CLIENT}.asking.client-id`]: 'asking',
      [`${CLIENT}.asking.client-secret`]: 'secret',
      [`${CLIENT}.asking.grant-types`]: 'authorization_code',
      [`${CLIENT}.asking.redirect-uris`]: CALLBACK,
      [`${CLIENT}.asking.require-authorization-consent`]: 'true',
      [`${CLIENT}.native.client-id`]: 'native',
      [`${CLIENT}.native.client-secret`]: 'secret',
      [`${CLIENT}.native.grant-types`]: 'authorization_code',
      [`${CLIENT}.native.redirect-uris`]: 'http://127.0.0.1/callback',
      'svc.security.bruteforceprotection.enabled': 'true',
      'svc.security.bruteforceprotection.max-login-attempts-number': '3',
    },
  });
  await auth.addUser('anna', { roles: ['rest-minimal'] });
  await auth.addUser('bert');
  await auth.addUser('carl', { active: false });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { open, codeFor, redeem } = loginPages(() => auth);
const exchanged = (token: string) => auth.internal('/exchange', { token });

// Asserts contract/decisions.md#45, contract/tokens.md#endpoints, contract/tokens.md#oauth2-response.
test('a login on the page leads to a code, the code to tokens of a session of the user', async () => {
  const { page, response, submit } = await open();
  expect(response.status).toBe(200);
  expect(page).toContain('<h1>Log in</h1>');
  const { left } = await submit({ username: 'anna', password: 'anna' });
  expect(left?.href.startsWith(`${CALLBACK}?`)).toBe(true);
  expect(left?.searchParams.get('state')).toBe('some state');
  const tokenResponse = await redeem(left?.searchParams.get('code') ?? '');
  expect(tokenResponse.status).toBe(200);
  expect(tokenResponse.json).toEqual({
    access_token: expect.stringMatching(/^[\w-]{128}$/),
    token_type: 'bearer',
    refresh_token: expect.any(String),
    expires_in: 43_199,
    scope: 'rest-api',
    'OAuth2.SESSION_ID': expect.stringMatching(/^[0-9A-F]{32}$/),
  });
  expect((await exchanged(tokenResponse.json.access_token)).status).toBe(200);
  expect((await auth.sessions.load(tokenResponse.json['OAuth2.SESSION_ID']))?.username).toBe('anna');
  const refreshed = await auth.post(
    '/oauth2/token',
    { grant_type: 'refresh_token', refresh_token: tokenResponse.json.refresh_token },
    { client: 'web:secret' },
  );
  expect(refreshed.status).toBe(200);
});

test('an ID token comes where the scope has openid', async () => {
  const response = await redeem(await codeFor('anna', { scope: 'openid rest-api', nonce: 'n-1' }));
  const claims = JSON.parse(Buffer.from(response.json.id_token.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({ iss: 'http://lintel.example', sub: 'anna', aud: 'web', nonce: 'n-1' });
});

test('services learn from the token for which scope it is', async () => {
  const scopeOf = async (token: string) => {
    const { jwt } = (await exchanged(token)).json;
    return JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString()).scope;
  };
  const narrow = await redeem(await codeFor('anna', { scope: 'openid' }));
  expect([narrow.json.scope, await scopeOf(narrow.json.access_token)]).toEqual(['openid', 'openid']);
  const unnamed = await redeem(await codeFor('anna'));
  expect([unnamed.json.scope, await scopeOf(unnamed.json.access_token)]).toEqual(['rest-api', 'rest-api']);
});

const outcomeOf = async ({ status, json }: TestResponse, first: TestResponse) => [
  status,
  json,
  (await exchanged(first.json.access_token)).status,
];
const ENDED = [400, { error: 'invalid_grant' }, 401];

test('a code that its client proves with PKCE gets the same tokens for some seconds', async () => {
  const code = await codeFor('anna', { scope: 'openid rest-api' });
  const [first, ...others] = await Promise.all([redeem(code), redeem(code), redeem(code)]);
  others.push(await redeem(code));
  for (const other of others) {
    expect(other.status).toBe(200);
    expect({ ...other.json, expires_in: 0 }).toEqual({ ...first.json, expires_in: 0 });
  }
  expect((await exchanged(first.json.access_token)).status).toBe(200);
  // The login of the tokens has ended.
  await auth.post('/oauth2/revoke', { token: first.json.refresh_token }, { client: 'web:secret' });
  expect((await redeem(code)).status).toBe(400);
});

test.each([
  ['without PKCE', { code_challenge: '', code_challenge_method: '' }, {}],
  ['with another verifier', {}, { code_verifier: 'x'.repeat(43) }],
  ['with another redirect address', {}, { redirect_uri: 'https://app.example/other' }],
])('the second use of a code %s ends the login', async (_case, request, form) => {
  const code = await codeFor('anna', request);
  const verified = 'code_challenge' in request ? { code_verifier: '' } : {};
  const first = await redeem(code, verified);
  expect(first.status).toBe(200);
  expect(await outcomeOf(await redeem(code, { ...verified, ...form }), first)).toEqual(ENDED);
});

test('after some seconds the second use of a code ends the login with PKCE, too', async () => {
  const code = await codeFor('anna');
  const first = await redeem(code);
  const key = `oidc:AuthorizationCode:${hashToken(code)}`;
  const stored = JSON.parse((await auth.keyValues.get(key)) ?? '');
  await auth.keyValues.set(key, JSON.stringify({ ...stored, consumed: stored.consumed - 10 }), 60_000);
  expect(await outcomeOf(await redeem(code), first)).toEqual(ENDED);
});

test('two logins of one user do not end each other', async () => {
  const [first, second] = [await redeem(await codeFor('anna')), await redeem(await codeFor('anna'))];
  await auth.post('/oauth/revoke', { token: first.json.access_token }, { client: 'web:secret' });
  expect((await exchanged(first.json.access_token)).status).toBe(401);
  expect((await exchanged(second.json.access_token)).status).toBe(200);
});

// Asserts contract/tokens.md#clients, contract/tokens.md#oauth2-response.
test.each([
  ['another redirect address', { redirect_uri: 'https://app.example/other' }, 'web:secret'],
  ['another verifier', { code_verifier: 'x'.repeat(43) }, 'web:secret'],
  ['no verifier', { code_verifier: '' }, 'web:secret'],
  ['another client', {}, 'asking:secret'],
  ['a code that is none', { code: 'nonsense' }, 'web:secret'],
])('a code with %s is refused', async (_case, form, client) => {
  const response = await redeem(await codeFor('anna'), form, client);
  expect([response.status, response.json]).toEqual([400, { error: 'invalid_grant' }]);
});

test('a verifier for a code without a challenge is refused', async () => {
  const code = await codeFor('anna', { code_challenge: '', code_challenge_method: '' });
  expect((await redeem(code)).status).toBe(400);
  const other = await codeFor('anna', { code_challenge: '', code_challenge_method: '' });
  expect((await redeem(other, { code_verifier: '' })).status).toBe(200);
});

test('the code endpoint wants a code, and is not at /oauth/token', async () => {
  const missing = await redeem('');
  expect([missing.status, missing.json.error, missing.json.error_description]).toEqual([
    400,
    'invalid_request',
    'OAuth 2.0 Parameter: code',
  ]);
  const elsewhere = await auth.post(
    '/oauth/token',
    { grant_type: 'authorization_code', code: 'x' },
    { client: 'web:secret' },
  );
  expect([elsewhere.status, elsewhere.json.error]).toEqual([400, 'unsupported_grant_type']);
});

// Asserts contract/tokens.md#endpoints.
test('a wrong password shows the page again, with the reason and the name', async () => {
  const { submit } = await open();
  const { page, response } = await submit({ username: '<b>"bert', password: 'wrong' });
  expect(response.status).toBe(401);
  expect(page).toContain('role="alert"');
  expect(page).toContain('value="&lt;b&gt;&quot;bert"');
  expect(page).not.toContain('wrong"');
});

test('a disabled user learns the reason', async () => {
  const { submit } = await open();
  const { page } = await submit({ username: 'carl', password: 'carl' });
  expect(page).toContain('This user is disabled.');
});

// Asserts contract/tokens.md#guessing, contract/tokens.md#oauth-errors.
test('too many wrong passwords block the login here and at the token endpoint', async () => {
  const browser = new Browser(auth);
  browser.headers = { 'x-forwarded-for': '9.9.9.9, 10.0.0.1' };
  const { submit } = await open({}, browser);
  for (let at = 0; at < 3; at += 1) await submit({ username: 'bert', password: 'wrong' });
  const { page } = await submit({ username: 'bert', password: 'bert' });
  expect(page).toContain('Too many attempts');
  const login = { grant_type: 'password', username: 'bert', password: 'bert' };
  const blocked = await auth.post('/oauth/token', login, { headers: { 'x-forwarded-for': '9.9.9.9' } });
  expect([blocked.status, blocked.json]).toEqual([
    400,
    { error: 'invalid_grant', error_description: 'User account is locked' },
  ]);
  expect((await auth.post('/oauth/token', login, { headers: { 'x-forwarded-for': '8.8.8.8' } })).status).toBe(200);
});

test('a client that asks for consent gets a code after it, and access_denied without it', async () => {
  const { browser, submit } = await open({ client_id: 'asking', scope: 'rest-api' });
  const { page = '' } = await submit({ username: 'anna', password: 'anna' });
  expect(page).toContain('<h1>Allow access?</h1>');
  expect(page).toContain('<li>read and change data with your rights (rest-api)</li>');
  const consent = fieldsOf(page);
  const allowed = await browser.follow(
    await browser.ask(consent.action, { proof: consent.proof, [DECISION_FIELD]: 'consent' }),
  );
  expect((await redeem(allowed.left?.searchParams.get('code') ?? '', {}, 'asking:secret')).status).toBe(200);

  const other = await open({ client_id: 'asking', scope: 'rest-api', prompt: 'consent' });
  const { page: asked = '' } = await other.submit({ username: 'anna', password: 'anna' });
  const denied = await other.submit({ [DECISION_FIELD]: 'deny' }, fieldsOf(asked));
  expect(denied.left?.searchParams.get('error')).toBe('access_denied');
});

test('cancelling leads back to the client', async () => {
  const { submit } = await open();
  const { left } = await submit({ [DECISION_FIELD]: 'deny' });
  expect([left?.searchParams.get('error'), left?.searchParams.get('state')]).toEqual(['access_denied', 'some state']);
});

test.each([
  ['an unknown client', { client_id: 'nobody' }],
  ['a foreign redirect address', { redirect_uri: 'https://evil.example/' }],
])('%s is answered with a page, never with a redirect', async (_case, parameters) => {
  const { page, response } = await new Browser(auth).follow(await new Browser(auth).ask(authorization(parameters)));
  expect(response.status).toBe(400);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page).toContain('This request cannot be processed');
});

test('a native client may use any port of its loopback address', async () => {
  const { page } = await open({ client_id: 'native', redirect_uri: 'http://127.0.0.1:54321/callback' });
  expect(page).toContain('<h1>Log in</h1>');
});

test('a form without the proof, or of another browser, is refused', async () => {
  const { submit, fields } = await open();
  const forged = await submit({ username: 'anna', password: 'anna', proof: 'forged' });
  expect([forged.response.status, forged.left]).toEqual([400, undefined]);
  const stranger = await new Browser(auth).ask(fields.action, {
    proof: fields.proof,
    [DECISION_FIELD]: 'login',
    username: 'anna',
    password: 'anna',
  });
  expect(stranger.status).toBe(400);
  expect((await new Browser(auth).ask('/as-login')).status).toBe(400);
});

// Asserts contract/tokens.md#clients.
test('the page loads nothing, is in no frame and not kept, and speaks the language of the browser', async () => {
  const browser = new Browser(auth);
  browser.headers = { 'accept-language': 'de-AT' };
  const { page, response } = await open({}, browser);
  expect(page).toContain('<html lang="de">');
  expect(page).toContain('<h1>Anmelden</h1>');
  expect(page).not.toMatch(/<script|src=|@import|url\(/);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/app\.example; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
});

// Asserts contract/decisions.md#56, contract/roles.md#combination, contract/tokens.md#endpoints.
test('logout ends the login of the token; without a token it is 401', async () => {
  const { json } = await redeem(await codeFor('anna'));
  const logout = (headers: Record<string, string>) => fetch(`${auth.url}/logout`, { method: 'POST', headers });
  expect((await logout({ authorization: `Bearer ${json.access_token}` })).status).toBe(200);
  expect((await exchanged(json.access_token)).status).toBe(401);
  expect((await logout({ authorization: `Bearer ${json.access_token}` })).status).toBe(200);
  expect((await logout({})).status).toBe(401);
});

test('neither passwords nor codes reach the log', async () => {
  const [password, code] = [randomBytes(16).toString('hex'), await codeFor('anna')];
  await redeem(code);
  const { submit } = await open();
  expect((await submit({ username: 'anna', password })).response.status).toBe(401);
  await redeem(`${code}x`, { code_verifier: password });
  const log = auth.log.join('');
  expect(log).toContain('/as-login');
  for (const secret of [code, password, verifier]) expect(log).not.toContain(secret);
});
