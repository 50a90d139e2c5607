import { DECISION_FIELD } from '@lintel/login';
import { eventually } from '@lintel/testkit';
import { authorization, Browser, CALLBACK, continued, fieldsOf } from '../../../test/login-pages.ts';
import { ago, providerLoginsOfTests } from '../../../test/provider-logins-of-tests.ts';
import { clientOf, WEB } from '../../../test/provider-properties.ts';
import { startAuth } from '../../../test/start-auth.ts';

const logins = providerLoginsOfTests();
const { press, logIn, attack, exchange, age, redeem, open } = logins;
const INVALID = { reason: 'invalid' };

// Asserts contract/tokens.md#providers.
test('the page has a button for each provider, next to the form', async () => {
  const browser = new Browser(logins.auth);
  const { page = '' } = await browser.follow(await browser.ask(authorization()));
  expect(page).toContain('Log in with Acme &lt;SSO&gt;');
  expect(page).toContain('Log in with hostile');
  expect(page).toContain('name="password"');
});

// Asserts contract/tokens.md#providers.
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
  const session = await logins.auth.sessions.load(sessionId);
  expect(session).toMatchObject({ username: 'grace', attributes: { firstName: 'Grace' } });
  expect(session?.resourceRoles).toEqual(['rest-minimal', 'sales-manager']);
});

// Asserts contract/tokens.md#providers.
test('roles follow at each login and end with the group', async () => {
  const before = await logIn('joan', { groups: ['sales'] });
  const { sessionId } = await exchange(before.tokens.access_token);
  await logIn('joan', { groups: [] });
  expect((await logins.auth.sessions.load(sessionId))?.resourceRoles).toEqual(['rest-minimal']);
});

// Asserts contract/tokens.md#providers.
test('an existing user is not taken over by the name', async () => {
  const { page, response, left } = await logIn('clerk');
  expect([response.status, left]).toEqual([401, undefined]);
  expect(page).toContain('The login at the identity provider was refused.');
  // All ways to log in are there, as before the attempt.
  expect(page).toContain('data-passkey="get"');
  expect(logins.auth.log.join()).toContain('known-user');
});

test('a disabled user is refused', async () => {
  await logIn('mary');
  await logins.testDatabase.query(`UPDATE sec."user" SET active = false WHERE username = 'mary'`);
  expect((await logIn('mary')).left).toBeUndefined();
  const attempt = { method: 'provider', provider: 'acme', clientId: 'web' };
  await eventually(async () =>
    expect(
      (await logins.auth.internal('/user-sessions/history', { username: 'mary', limit: 10, offset: 0 })).json,
    ).toMatchObject({
      attempts: [
        { ...attempt, outcome: 'disabled' },
        { ...attempt, outcome: 'succeeded' },
      ],
    }),
  );
});

// Asserts contract/tokens.md#providers.
test('a logout at the provider ends the session at once', async () => {
  const { tokens } = await logIn('radia');
  expect((await exchange(tokens.access_token)).jwt).toEqual(expect.any(String));
  await logins.second.logOut('radia');
  expect(await exchange(tokens.access_token)).toEqual(INVALID);
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect((await logins.auth.post('/oauth2/token', refresh, { client: 'web:secret' })).status).toBe(400);
});

// Asserts contract/tokens.md#providers.
test('a user that the provider disables loses the session when it is checked, and roles follow', async () => {
  const { tokens } = await logIn('barbara', { groups: [] });
  logins.second.account = { sub: 'barbara', claims: { preferred_username: 'barbara', groups: ['sales'] } };
  await logins.second.visit((await press('acme')).request);
  await age();
  const { sessionId } = await exchange(tokens.access_token);
  expect((await logins.auth.sessions.load(sessionId))?.resourceRoles).toEqual(['rest-minimal', 'sales-manager']);
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  const refreshed = await logins.auth.post('/oauth2/token', refresh, { client: 'web:secret' });
  expect(refreshed.status).toBe(200);
  logins.second.disabled.add('barbara');
  await age();
  expect(await exchange(refreshed.json.access_token)).toEqual(INVALID);
  expect((await logins.auth.post('/oauth2/token', refresh, { client: 'web:secret' })).status).toBe(400);
  await eventually(async () => expect(logins.auth.log.join()).toContain('ended at the provider'));
});

// Asserts contract/tokens.md#providers.
test('the callback works once, in the browser that began, for its provider', async () => {
  logins.second.account = { sub: 'ada', claims: { preferred_username: 'ada' } };
  const { browser, request } = await press('acme');
  const back = await logins.second.visit(request);
  const cookies = browser.cookieHeader();
  const other = new Browser(logins.auth);
  expect((await other.ask(back.href)).status).toBe(400);
  const mixedUp = new URL(back);
  mixedUp.pathname = mixedUp.pathname.replace('acme', 'hostile');
  const copy = new Browser(logins.auth, cookies);
  expect((await copy.ask(mixedUp.href)).status).toBe(400);
  expect((await browser.follow(await browser.ask(back.href))).left?.searchParams.get('code')).toEqual(
    expect.any(String),
  );
  // The same browser, and a copy of its cookies of before.
  expect((await browser.ask(back.href)).status).toBe(400);
  expect((await new Browser(logins.auth, cookies).ask(back.href)).status).toBe(400);
});

test('without a refresh token of the provider, our tokens are not refreshed', async () => {
  const { left } = await attack({});
  const { json } = await redeem(left?.searchParams.get('code') ?? '');
  expect((await exchange(json.access_token)).jwt).toEqual(expect.any(String));
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  // Neither the new login nor a refused refresh counts as a check.
  for (const _attempt of [1, 2])
    expect((await logins.auth.post('/oauth2/token', refresh, { client: 'web:secret' })).status).toBe(400);
});

test('a login is kept as long as the single sign-on and the tokens that it may lead to', async () => {
  await attack({});
  const [row] = await logins.testDatabase.query<{ days: number }>(
    `SELECT extract(epoch FROM max(expires_at) - now())::float8 / 86400 AS days FROM auth.federated_login`,
  );
  // Of a refresh token a year, of an access token and the single sign-on 12 hours each, and a day.
  expect(row?.days).toBeCloseTo(367, 1);
});

test('a login that ends before the browser returns does not log the browser in', async () => {
  const { browser, request } = await press('hostile');
  logins.hostile.next = { claims: { sub: 'subject-4', preferred_username: 'rosa', sid: 'sid-5' } };
  const accepted = await browser.ask(logins.hostile.redirectFor(request).href);
  const logout = { logout_token: await logins.hostile.signLogout({ sid: 'sid-5' }) };
  expect((await logins.auth.post('/as-login/provider/hostile/logout', logout, { client: null })).status).toBe(200);
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
    const step = await browser.follow(await browser.ask(authorization({ scope: 'rest-api' })));
    const { left } = await continued(browser, step);
    return (await redeem(left?.searchParams.get('code') ?? '')).json;
  }

  test('leaves the browser with the login at the provider', async () => {
    const { browser, request } = await press('hostile', new Browser(logins.auth), { client_id: 'asking' });
    logins.hostile.next = { claims: { sub: 'subject-2', preferred_username: 'lise', sid: 'sid-3' } };
    const { page } = await browser.follow(await browser.ask(logins.hostile.redirectFor(request).href));
    expect(page).toContain('<h1>Allow access?</h1>');
    expect((await deny(browser, page)).left?.searchParams.get('error')).toBe('access_denied');
    const { access_token: token } = await tokensOf(browser);
    expect((await exchange(token)).jwt).toEqual(expect.any(String));
    const logout = { logout_token: await logins.hostile.signLogout({ sid: 'sid-3' }) };
    expect((await logins.auth.post('/as-login/provider/hostile/logout', logout, { client: null })).status).toBe(200);
    expect(await exchange(token)).toEqual(INVALID);
  });

  test('leaves a user with a password without the login of a former user', async () => {
    const { browser, request } = await press('hostile');
    logins.hostile.next = { claims: { sub: 'subject-3', preferred_username: 'emmy', sid: 'sid-4' } };
    await browser.follow(await browser.ask(logins.hostile.redirectFor(request).href));
    const { submit } = await open({ client_id: 'asking', scope: 'rest-api', prompt: 'login' }, browser);
    await deny(browser, (await submit({ username: 'clerk', password: 'clerk' })).page);
    const { access_token: token } = await tokensOf(browser);
    const logout = { logout_token: await logins.hostile.signLogout({ sid: 'sid-4' }) };
    expect((await logins.auth.post('/as-login/provider/hostile/logout', logout, { client: null })).status).toBe(200);
    expect((await exchange(token)).jwt).toEqual(expect.any(String));
  });
});

describe('a logout token', () => {
  const send = async (token: string, provider = 'hostile') =>
    (await logins.auth.post(`/as-login/provider/${provider}/logout`, { logout_token: token }, { client: null })).status;

  test('ends the logins of its subject or session', async () => {
    logins.hostile.next = { claims: { sid: 'sid-1' } };
    const { browser, request } = await press('hostile');
    const { left } = await browser.follow(await browser.ask(logins.hostile.redirectFor(request).href));
    const { json } = await redeem(left?.searchParams.get('code') ?? '');
    expect(await send(await logins.hostile.signLogout({ sid: 'sid-2' }))).toBe(200);
    expect((await exchange(json.access_token)).jwt).toEqual(expect.any(String));
    const token = await logins.hostile.signLogout({ sid: 'sid-1' });
    expect(await send(token)).toBe(200);
    expect(await exchange(json.access_token)).toEqual(INVALID);
    expect(await send(token)).toBe(400);
  });

  test('is refused where it is not one', async () => {
    const events = { 'http://other.example/event': {} };
    const before = logins.hostile.keyRequests();
    for (const token of [
      '',
      'abc',
      await logins.hostile.signLogout({ sub: 'subject-1' }, 'none'),
      await logins.hostile.signLogout({}),
      await logins.hostile.signLogout({ sub: 'a\0b' }),
      await logins.hostile.signLogout({ sub: 'a', nonce: 'n' }),
      await logins.hostile.signLogout({ sub: 'a', events }),
      await logins.hostile.signLogout({ sub: 'a', aud: 'other' }),
      await logins.hostile.signLogout({ sub: 'a', iss: 'https://other.example' }),
      await logins.hostile.signLogout({ sub: 'a', iat: ago(1000) }),
      await logins.hostile.signLogout({ sub: 'a', exp: ago(100), iat: ago(200) }),
    ])
      expect([token.slice(0, 20), await send(token)]).toEqual([token.slice(0, 20), 400]);
    expect(logins.hostile.keyRequests() - before).toBeLessThanOrEqual(1);
    expect(await send(await logins.hostile.signLogout({ sub: 'a' }), 'acme')).toBe(400);
    expect(await send(await logins.hostile.signLogout({ sub: 'a' }), 'unknown')).toBe(400);
  });
});

describe('without passwords', () => {
  // Asserts contract/tokens.md#providers.
  test('the only provider is opened at once, and passwords are refused', async () => {
    const alone = await startAuth(logins.testDatabase, {
      properties: { ...WEB, ...clientOf('hostile', logins.hostile.issuer), 'svc.auth.password-login': 'false' },
    });
    try {
      const browser = new Browser(alone);
      const { left } = await browser.follow(await browser.ask(authorization()));
      expect(left?.origin).toBe(logins.hostile.issuer);
      const back = logins.hostile.redirectFor(left ?? new URL(CALLBACK));
      logins.hostile.next = { claims: { nonce: 'other' } };
      const failed = await browser.follow(await browser.ask(back.href));
      // The page with the error does not lead to the provider again by itself.
      expect(failed.page).toContain('Log in with hostile');
      expect(failed.page).not.toContain('name="password"');
      const form = { grant_type: 'password', username: 'clerk', password: 'clerk' };
      expect((await alone.post('/oauth/token', form)).status).toBe(400);
      // The logins of a provider that is not configured any more have ended.
      const rows = await logins.testDatabase.query(`SELECT 1 FROM auth.federated_login WHERE provider = 'acme'`);
      expect(rows).toEqual([]);
      // Attempts that are refused without a check have no limit, so the history does not have them.
      const refused = `SELECT 1 FROM auth.login_attempt WHERE outcome = 'wrong-password' AND username = 'clerk'`;
      expect(await logins.testDatabase.query(refused)).toEqual([]);
    } finally {
      await alone.close();
    }
  });

  test('there must be a provider', async () => {
    const properties = { 'svc.auth.password-login': 'false' };
    await expect(startAuth(logins.testDatabase, { properties })).rejects.toThrow(/svc\.auth\.password-login/);
  });
});

test('no line of the log has a token, a code or a claim', () => {
  expect(logins.auth.log.join()).not.toMatch(/code-0\.|id_token|eyJ|given_name|Grace/);
});
