import { DECISION_FIELD } from '@lintel/login';
import { hashPassword } from '@lintel/passwords';
import { eventually } from '@lintel/testkit';
import { decodeJwt } from 'jose';
import { authorization, Browser, fieldsOf, loginPages } from '../../test/login-pages.ts';
import { clientOf, singleSignOnOfTests } from '../../test/single-sign-on-of-tests.ts';
import { startAuth } from '../../test/start-auth.ts';

const sso = singleSignOnOfTests();
const { newUser, isOpen, loggedIn, authorize, goOn, outcome, tokensOf, open } = sso;

describe('a login in a browser', () => {
  // Asserts contract/tokens.md#sso.
  test('is valid for another client after a page that names it once', async () => {
    const username = await newUser();
    const { browser } = await loggedIn(username);
    const other = { client_id: 'other' };
    expect([await outcome(browser), await outcome(browser, { ...other, prompt: 'none' })]).toEqual([
      'code',
      'consent_required',
    ]);
    const { page = '' } = await authorize(browser, other);
    expect(page).toContain(`<p>You are logged in as ${username}. other (app.example) will act with your rights.</p>`);
    const { action, proof } = fieldsOf(page);
    const denied = await browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'deny' }));
    expect(denied.left?.searchParams.get('error')).toBe('access_denied');
    expect((await goOn(browser, other)).left?.searchParams.has('code')).toBe(true);
    expect([await outcome(browser, other), await outcome(browser, { ...other, prompt: 'none' })]).toEqual([
      'code',
      'code',
    ]);
    // It is no consent.
    expect((await sso.auth.internal('/consents/list', { username })).json).toEqual([]);
    // A login for the client is one that has named it.
    const { browser: again } = await loggedIn(await newUser(), other);
    expect(await outcome(again, other)).toBe('code');
    expect(await outcome(browser, { prompt: 'none' })).toBe('code');
    expect(await outcome(new Browser(sso.auth), { prompt: 'none' })).toBe('login_required');
  });

  // Asserts contract/tokens.md#sso.
  test('is not enough for a client at a loopback address, which any program could pretend to be', async () => {
    const { browser } = await loggedIn(await newUser());
    const native = { client_id: 'native', redirect_uri: 'http://127.0.0.1:54321/callback' };
    expect(await outcome(browser, native)).toBe('Log in');
    expect(await outcome(browser, { ...native, prompt: 'none' })).toBe('login_required');
  });

  // Asserts contract/tokens.md#sso.
  test('is enough for a page at the issuer, also on loopback, but not at another port of its address', async () => {
    const issuer = 'http://localhost:8080';
    const page = { client_id: 'page', redirect_uri: `${issuer}/console/login` };
    const auth = await startAuth(sso.testDatabase, {
      properties: { 'svc.authserver.issuer': issuer, ...clientOf('page', { 'redirect-uris': page.redirect_uri }) },
    });
    try {
      await auth.addUser('clerk');
      const { browser, submit } = await loginPages(() => auth).open(page);
      await submit({ username: 'clerk', password: 'clerk' });
      const again = async (parameters: Record<string, string>) =>
        (await browser.follow(await browser.ask(authorization({ ...page, ...parameters })))).left?.searchParams;
      expect((await again({ prompt: 'none' }))?.has('code')).toBe(true);
      const elsewhere = { prompt: 'none', redirect_uri: 'http://localhost:54321/console/login' };
      expect((await again(elsewhere))?.get('error')).toBe('login_required');
    } finally {
      await auth.close();
    }
  });

  // Asserts contract/tokens.md#sso.
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

  // Asserts contract/tokens.md#sso.
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

  // Asserts contract/tokens.md#sso.
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

  // Asserts contract/tokens.md#sso.
  test('has another cookie afterwards, so that one that was set before is worthless', async () => {
    const username = await newUser();
    const attacker = new Browser(sso.auth);
    await attacker.ask('/oauth2/device');
    const victim = new Browser(sso.auth);
    victim.takeCookiesOf(attacker);
    const { submit } = await open({}, victim);
    expect((await submit({ username, password: username })).left?.searchParams.has('code')).toBe(true);
    expect(await outcome(victim)).toBe('code');
    expect(await outcome(attacker)).toBe('Log in');
  });

  // Asserts contract/tokens.md#sso.
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
    await sso.testDatabase.query(`UPDATE sec."user" SET ${await change(username)}`, []);
    expect(await outcome(browser)).toBe('Log in');
    expect(await outcome(browser, { prompt: 'none' })).toBe('login_required');
  });

  test('ends for good when the user is disabled', async () => {
    const username = await newUser();
    const { browser } = await loggedIn(username);
    const setActive = (isActive: boolean) =>
      sso.testDatabase.query('UPDATE sec."user" SET active = $2 WHERE username = $1', [username, isActive]);
    await setActive(false);
    await sso.auth.userChanged(username);
    const isFollowed = (line: string) => line.includes('security.user.changed') && line.includes(`"${username}"`);
    await eventually(() => expect(sso.auth.log.some(isFollowed)).toBe(true));
    await setActive(true);
    expect(await outcome(browser)).toBe('Log in');
    expect(await outcome((await loggedIn(username)).browser)).toBe('code');
  });

  test('is not that of the next user of the name, nor are the tokens', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username);
    const { refresh_token } = await tokensOf(code);
    // With the same password, as users of identity providers have: none.
    await sso.testDatabase.query('UPDATE sec."user" SET id = gen_random_uuid() WHERE username = $1', [username]);
    expect(await outcome(browser)).toBe('Log in');
    const form = { grant_type: 'refresh_token', refresh_token };
    expect((await sso.auth.post('/oauth2/token', form, { client: 'web:secret' })).json.error).toBe('invalid_grant');
  });

  // Asserts contract/tokens.md#sso.
  test('ends with the logout of a token that came of it', async () => {
    const { browser, code } = await loggedIn(await newUser());
    const { access_token } = await tokensOf(code);
    await fetch(`${sso.auth.url}/logout`, { method: 'POST', headers: { authorization: `Bearer ${access_token}` } });
    expect(await outcome(browser)).toBe('Log in');
  });

  test('ends with a session that came of it and that the user ends elsewhere', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username);
    const other = await loggedIn(username);
    const { 'OAuth2.SESSION_ID': sessionId } = await tokensOf(code);
    const ended = await sso.auth.internal('/user-sessions/end', { sessionId, username, by: username });
    expect(ended.json).toEqual({ ended: 1 });
    expect([await outcome(browser), await outcome(other.browser)]).toEqual(['Log in', 'code']);
  });

  // Asserts contract/tokens.md#sso, contract/user.md#user-sessions.
  test('ends with all sessions of the user, also if its own tokens were revoked before', async () => {
    const username = await newUser();
    const { browser, code } = await loggedIn(username);
    const { refresh_token } = await tokensOf(code);
    await sso.auth.post('/oauth2/revoke', { token: refresh_token }, { client: 'web:secret' });
    const current = await loggedIn(username);
    const { 'OAuth2.SESSION_ID': exceptSessionId } = await tokensOf(current.code);
    expect([await outcome(browser), await outcome(current.browser)]).toEqual(['code', 'code']);
    await sso.auth.internal('/user-sessions/end', { username, exceptSessionId, by: username });
    expect([await outcome(browser), await outcome(current.browser)]).toEqual(['Log in', 'code']);
    const later = await loggedIn(username);
    expect(await outcome(later.browser)).toBe('code');
    // All of another client end only with that client.
    await sso.auth.internal('/user-sessions/end', { username, clientId: 'other', by: username });
    expect(await outcome(later.browser)).toBe('code');
    await sso.auth.internal('/user-sessions/end', { username, by: 'admin' });
    expect([await outcome(later.browser), await outcome(current.browser)]).toEqual(['Log in', 'Log in']);
  });

  // Asserts contract/tokens.md#sso.
  test('is asked for each time where single sign-on is switched off', async () => {
    const username = await newUser();
    const strict = await startAuth(sso.testDatabase, {
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

  // Asserts contract/tokens.md#sso.
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

  // Asserts contract/tokens.md#sso.
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

describe('/oauth2/userinfo', () => {
  const userinfo = (token?: string, method = 'GET') =>
    fetch(`${sso.auth.url}/oauth2/userinfo`, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });

  // Asserts contract/tokens.md#userinfo.
  test.each(['web', 'jwt'])('has the claims of the scopes, for the tokens of %s', async (client) => {
    const username = await newUser();
    await sso.testDatabase.query(
      `UPDATE sec."user" SET first_name = 'Ada', last_name = 'Lovelace', email = 'ada@example.com', locale = 'de' WHERE username = $1`,
      [username],
    );
    const { browser } = await loggedIn(username);
    const claimsFor = async (scope: string, method?: string) => {
      const { left } = await goOn(browser, { client_id: client, scope });
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

  // Asserts contract/tokens.md#userinfo.
  test('is 401 without a valid token, and 403 without the scope openid', async () => {
    const { code } = await loggedIn(await newUser());
    const tokens = await tokensOf(code);
    const narrow = await userinfo(tokens.access_token);
    expect([narrow.status, narrow.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('insufficient_scope'),
    ]);
    const client = { grant_type: 'client_credentials' };
    const ofClient = (await sso.auth.post('/oauth2/token', client, { client: 'integration:secret' })).json.access_token;
    await sso.auth.post('/oauth2/revoke', { token: tokens.refresh_token }, { client: 'web:secret' });
    for (const token of [undefined, 'garbage', tokens.refresh_token, tokens.access_token, ofClient]) {
      const response = await userinfo(token);
      expect([response.status, response.headers.get('cache-control')]).toEqual([401, 'no-store']);
    }
  });
});
