import { eventually, type TestDatabase } from '@lintel/testkit';
import { decodeJwt } from 'jose';
import { Browser, CALLBACK, fieldsOf, loginPages } from '../../../test/login-pages.ts';
import { recoveryCodesOf, sendFactor } from '../../../test/second-factor-pages.ts';
import { type PasskeyDefects, passkeyOptionsOf, SoftwarePasskey } from '../../../test/software-passkey.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const ISSUER = 'http://lintel.example';
const CLIENT = 'svc.authserver.client.web';
const TWO = 'urn:lintel:acr:2fa';
const NEW = 'several words of mine';

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': ISSUER,
      'svc.auth.second-factor.roles': 'admin',
      'svc.auth.passkeys': 'true',
      [`${CLIENT}.client-id`]: 'web',
      [`${CLIENT}.client-secret`]: 'secret',
      [`${CLIENT}.grant-types`]: 'authorization_code',
      [`${CLIENT}.redirect-uris`]: CALLBACK,
    },
  });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { open, redeem } = loginPages(() => auth);
const headingOf = (page = ''): string | undefined => /<h1>(.*?)<\/h1>/.exec(page)?.[1];
const codeOf = ({ left }: { readonly left?: URL }): string | undefined => left?.searchParams.get('code') ?? undefined;
const claimsOf = async (code = '') => decodeJwt((await redeem(code)).json.id_token);
const optionsOf = (page: string, decision: string) => {
  const options = passkeyOptionsOf(page, decision);
  if (options === undefined) throw new Error(`The page has no form ${decision}`);
  return options;
};
let number = 0;

async function afterPassword(username: string, parameters: Record<string, string> = {}) {
  const { browser, submit } = await open(parameters);
  const { page = '' } = await submit({ username, password: username });
  return { browser, page };
}

/** A user who has set up a passkey at the first login. */
async function withPasskey() {
  number += 1;
  const username = `user${number}`;
  await auth.addUser(username, { roles: ['admin'] });
  const { browser, page } = await afterPassword(username, { scope: 'openid' });
  const passkey = new SoftwarePasskey(ISSUER);
  const credential = passkey.create(optionsOf(page, 'enrol-passkey'));
  const shown = await sendFactor(browser, page, 'enrol-passkey', { credential });
  const done = await sendFactor(browser, shown.page ?? '', 'continue');
  return { username, passkey, codes: recoveryCodesOf(shown.page), code: codeOf(done) };
}
/** A login without a password. */
async function logIn(passkey: SoftwarePasskey, defects: PasskeyDefects = {}) {
  const { browser, page } = await open({ scope: 'openid' });
  const credential = passkey.get(optionsOf(page, 'passkey-login'), defects);
  return { browser, page, credential, ...(await sendFactor(browser, page, 'passkey-login', { credential })) };
}

// Asserts contract/tokens.md#second-factor.
test('a user sets up a passkey at the login, and uses it as a second factor', async () => {
  const { username, passkey, codes, code } = await withPasskey();
  expect(codes).toHaveLength(10);
  expect(await claimsOf(code)).toMatchObject({ sub: username, acr: TWO, amr: ['pwd', 'pop', 'mfa'] });
  const { browser, page } = await afterPassword(username, { scope: 'openid' });
  const credential = passkey.get(optionsOf(page, 'passkey'), { isVerified: false });
  const done = await sendFactor(browser, page, 'passkey', { credential });
  expect(await claimsOf(codeOf(done))).toMatchObject({ acr: TWO, amr: ['pwd', 'pop', 'mfa'] });
});

// Asserts contract/tokens.md#own-password.
test('a user with a passkey alone changes the password in a browser with a new login by it', async () => {
  const { username, passkey } = await withPasskey();
  const other = await withPasskey();
  const path = '/as-login/password';
  const change = async (browser: Browser) => {
    const { proof } = fieldsOf(await (await browser.ask(path)).text());
    const passwords = { password: username, 'new-password': NEW, 'repeated-password': NEW };
    const response = await browser.ask(path, { proof, username, ...passwords });
    return { status: response.status, page: await response.text() };
  };
  const { browser } = await logIn(passkey);
  expect(await change(new Browser(auth))).toMatchObject({ status: 400, page: expect.stringContaining('name="code"') });
  expect((await change((await logIn(other.passkey)).browser)).status).toBe(400);
  expect((await change(browser)).status).toBe(200);
});

// Asserts contract/tokens.md#own-password.
test('a user with a passkey and no password gets the page of an unknown user, without a field for a code', async () => {
  const { username } = await withPasskey();
  await testDatabase.query('UPDATE sec."user" SET password = NULL WHERE username = $1', [username]);
  const path = '/as-login/password';
  const change = async (name: string, password: string) => {
    const browser = new Browser(auth);
    const { proof } = fieldsOf(await (await browser.ask(path)).text());
    const passwords = { password, 'new-password': NEW, 'repeated-password': NEW };
    const response = await browser.ask(path, { proof, username: name, ...passwords });
    const page = (await response.text()).replaceAll(name, 'NAME').replace(/name="proof" value="[^"]+"/, '');
    return { status: response.status, page };
  };
  for (const password of [username, '', 'another one']) {
    const { status, page } = await change(username, password);
    expect([status, page]).toEqual([401, expect.not.stringContaining('name="code"')]);
    expect(page).toBe((await change(`no-${username}`, password)).page);
  }
});

test('the history of logins has those by passkeys', async () => {
  const { username, passkey } = await withPasskey();
  await logIn(passkey);
  const { browser, page } = await afterPassword(username);
  await sendFactor(browser, page, 'passkey', { credential: '{}' });
  const credential = passkey.get(optionsOf(page, 'passkey'));
  await sendFactor(browser, page, 'passkey', { credential });
  await testDatabase.query('UPDATE sec."user" SET active = false WHERE username = $1', [username]);
  await logIn(passkey);
  // They are recorded without waiting.
  await eventually(async () =>
    expect(
      await testDatabase.query(
        `SELECT method, outcome FROM auth.login_attempt WHERE username = $1 AND method <> 'password'
        ORDER BY method, outcome`,
        [username],
      ),
    ).toEqual([
      { method: 'passkey', outcome: 'disabled' },
      { method: 'passkey', outcome: 'succeeded' },
      { method: 'second-factor', outcome: 'succeeded' },
      { method: 'second-factor', outcome: 'wrong-code' },
    ]),
  );
});

// Asserts contract/tokens.md#second-factor.
test('a passkey that has verified its user replaces the password', async () => {
  const { username, passkey } = await withPasskey();
  expect(await claimsOf(codeOf(await logIn(passkey)))).toMatchObject({
    sub: username,
    acr: TWO,
    amr: ['pop', 'user', 'mfa'],
  });
});

// Asserts contract/tokens.md#second-factor.
test.each<[string, PasskeyDefects]>([
  ['has not verified its user', { isVerified: false }],
  ['signs for another site', { origin: 'http://evil.example' }],
  ['is used in a page inside a page of another site', { crossOrigin: true }],
  ['is bound to another site', { rpId: 'evil.example' }],
  ['signs an own challenge', { challenge: 'AAAA' }],
  ['names another user', { userHandle: Buffer.alloc(16).toString('base64url') }],
  ['names no user', { userHandle: '' }],
])('a passkey that %s does not log in', async (_case, defects) => {
  const { passkey } = await withPasskey();
  const { left, response, page } = await logIn(passkey, defects);
  expect([left, response.status, headingOf(page)]).toEqual([undefined, 401, 'Log in']);
});

// Asserts contract/tokens.md#second-factor.
test('a response is accepted once, and only for its own login', async () => {
  const { passkey } = await withPasskey();
  const first = await logIn(passkey);
  expect(codeOf(first)).toBeDefined();
  const replayed = await sendFactor(first.browser, first.page ?? '', 'passkey-login', { credential: first.credential });
  expect(codeOf(replayed)).toBeUndefined();
  const other = await open({ scope: 'openid' });
  const foreign = await sendFactor(other.browser, other.page, 'passkey-login', { credential: first.credential });
  expect(foreign.response.status).toBe(401);
});

// Asserts contract/tokens.md#second-factor.
test('a copy of a passkey with a lower counter is refused', async () => {
  const { passkey } = await withPasskey();
  await logIn(passkey, { counter: 9 });
  expect((await logIn(passkey, { counter: 9 })).response.status).toBe(401);
  expect(codeOf(await logIn(passkey, { counter: 10 }))).toBeDefined();
});

// Asserts contract/tokens.md#second-factor.
test('the passkey of another user is no second factor', async () => {
  const [one, other] = [await withPasskey(), await withPasskey()];
  const { browser, page } = await afterPassword(one.username);
  const credential = other.passkey.get(optionsOf(page, 'passkey'));
  expect((await sendFactor(browser, page, 'passkey', { credential })).response.status).toBe(401);
  const login = await open();
  const own = one.passkey.get(optionsOf(login.page, 'passkey-login'));
  // The response of a login without a password is not one of a second factor.
  expect((await sendFactor(browser, page, 'passkey', { credential: own })).response.status).toBe(401);
});

// Asserts contract/tokens.md#second-factor.
test('users who are disabled, or have no password here, do not log in with a passkey', async () => {
  for (const change of [`active = false`, `password = NULL`]) {
    const { username, passkey } = await withPasskey();
    await testDatabase.query(`UPDATE sec."user" SET ${change} WHERE username = '${username}'`);
    expect((await logIn(passkey)).response.status).toBe(401);
  }
});

// Asserts contract/tokens.md#second-factor.
test.each([
  '',
  '{}',
  'null',
  '[]',
  '{"id":"a","rawId":"a","type":"public-key","response":{},"clientExtensionResults":{}}',
])('a credential that is none (%s) is refused with the page', async (credential) => {
  const { browser, page } = await open();
  expect((await sendFactor(browser, page, 'passkey-login', { credential })).response.status).toBe(401);
});

// Asserts contract/tokens.md#second-factor.
test('pages allow the one script, from this server; other pages allow none', async () => {
  const { page, response } = await open();
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
    '<script defer src="/as-login/passkeys.js">',
  ]);
  const script = await fetch(`${auth.url}/as-login/passkeys.js`);
  expect([script.status, script.headers.get('content-type'), script.headers.get('x-content-type-options')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'nosniff',
  ]);
  const expired = await fetch(`${auth.url}/as-login`);
  expect(expired.headers.get('content-security-policy')).not.toContain('script-src');
});
