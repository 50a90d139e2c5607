import type { TestDatabase } from '@lintel/testkit';
import { eventually } from '@lintel/testkit';
import {
  type HostileProvider,
  type Hostility,
  PROVIDER_CLIENT,
  startHostileProvider,
} from '../../../test/hostile-provider.ts';
import { authorization, Browser, CALLBACK, fieldsOf, loginPages } from '../../../test/login-pages.ts';
import { ASKING, clientOf, WEB } from '../../../test/provider-properties.ts';
import { type SecondProvider, startSecondProvider } from '../../../test/second-provider.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';
import { DECISION_FIELD } from '../../login/pages.ts';

let hostile: HostileProvider;
let second: SecondProvider;
let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  hostile = await startHostileProvider();
  second = await startSecondProvider(
    'https://lintel.example/as-login/provider/acme/callback',
    () => `${auth.url}/as-login/provider/acme/logout`,
  );
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      ...WEB,
      ...ASKING,
      'svc.auth.passkeys': 'true',
      ...clientOf('acme', second.issuer),
      'svc.auth.provider.acme.title': 'Acme <SSO>',
      'svc.auth.provider.acme.resource-roles': 'sales=sales-manager, *=rest-minimal',
      ...clientOf('hostile', hostile.issuer),
      'svc.auth.provider.hostile.domains': '',
    },
  });
  await auth.addUser('clerk', { roles: ['by-hand'] });
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
  await Promise.all([hostile.close(), second.close()]);
});
beforeEach(() => {
  hostile.next = {};
  hostile.setAvailable(true);
});

const { redeem, open } = loginPages(() => auth);

/** Presses the button of a provider; returns the authorization request that the browser is sent to. */
async function press(
  provider: string,
  browser = new Browser(auth),
  parameters: Record<string, string> = {},
): Promise<{ browser: Browser; request: URL }> {
  const address = authorization({ scope: 'rest-api', ...parameters });
  const { page = '' } = await browser.follow(await browser.ask(address));
  const href = new RegExp(`href="([^"]*/provider/${provider}[^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const response = await browser.ask(href);
  expect(response.status).toBe(303);
  return { browser, request: new URL(response.headers.get('location') ?? '') };
}

/** A login at the second provider up to the tokens for the client. */
async function logIn(sub: string, claims: Record<string, unknown> = {}) {
  second.account = { sub, claims: { preferred_username: sub, ...claims } };
  const { browser, request } = await press('acme');
  const back = await second.visit(request);
  const { left, page, response } = await browser.follow(await browser.ask(back.href));
  const tokens = left === undefined ? undefined : (await redeem(left.searchParams.get('code') ?? '')).json;
  return { browser, request, back, left, page, response, tokens };
}

const exchange = async (token: string) => (await auth.internal('/exchange', { token })).json;
/** As if the last check of all logins was some minutes ago. */
const age = () => testDatabase.query(`UPDATE auth.federated_login SET checked_at = checked_at - interval '10 minutes'`);
const INVALID = { reason: 'invalid' };

test('the page has a button for each provider, next to the form', async () => {
  const browser = new Browser(auth);
  const { page = '' } = await browser.follow(await browser.ask(authorization()));
  expect(page).toContain('Log in with Acme &lt;SSO&gt;');
  expect(page).toContain('Log in with hostile');
  expect(page).toContain('name="password"');
});

test('a first login creates the user, and the code leads to tokens of its session', async () => {
  const { request, tokens } = await logIn('grace', { groups: ['sales'], given_name: 'Grace' });
  expect(Object.fromEntries(request.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: 'https://lintel.example/as-login/provider/acme/callback',
    nonce: expect.any(String),
    state: expect.any(String),
  });
  const { sessionId } = await exchange(tokens.access_token);
  const session = await auth.sessions.load(sessionId);
  expect(session).toMatchObject({ username: 'grace', attributes: { firstName: 'Grace' } });
  expect(session?.resourceRoles).toEqual(['rest-minimal', 'sales-manager']);
});

test('roles follow at each login and end with the group', async () => {
  const before = await logIn('joan', { groups: ['sales'] });
  const { sessionId } = await exchange(before.tokens.access_token);
  await logIn('joan', { groups: [] });
  expect((await auth.sessions.load(sessionId))?.resourceRoles).toEqual(['rest-minimal']);
});

test('an existing user is not taken over by the name', async () => {
  const { page, response, left } = await logIn('clerk');
  expect([response.status, left]).toEqual([401, undefined]);
  expect(page).toContain('The login at the identity provider was refused.');
  // All ways to log in are there, as before the attempt.
  expect(page).toContain('data-passkey="get"');
  expect(auth.log.join()).toContain('known-user');
});

test('a disabled user is refused', async () => {
  await logIn('mary');
  await testDatabase.query(`UPDATE sec."user" SET active = false WHERE username = 'mary'`);
  expect((await logIn('mary')).left).toBeUndefined();
  const attempt = { method: 'provider', provider: 'acme', clientId: 'web' };
  await eventually(async () =>
    expect(
      (await auth.internal('/user-sessions/history', { username: 'mary', limit: 10, offset: 0 })).json,
    ).toMatchObject({
      attempts: [
        { ...attempt, outcome: 'disabled' },
        { ...attempt, outcome: 'succeeded' },
      ],
    }),
  );
});

test('a logout at the provider ends the session at once', async () => {
  const { tokens } = await logIn('radia');
  expect((await exchange(tokens.access_token)).jwt).toEqual(expect.any(String));
  await second.logOut('radia');
  expect(await exchange(tokens.access_token)).toEqual(INVALID);
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect((await auth.post('/oauth2/token', refresh, { client: 'web:secret' })).status).toBe(400);
});

test('a user that the provider disables loses the session when it is checked, and roles follow', async () => {
  const { tokens } = await logIn('barbara', { groups: [] });
  second.account = { sub: 'barbara', claims: { preferred_username: 'barbara', groups: ['sales'] } };
  await second.visit((await press('acme')).request);
  await age();
  const { sessionId } = await exchange(tokens.access_token);
  expect((await auth.sessions.load(sessionId))?.resourceRoles).toEqual(['rest-minimal', 'sales-manager']);
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  const refreshed = await auth.post('/oauth2/token', refresh, { client: 'web:secret' });
  expect(refreshed.status).toBe(200);
  second.disabled.add('barbara');
  await age();
  expect(await exchange(refreshed.json.access_token)).toEqual(INVALID);
  expect((await auth.post('/oauth2/token', refresh, { client: 'web:secret' })).status).toBe(400);
  await eventually(async () => expect(auth.log.join()).toContain('ended at the provider'));
});

test('the callback works once, in the browser that began, for its provider', async () => {
  second.account = { sub: 'ada', claims: { preferred_username: 'ada' } };
  const { browser, request } = await press('acme');
  const back = await second.visit(request);
  const cookies = browser.cookieHeader();
  const other = new Browser(auth);
  expect((await other.ask(back.href)).status).toBe(400);
  const mixedUp = new URL(back);
  mixedUp.pathname = mixedUp.pathname.replace('acme', 'hostile');
  const copy = new Browser(auth, cookies);
  expect((await copy.ask(mixedUp.href)).status).toBe(400);
  expect((await browser.follow(await browser.ask(back.href))).left?.searchParams.get('code')).toEqual(
    expect.any(String),
  );
  // The same browser, and a copy of its cookies of before.
  expect((await browser.ask(back.href)).status).toBe(400);
  expect((await new Browser(auth, cookies).ask(back.href)).status).toBe(400);
});

/** A login at the hostile provider: the page of the response, or where the browser left to. */
async function attack(next: Hostility) {
  hostile.next = next;
  const { browser, request } = await press('hostile');
  const before = hostile.tokenRequests.length;
  const result = await browser.follow(await browser.ask(hostile.redirectFor(request).href));
  return { ...result, asked: hostile.tokenRequests.length - before };
}

test('the hostile provider is accepted while it behaves', async () => {
  const { left } = await attack({});
  expect(left?.origin + (left?.pathname ?? '')).toBe(CALLBACK);
  expect(hostile.tokenRequests.at(-1)?.get('code_verifier')).toEqual(expect.any(String));
});

const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

test.each<[string, Hostility, number]>([
  ['a wrong nonce', { claims: { nonce: 'other' } }, 1],
  ['no nonce', { claims: { nonce: undefined } }, 1],
  ['an ID token of another issuer', { claims: { iss: 'https://other.example' } }, 1],
  ['an ID token for another client', { claims: { aud: 'other' } }, 1],
  ['two audiences without azp', { claims: { aud: [PROVIDER_CLIENT, 'other'] } }, 1],
  ['an expired ID token', { claims: { exp: ago(60), iat: ago(400) } }, 1],
  ['alg none', { algorithm: 'none' }, 1],
  ['HS256 with the secret of the client', { algorithm: 'HS256' }, 1],
  ['a key that is not published', { algorithm: 'foreign key' }, 1],
  ['a tampered at_hash', { claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } }, 1],
  ['an at_hash that is no text', { claims: { at_hash: 7 } }, 1],
  ['no ID token', { idToken: null }, 1],
  ['an ID token that is none', { idToken: 'abc' }, 1],
  ['no subject', { claims: { sub: undefined } }, 1],
  ['a subject with NUL', { claims: { sub: 'a\0b' } }, 1],
  ['a session with NUL', { claims: { sid: 'a\0b' } }, 1],
  ['another issuer in the redirect (RFC 9207)', { redirect: { iss: 'https://other.example' } }, 0],
  ['no issuer in the redirect', { redirect: { iss: null } }, 0],
  ['an error of the provider', { redirect: { error: 'access_denied', code: null } }, 0],
])('%s is refused on the page', async (_case, next, asked) => {
  const result = await attack(next);
  expect([result.response.status, result.asked, result.left]).toEqual([401, asked, undefined]);
  expect(result.page).toContain('The login at the identity provider was refused.');
});

test.each<[string, Record<string, string | null>]>([
  ['another state', { state: 'other' }],
  ['no state', { state: null }],
])('%s in the redirect ends the login', async (_case, redirect) => {
  const { response, asked, left } = await attack({ redirect });
  expect([response.status, asked, left]).toEqual([400, 0, undefined]);
});

test('parameters of the redirect lead nowhere else', async () => {
  const { left } = await attack({ redirect: { redirect_uri: 'https://evil.example', target: 'https://evil.example' } });
  expect(left?.origin).toBe('https://app.example');
  expect((await new Browser(auth).ask('/as-login/provider/acme?next=https://evil.example')).status).toBe(400);
});

test('the button works only with the proof of the page, in the browser of the page', async () => {
  const browser = new Browser(auth);
  const { page = '' } = await browser.follow(await browser.ask(authorization()));
  const href = /href="([^"]*\/provider\/hostile[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await browser.ask(href.replace(/proof=[^&]+/, 'proof=AAAA'))).status).toBe(400);
  expect((await browser.ask(href.replace('provider/hostile', 'provider/unknown'))).status).toBe(400);
  expect((await new Browser(auth).ask(href)).status).toBe(400);
  expect((await browser.ask(href)).status).toBe(303);
});

test('a provider that is away is 503 on the page', async () => {
  const { browser, request } = await press('hostile');
  hostile.setAvailable(false);
  const { response, page } = await browser.follow(await browser.ask(hostile.redirectFor(request).href));
  expect(response.status).toBe(503);
  expect(page).toContain('The identity provider cannot be reached now.');
  expect(fieldsOf(page ?? '').action).toContain('/as-login?interaction=');
});

test('without a refresh token of the provider, our tokens are not refreshed', async () => {
  const { left } = await attack({});
  const { json } = await redeem(left?.searchParams.get('code') ?? '');
  expect((await exchange(json.access_token)).jwt).toEqual(expect.any(String));
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  // Neither the new login nor a refused refresh counts as a check.
  for (const _attempt of [1, 2])
    expect((await auth.post('/oauth2/token', refresh, { client: 'web:secret' })).status).toBe(400);
});

test('a login is kept as long as the single sign-on and the tokens that it may lead to', async () => {
  await attack({});
  const [row] = await testDatabase.query<{ days: number }>(
    `SELECT extract(epoch FROM max(expires_at) - now())::float8 / 86400 AS days FROM auth.federated_login`,
  );
  // Of a refresh token a year, of an access token and the single sign-on 12 hours each, and a day.
  expect(row?.days).toBeCloseTo(367, 1);
});

test('a login that ends before the browser returns does not log the browser in', async () => {
  const { browser, request } = await press('hostile');
  hostile.next = { claims: { sub: 'subject-4', preferred_username: 'rosa', sid: 'sid-5' } };
  const accepted = await browser.ask(hostile.redirectFor(request).href);
  const logout = { logout_token: await hostile.signLogout({ sid: 'sid-5' }) };
  expect((await auth.post('/as-login/provider/hostile/logout', logout, { client: null })).status).toBe(200);
  expect((await browser.follow(accepted)).left?.searchParams.get('error')).toBe('access_denied');
  const { left, page } = await browser.follow(await browser.ask(authorization()));
  expect([left, page?.includes('name="password"')]).toEqual([undefined, true]);
});

describe('consent that is denied', () => {
  const deny = async (browser: Browser, page = '') => {
    const { action, proof } = fieldsOf(page);
    return browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'deny' }));
  };
  async function tokensOf(browser: Browser): Promise<{ readonly access_token: string }> {
    const { left } = await browser.follow(await browser.ask(authorization({ scope: 'rest-api' })));
    return (await redeem(left?.searchParams.get('code') ?? '')).json;
  }

  test('leaves the browser with the login at the provider', async () => {
    const { browser, request } = await press('hostile', new Browser(auth), { client_id: 'asking' });
    hostile.next = { claims: { sub: 'subject-2', preferred_username: 'lise', sid: 'sid-3' } };
    const { page } = await browser.follow(await browser.ask(hostile.redirectFor(request).href));
    expect(page).toContain('<h1>Allow access?</h1>');
    expect((await deny(browser, page)).left?.searchParams.get('error')).toBe('access_denied');
    const { access_token: token } = await tokensOf(browser);
    expect((await exchange(token)).jwt).toEqual(expect.any(String));
    const logout = { logout_token: await hostile.signLogout({ sid: 'sid-3' }) };
    expect((await auth.post('/as-login/provider/hostile/logout', logout, { client: null })).status).toBe(200);
    expect(await exchange(token)).toEqual(INVALID);
  });

  test('leaves a user with a password without the login of a former user', async () => {
    const { browser, request } = await press('hostile');
    hostile.next = { claims: { sub: 'subject-3', preferred_username: 'emmy', sid: 'sid-4' } };
    await browser.follow(await browser.ask(hostile.redirectFor(request).href));
    const { submit } = await open({ client_id: 'asking', scope: 'rest-api', prompt: 'login' }, browser);
    await deny(browser, (await submit({ username: 'clerk', password: 'clerk' })).page);
    const { access_token: token } = await tokensOf(browser);
    const logout = { logout_token: await hostile.signLogout({ sid: 'sid-4' }) };
    expect((await auth.post('/as-login/provider/hostile/logout', logout, { client: null })).status).toBe(200);
    expect((await exchange(token)).jwt).toEqual(expect.any(String));
  });
});

describe('a logout token', () => {
  const send = async (token: string, provider = 'hostile') =>
    (await auth.post(`/as-login/provider/${provider}/logout`, { logout_token: token }, { client: null })).status;

  test('ends the logins of its subject or session', async () => {
    hostile.next = { claims: { sid: 'sid-1' } };
    const { browser, request } = await press('hostile');
    const { left } = await browser.follow(await browser.ask(hostile.redirectFor(request).href));
    const { json } = await redeem(left?.searchParams.get('code') ?? '');
    expect(await send(await hostile.signLogout({ sid: 'sid-2' }))).toBe(200);
    expect((await exchange(json.access_token)).jwt).toEqual(expect.any(String));
    const token = await hostile.signLogout({ sid: 'sid-1' });
    expect(await send(token)).toBe(200);
    expect(await exchange(json.access_token)).toEqual(INVALID);
    expect(await send(token)).toBe(400);
  });

  test('is refused where it is not one', async () => {
    const events = { 'http://other.example/event': {} };
    const before = hostile.keyRequests();
    for (const token of [
      '',
      'abc',
      await hostile.signLogout({ sub: 'subject-1' }, 'none'),
      await hostile.signLogout({}),
      await hostile.signLogout({ sub: 'a\0b' }),
      await hostile.signLogout({ sub: 'a', nonce: 'n' }),
      await hostile.signLogout({ sub: 'a', events }),
      await hostile.signLogout({ sub: 'a', aud: 'other' }),
      await hostile.signLogout({ sub: 'a', iss: 'https://other.example' }),
      await hostile.signLogout({ sub: 'a', iat: ago(1000) }),
      await hostile.signLogout({ sub: 'a', exp: ago(100), iat: ago(200) }),
    ])
      expect([token.slice(0, 20), await send(token)]).toEqual([token.slice(0, 20), 400]);
    expect(hostile.keyRequests() - before).toBeLessThanOrEqual(1);
    expect(await send(await hostile.signLogout({ sub: 'a' }), 'acme')).toBe(400);
    expect(await send(await hostile.signLogout({ sub: 'a' }), 'unknown')).toBe(400);
  });
});

describe('without passwords', () => {
  test('the only provider is opened at once, and passwords are refused', async () => {
    const alone = await startAuth(testDatabase, {
      properties: { ...WEB, ...clientOf('hostile', hostile.issuer), 'svc.auth.password-login': 'false' },
    });
    try {
      const browser = new Browser(alone);
      const { left } = await browser.follow(await browser.ask(authorization()));
      expect(left?.origin).toBe(hostile.issuer);
      const back = hostile.redirectFor(left ?? new URL(CALLBACK));
      hostile.next = { claims: { nonce: 'other' } };
      const failed = await browser.follow(await browser.ask(back.href));
      // The page with the error does not lead to the provider again by itself.
      expect(failed.page).toContain('Log in with hostile');
      expect(failed.page).not.toContain('name="password"');
      const form = { grant_type: 'password', username: 'clerk', password: 'clerk' };
      expect((await alone.post('/oauth/token', form)).status).toBe(400);
      // The logins of a provider that is not configured any more have ended.
      const rows = await testDatabase.query(`SELECT 1 FROM auth.federated_login WHERE provider = 'acme'`);
      expect(rows).toEqual([]);
      // Attempts that are refused without a check have no limit, so the history does not have them.
      const refused = `SELECT 1 FROM auth.login_attempt WHERE outcome = 'wrong-password' AND username = 'clerk'`;
      expect(await testDatabase.query(refused)).toEqual([]);
    } finally {
      await alone.close();
    }
  });

  test('a provider is not asked at each request', async () => {
    const properties = { ...clientOf('acme', second.issuer), 'svc.auth.provider.acme.check-interval': '9s' };
    await expect(startAuth(testDatabase, { properties })).rejects.toThrow(/check-interval.*at least 10s/);
  });

  test('there must be a provider', async () => {
    const properties = { 'svc.auth.password-login': 'false' };
    await expect(startAuth(testDatabase, { properties })).rejects.toThrow(/svc\.auth\.password-login/);
  });
});

test('no line of the log has a token, a code or a claim', () => {
  expect(auth.log.join()).not.toMatch(/code-0\.|id_token|eyJ|given_name|Grace/);
});
