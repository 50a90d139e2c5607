import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashPassword } from '@lintel/passwords';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { authorization, Browser, CALLBACK, fieldsOf, loginPages } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';
import { DECISION_FIELD } from './pages.ts';

const CLIENT = 'svc.authserver.client';
const AFTER_LOGOUT = 'https://app.example/bye';

let testDatabase: TestDatabase;
let auth: RunningAuth;
let receiver: Server;
const received: string[] = [];

const clientOf = (name: string, more: Record<string, string> = {}) => ({
  [`${CLIENT}.${name}.client-id`]: name,
  [`${CLIENT}.${name}.client-secret`]: 'secret',
  [`${CLIENT}.${name}.grant-types`]: 'authorization_code,refresh_token',
  [`${CLIENT}.${name}.redirect-uris`]: CALLBACK,
  ...Object.fromEntries(Object.entries(more).map(([member, value]) => [`${CLIENT}.${name}.${member}`, value])),
});

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  receiver = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push(`${request.method} ${text}`);
      response.writeHead(request.url === '/broken' ? 500 : 200).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const { port } = receiver.address() as AddressInfo;
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': 'http://lintel.example',
      'svc.authserver.backchannel-logout-allowed-networks': '127.0.0.1',
      ...clientOf('web', {
        'client-name': 'The <Shop>',
        'post-logout-redirect-uris': AFTER_LOGOUT,
        'backchannel-logout-uri': `http://127.0.0.1:${port}/logout`,
      }),
      ...clientOf('other', { 'backchannel-logout-uri': `http://127.0.0.1:${port}/broken` }),
      ...clientOf('asking', { 'require-authorization-consent': 'true' }),
      ...clientOf('native', { 'redirect-uris': 'http://127.0.0.1/callback' }),
      ...clientOf('jwt', { 'access-token-format': 'self-contained' }),
    },
  });
});
beforeEach(() => {
  received.length = 0;
});
afterAll(async () => {
  await auth?.close();
  receiver?.close();
  await testDatabase?.drop();
});

const { open, redeem } = loginPages(() => auth);
let number = 0;
const newUser = async (): Promise<string> => {
  number += 1;
  await auth.addUser(`user${number}`);
  return `user${number}`;
};
const isOpen = async (token: string) => (await auth.internal('/exchange', { token })).status === 200;

/** A browser in which a user has logged in. */
async function loggedIn(username: string, parameters: Record<string, string> = {}) {
  const { browser, submit } = await open(parameters);
  const { left } = await submit({ username, password: username });
  return { browser, code: left?.searchParams.get('code') ?? '' };
}
const authorize = async (browser: Browser, parameters: Record<string, string> = {}) =>
  browser.follow(await browser.ask(authorization(parameters)));
/** `code` for a code without a page, the heading of a page, or the error that the client receives. */
async function outcome(browser: Browser, parameters: Record<string, string> = {}): Promise<string | undefined> {
  const { page, left } = await authorize(browser, parameters);
  if (page !== undefined) return /<h1>(.*?)<\/h1>/.exec(page)?.[1];
  return left?.searchParams.get('error') ?? (left?.searchParams.has('code') === true ? 'code' : undefined);
}
const tokensOf = async (code: string, client = 'web:secret') => (await redeem(code, {}, client)).json;
const xsrfOf = (page = '') => /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
const logoutPath = (parameters: Record<string, string> = {}) => `/oauth2/logout?${new URLSearchParams(parameters)}`;
/** Opens the page of a logout and presses its button. */
async function logOut(browser: Browser, parameters: Record<string, string> = {}, form = { logout: 'yes' } as object) {
  const { page } = await browser.follow(await browser.ask(logoutPath(parameters)));
  return browser.follow(await browser.ask('/oauth2/logout/confirm', { xsrf: xsrfOf(page), ...form }));
}

describe('a login in a browser', () => {
  test('is valid for other clients, which get a code without a page', async () => {
    const { browser } = await loggedIn(await newUser());
    expect([await outcome(browser), await outcome(browser, { client_id: 'other' })]).toEqual(['code', 'code']);
    expect(await outcome(browser, { prompt: 'none' })).toBe('code');
    expect(await outcome(new Browser(auth), { prompt: 'none' })).toBe('login_required');
  });

  test('is not enough for a client at a loopback address, which any program could pretend to be', async () => {
    const { browser } = await loggedIn(await newUser());
    const native = { client_id: 'native', redirect_uri: 'http://127.0.0.1:54321/callback' };
    expect(await outcome(browser, native)).toBe('Log in');
    expect(await outcome(browser, { ...native, prompt: 'none' })).toBe('login_required');
  });

  test.each(['login', 'select_account'])(
    'is asked for again with prompt=%s, then the client gets its code',
    async (prompt) => {
      const username = await newUser();
      const { browser } = await loggedIn(username);
      expect(await outcome(browser, { prompt })).toBe('Log in');
      const { submit } = await open({ prompt }, browser);
      expect((await submit({ username, password: username })).left?.searchParams.has('code')).toBe(true);
    },
  );

  test('is asked for again with max_age, and the ID token has the time of the login', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username, { scope: 'openid', max_age: '1000' });
    const { auth_time: first } = decodeJwt((await tokensOf(code)).id_token);
    expect(first).toEqual(expect.closeTo(Date.now() / 1_000, -2));
    expect(await outcome(browser, { scope: 'openid', max_age: '1000' })).toBe('code');
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(await outcome(browser, { scope: 'openid', max_age: '1' })).toBe('Log in');
    expect(await outcome(browser, { scope: 'openid', max_age: '1', prompt: 'none' })).toBe('login_required');
  });

  test('of another user replaces it', async () => {
    const [first, second] = [await newUser(), await newUser()];
    const { browser, code } = await loggedIn(first);
    const tokens = await tokensOf(code);
    const { submit } = await open({ prompt: 'login', scope: 'openid' }, browser);
    const { left } = await submit({ username: second, password: second });
    expect(decodeJwt((await tokensOf(left?.searchParams.get('code') ?? '')).id_token).sub).toBe(second);
    expect(await isOpen(tokens.access_token)).toBe(true);
    expect(await outcome(browser)).toBe('code');
  });

  test('has another cookie afterwards, so that one that was set before is worthless', async () => {
    const username = await newUser();
    const attacker = new Browser(auth);
    await attacker.ask('/oauth2/device');
    const victim = new Browser(auth);
    victim.takeCookiesOf(attacker);
    const { submit } = await open({}, victim);
    expect((await submit({ username, password: username })).left?.searchParams.has('code')).toBe(true);
    expect(await outcome(victim)).toBe('code');
    expect(await outcome(attacker)).toBe('Log in');
  });

  test.each([
    [
      'a new password',
      async (username: string) => `password = '${await hashPassword('another')}' WHERE username = '${username}'`,
    ],
    ['a lock of the user', async (username: string) => `active = false WHERE username = '${username}'`],
  ])('ends with %s', async (_what, change) => {
    const username = await newUser();
    const { browser } = await loggedIn(username);
    expect(await outcome(browser)).toBe('code');
    await testDatabase.query(`UPDATE sec."user" SET ${await change(username)}`, []);
    expect(await outcome(browser)).toBe('Log in');
    expect(await outcome(browser, { prompt: 'none' })).toBe('login_required');
  });

  test('ends with the logout of a token that came of it', async () => {
    const { browser, code } = await loggedIn(await newUser());
    const { access_token } = await tokensOf(code);
    await fetch(`${auth.url}/logout`, { method: 'POST', headers: { authorization: `Bearer ${access_token}` } });
    expect(await outcome(browser)).toBe('Log in');
  });

  test('ends with a session that came of it and that the user ends elsewhere', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username);
    const other = await loggedIn(username);
    const { 'OAuth2.SESSION_ID': sessionId } = await tokensOf(code);
    const ended = await auth.internal('/user-sessions/end', { sessionId, username, by: username });
    expect(ended.json).toEqual({ ended: 1 });
    expect([await outcome(browser), await outcome(other.browser)]).toEqual(['Log in', 'code']);
  });

  test('ends with all sessions of the user, also if its own tokens were revoked before', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username);
    const { refresh_token } = await tokensOf(code);
    await auth.post('/oauth2/revoke', { token: refresh_token }, { client: 'web:secret' });
    const current = await loggedIn(username);
    const { 'OAuth2.SESSION_ID': exceptSessionId } = await tokensOf(current.code);
    expect([await outcome(browser), await outcome(current.browser)]).toEqual(['code', 'code']);
    await auth.internal('/user-sessions/end', { username, exceptSessionId, by: username });
    expect([await outcome(browser), await outcome(current.browser)]).toEqual(['Log in', 'code']);
    const later = await loggedIn(username);
    expect(await outcome(later.browser)).toBe('code');
    // All of another client end only with that client.
    await auth.internal('/user-sessions/end', { username, clientId: 'other', by: username });
    expect(await outcome(later.browser)).toBe('code');
    await auth.internal('/user-sessions/end', { username, by: 'admin' });
    expect([await outcome(later.browser), await outcome(current.browser)]).toEqual(['Log in', 'Log in']);
  });

  test('is asked for each time where single sign-on is switched off', async () => {
    const username = await newUser();
    const strict = await startAuth(testDatabase, {
      properties: {
        'svc.authserver.issuer': 'http://lintel.example',
        'svc.authserver.single-sign-on': 'false',
        ...clientOf('web'),
      },
    });
    try {
      const pages = loginPages(() => strict);
      const { browser, submit } = await pages.open();
      await submit({ username, password: username });
      const again = await browser.follow(await browser.ask(authorization()));
      expect(again.page).toContain('<h1>Log in</h1>');
    } finally {
      await strict.close();
    }
  });
});

describe('consent', () => {
  const allow = async (browser: Browser, page: string) => {
    const { action, proof } = fieldsOf(page);
    return browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'consent' }));
  };

  test('is remembered for its client and scopes, and asked for again for more, or with prompt=consent', async () => {
    const { browser } = await loggedIn(await newUser());
    const asking = { client_id: 'asking', scope: 'rest-api' };
    expect(await outcome(browser, { ...asking, prompt: 'none' })).toBe('consent_required');
    const { page = '' } = await authorize(browser, asking);
    expect(page).toContain('<h1>Allow access?</h1>');
    expect((await allow(browser, page)).left?.searchParams.has('code')).toBe(true);
    expect(await outcome(browser, asking)).toBe('code');
    expect(await outcome(browser, { ...asking, scope: 'rest-api openid' })).toBe('Allow access?');
    expect(await outcome(browser, { ...asking, prompt: 'consent' })).toBe('Allow access?');
    const { browser: other } = await loggedIn(await newUser());
    expect(await outcome(other, asking)).toBe('Allow access?');
  });

  test.each([
    ['en', 'see who you are (openid)'],
    ['de', 'sehen, wer Sie sind (openid)'],
    ['zh-CN', '查看您的身份 (openid)'],
  ])('names the user and explains the scopes in %s', async (language, text) => {
    const username = await newUser();
    const { browser } = await loggedIn(username);
    browser.headers = { 'accept-language': language };
    const { page } = await authorize(browser, { client_id: 'asking', scope: 'openid' });
    expect(page).toContain(`<p>${username}`);
    expect(page).toContain(`<li>${text}</li>`);
  });
});

describe('a logout that a client starts', () => {
  test('is confirmed by the user, ends all that came of the login, and leads back to the client', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username, { scope: 'openid rest-api' });
    const tokens = await tokensOf(code);
    const again = (await authorize(browser)).left?.searchParams.get('code') ?? '';
    const second = await tokensOf(again);
    const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: AFTER_LOGOUT, state: 's 1' };
    const { page, response } = await browser.follow(await browser.ask(logoutPath(parameters)));
    expect(page).toContain('The &lt;Shop&gt; asks to log you out.');
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;");
    expect(await isOpen(tokens.access_token)).toBe(true);
    const { left } = await logOut(browser, parameters);
    expect(left?.href).toBe(`${AFTER_LOGOUT}?state=s+1`);
    expect(await outcome(browser)).toBe('Log in');
    for (const { access_token, refresh_token } of [tokens, second]) {
      expect(await isOpen(access_token)).toBe(false);
      const form = { grant_type: 'refresh_token', refresh_token };
      expect((await auth.post('/oauth2/token', form, { client: 'web:secret' })).status).toBe(400);
    }
  });

  test('without an address ends on a page', async () => {
    const { browser } = await loggedIn(await newUser());
    const { page } = await logOut(browser);
    expect(page).toContain('<h1>Logged out</h1>');
    expect(await outcome(browser)).toBe('Log in');
  });

  test('that the user refuses ends nothing but the tokens of that client', async () => {
    const { browser } = await loggedIn(await newUser());
    const { page } = await logOut(browser, { client_id: 'web' }, {});
    expect(page).toContain('<h1>Logged out</h1>');
    expect(await outcome(browser, { client_id: 'other' })).toBe('code');
  });

  test.each([
    ['an address that is not registered', { client_id: 'web', post_logout_redirect_uri: 'https://evil.example/' }],
    ['a longer address', { client_id: 'web', post_logout_redirect_uri: `${AFTER_LOGOUT}/more` }],
    ['an unknown client', { client_id: 'nobody', post_logout_redirect_uri: AFTER_LOGOUT }],
    ['a hint that is none', { id_token_hint: 'nonsense', post_logout_redirect_uri: AFTER_LOGOUT }],
    ['an unsigned hint', { id_token_hint: 'eyJhbGciOiJub25lIn0.eyJhdWQiOiJ3ZWIiLCJzdWIiOiJhbm5hIn0.' }],
  ])('with %s is a page with the error, never a redirect', async (_case, parameters) => {
    const { browser } = await loggedIn(await newUser());
    browser.headers = { accept: 'text/html' };
    const { page, response } = await browser.follow(await browser.ask(logoutPath(parameters as never)));
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(page).toContain('This request cannot be processed');
    expect(await outcome(browser)).toBe('code');
  });

  test('an address without a client is not followed', async () => {
    const { browser } = await loggedIn(await newUser());
    expect((await logOut(browser, { post_logout_redirect_uri: AFTER_LOGOUT })).page).toContain('<h1>Logged out</h1>');
  });

  test('a form without the proof of its page, or of another browser, logs nobody out', async () => {
    const { browser } = await loggedIn(await newUser());
    const { page } = await browser.follow(await browser.ask(logoutPath()));
    for (const xsrf of ['', 'forged'])
      expect((await browser.ask('/oauth2/logout/confirm', { xsrf, logout: 'yes' })).status).toBe(400);
    const stranger = await new Browser(auth).ask('/oauth2/logout/confirm', { xsrf: xsrfOf(page), logout: 'yes' });
    expect(stranger.status).toBe(400);
    expect(await outcome(browser)).toBe('code');
  });

  test('of a browser without a login sends its form by a script, the only one that the policy allows', async () => {
    const response = await new Browser(auth).ask(logoutPath());
    const [, policy] = /script-src ([^;]*);/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
    expect(policy).toMatch(/^'sha256-[\w+/]{43}='$/);
  });

  test('as a form is redirected, so that the browser sends its cookie', async () => {
    const { browser } = await loggedIn(await newUser());
    const response = await browser.ask('/oauth2/logout', { client_id: 'web', post_logout_redirect_uri: AFTER_LOGOUT });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/oauth2/logout?client_id=web&post_logout_redirect_uri=${encodeURIComponent(AFTER_LOGOUT)}`,
    ]);
    expect((await browser.follow(response)).page).toContain('<h1>Log out?</h1>');
  });

  test.each([
    ['en', 'Log out?'],
    ['de', 'Abmelden?'],
    ['zh-CN', '退出登录？'],
  ])('has its page in %s, in no frame and not kept', async (language, title) => {
    const { browser } = await loggedIn(await newUser());
    browser.headers = { 'accept-language': language };
    const { page, response } = await browser.follow(await browser.ask(logoutPath()));
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).not.toMatch(/<script|src=|@import|url\(/);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('back-channel logout', () => {
  test('sends a logout token to each client of the login that wants one; a failure of one holds up nothing', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username, { scope: 'openid' });
    const { sid } = decodeJwt((await tokensOf(code)).id_token);
    expect(sid).toEqual(expect.any(String));
    await authorize(browser, { client_id: 'other' });
    expect((await logOut(browser)).page).toContain('<h1>Logged out</h1>');
    await eventually(async () => expect(received).toHaveLength(2));
    const tokens = received.map((text) => new URLSearchParams(text.replace('POST ', '')).get('logout_token') ?? '');
    const token = tokens.find((each) => decodeJwt(each).aud === 'web') ?? '';
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' });
    expect(decodeJwt(token)).toMatchObject({
      iss: 'http://lintel.example',
      sub: username,
      sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect(decodeJwt(token)).not.toHaveProperty('nonce');
    expect(auth.log.join('')).toContain('did not accept a back-channel logout');
  });

  test.each<[string, (username: string) => Promise<unknown>]>([
    ['by the user or an administrator', (username) => auth.internal('/user-sessions/end', { username, by: 'admin' })],
    [
      'since the user is disabled',
      async (username) => {
        await testDatabase.query('UPDATE sec."user" SET active = false WHERE username = $1', [username]);
        await auth.userChanged(username);
      },
    ],
  ])('sends one logout token for a login in the browser that ends %s', async (_case, end) => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username, { scope: 'openid' });
    const { sid } = decodeJwt((await tokensOf(code)).id_token);
    const again = (await authorize(browser, { scope: 'openid' })).left?.searchParams.get('code') ?? '';
    await tokensOf(again);
    await end(username);
    await eventually(async () => expect(received).toHaveLength(1));
    const token = new URLSearchParams(received[0]?.replace('POST ', '')).get('logout_token') ?? '';
    expect(decodeJwt(token)).toMatchObject({ aud: 'web', sub: username, sid });
  });

  test('reaches no private address that is not allowed', async () => {
    const { port } = receiver.address() as AddressInfo;
    const guarded = await startAuth(testDatabase, {
      properties: {
        'svc.authserver.issuer': 'http://lintel.example',
        ...clientOf('web', { 'backchannel-logout-uri': `http://127.0.0.1:${port}/logout` }),
      },
    });
    try {
      const username = await newUser();
      const pages = loginPages(() => guarded);
      const { browser, submit } = await pages.open();
      await submit({ username, password: username });
      expect((await logOut(browser)).page).toContain('<h1>Logged out</h1>');
      await eventually(async () => expect(guarded.log.join('')).toContain('did not accept a back-channel logout'));
      expect(received).toEqual([]);
    } finally {
      await guarded.close();
    }
  });
});

describe('/oauth2/userinfo', () => {
  const userinfo = (token?: string, method = 'GET') =>
    fetch(`${auth.url}/oauth2/userinfo`, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });

  test.each(['web', 'jwt'])('has the claims of the scopes, for the tokens of %s', async (client) => {
    const username = await newUser();
    await testDatabase.query(
      `UPDATE sec."user" SET first_name = 'Ada', last_name = 'Lovelace', email = 'ada@example.com', locale = 'de' WHERE username = $1`,
      [username],
    );
    const { browser } = await loggedIn(username);
    const claimsFor = async (scope: string, method?: string) => {
      const { left } = await authorize(browser, { client_id: client, scope });
      const tokens = await tokensOf(left?.searchParams.get('code') ?? '', `${client}:secret`);
      return (await userinfo(tokens.access_token, method)).json();
    };
    expect(await claimsFor('openid')).toEqual({ sub: username });
    expect(await claimsFor('openid profile email', 'POST')).toEqual({
      sub: username,
      preferred_username: username,
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      locale: 'de',
      email: 'ada@example.com',
    });
  });

  test('is 401 without a valid token, and 403 without the scope openid', async () => {
    const { code } = await loggedIn(await newUser());
    const tokens = await tokensOf(code);
    const narrow = await userinfo(tokens.access_token);
    expect([narrow.status, narrow.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('insufficient_scope'),
    ]);
    const client = { grant_type: 'client_credentials' };
    const ofClient = (await auth.post('/oauth2/token', client, { client: 'integration:secret' })).json.access_token;
    await auth.post('/oauth2/revoke', { token: tokens.refresh_token }, { client: 'web:secret' });
    for (const token of [undefined, 'garbage', tokens.refresh_token, tokens.access_token, ofClient]) {
      const response = await userinfo(token);
      expect([response.status, response.headers.get('cache-control')]).toEqual([401, 'no-store']);
    }
  });
});
