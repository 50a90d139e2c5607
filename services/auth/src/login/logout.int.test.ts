import { eventually, holdTransaction } from '@lintel/testkit';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Browser, loginPages } from '../../test/login-pages.ts';
import { AFTER_LOGOUT, clientOf, logoutPath, singleSignOnOfTests, xsrfOf } from '../../test/single-sign-on-of-tests.ts';
import { startAuth } from '../../test/start-auth.ts';

const sso = singleSignOnOfTests();
const { newUser, isOpen, loggedIn, authorize, goOn, outcome, tokensOf, logOut, received } = sso;

const WAITING_REMOVALS = `SELECT count(*)::int AS waiting FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM auth.oidc_model%'`;

describe('a logout that a client starts', () => {
  // Asserts contract/tokens.md#rp-logout.
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
      expect((await sso.auth.post('/oauth2/token', form, { client: 'web:secret' })).status).toBe(400);
    }
  });

  // Asserts contract/tokens.md#rp-logout.
  test('without an address ends on a page', async () => {
    const { browser } = await loggedIn(await newUser());
    const { page } = await logOut(browser);
    expect(page).toContain('<h1>Logged out</h1>');
    expect(await outcome(browser)).toBe('Log in');
  });

  // Asserts contract/tokens.md#rp-logout.
  test('that the user refuses ends nothing but the tokens of that client', async () => {
    const { browser } = await loggedIn(await newUser());
    const { page } = await logOut(browser, { client_id: 'web' }, {});
    expect(page).toContain('<h1>Logged out</h1>');
    expect((await goOn(browser, { client_id: 'other' })).left?.searchParams.has('code')).toBe(true);
  });

  // Asserts contract/tokens.md#rp-logout.
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

  // Asserts contract/tokens.md#rp-logout.
  test('an address without a client is not followed', async () => {
    const { browser } = await loggedIn(await newUser());
    expect((await logOut(browser, { post_logout_redirect_uri: AFTER_LOGOUT })).page).toContain('<h1>Logged out</h1>');
  });

  // Asserts contract/tokens.md#rp-logout.
  test('a form without the proof of its page, or of another browser, does not log out', async () => {
    const { browser } = await loggedIn(await newUser());
    const { page } = await browser.follow(await browser.ask(logoutPath()));
    for (const xsrf of ['', 'forged'])
      expect((await browser.ask('/oauth2/logout/confirm', { xsrf, logout: 'yes' })).status).toBe(400);
    const stranger = await new Browser(sso.auth).ask('/oauth2/logout/confirm', { xsrf: xsrfOf(page), logout: 'yes' });
    expect(stranger.status).toBe(400);
    expect(await outcome(browser)).toBe('code');
  });

  test('of a browser without a login sends its form by a script, the only one that the policy allows', async () => {
    const response = await new Browser(sso.auth).ask(logoutPath());
    const [, policy] = /script-src ([^;]*);/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
    expect(policy).toMatch(/^'sha256-[\w+/]{43}='$/);
  });

  test('returns 400 in the form of OAuth for a page that the client has not registered', async () => {
    const response = await new Browser(sso.auth).ask(
      '/oauth2/logout?client_id=web&post_logout_redirect_uri=https://x.invalid',
    );
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'post_logout_redirect_uri not registered' },
    ]);
  });

  // Asserts contract/tokens.md#rp-logout.
  test('as a form is redirected, so that the browser sends its cookie', async () => {
    const { browser } = await loggedIn(await newUser());
    const response = await browser.ask('/oauth2/logout', { client_id: 'web', post_logout_redirect_uri: AFTER_LOGOUT });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/oauth2/logout?client_id=web&post_logout_redirect_uri=${encodeURIComponent(AFTER_LOGOUT)}`,
    ]);
    expect((await browser.follow(response)).page).toContain('<h1>Log out?</h1>');
  });

  // Asserts contract/tokens.md#rp-logout.
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
  // Asserts contract/tokens.md#rp-logout.
  test('sends a logout token to each client of the login that has an address for it, also if one of them fails', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username, { scope: 'openid' });
    const { sid } = decodeJwt((await tokensOf(code)).id_token);
    expect(sid).toEqual(expect.any(String));
    await goOn(browser, { client_id: 'other' });
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
    expect(sso.auth.log.join('')).toContain('did not accept a back-channel logout');
  });

  test('sends one logout token to a client although the records of the login are removed late', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username, { scope: 'openid' });
    await tokensOf(code);
    const login = `model = 'Login' AND payload->>'username' = '${username}'`;
    const held = await holdTransaction(sso.testDatabase.url, `SELECT FROM auth.oidc_model WHERE ${login} FOR UPDATE`);
    try {
      const loggedOut = logOut(browser);
      // Both that end the grant have read the login, and wait to remove it.
      await eventually(async () => expect(await sso.testDatabase.query(WAITING_REMOVALS)).toEqual([{ waiting: 2 }]));
      await held.release();
      expect((await loggedOut).page).toContain('<h1>Logged out</h1>');
    } finally {
      await held.release();
    }
    await loggedIn(await newUser());
    expect(received).toHaveLength(1);
  });

  // Asserts contract/tokens.md#rp-logout.
  test.each<[string, (username: string) => Promise<unknown>]>([
    [
      'by the user or an administrator',
      (username) => sso.auth.internal('/user-sessions/end', { username, by: 'admin' }),
    ],
    [
      'since the user is disabled',
      async (username) => {
        await sso.testDatabase.query('UPDATE sec."user" SET active = false WHERE username = $1', [username]);
        await sso.auth.userChanged(username);
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

  // Asserts contract/tokens.md#rp-logout.
  test('reaches no private address that is not allowed', async () => {
    const guarded = await startAuth(sso.testDatabase, {
      properties: {
        'svc.authserver.issuer': 'http://lintel.example',
        ...clientOf('web', { 'backchannel-logout-uri': sso.logoutAddress }),
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
