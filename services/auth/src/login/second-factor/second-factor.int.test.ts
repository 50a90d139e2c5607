import { DECISION_FIELD } from '@lintel/login';
import type { TestDatabase } from '@lintel/testkit';
import { decodeJwt } from 'jose';
import { authorization, Browser, CALLBACK, fieldsOf, loginPages } from '../../../test/login-pages.ts';
import { App, recoveryCodesOf, secretOf, sendFactor } from '../../../test/second-factor-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client';
const ONE = 'urn:lintel:acr:1fa';
const TWO = 'urn:lintel:acr:2fa';

const clientOf = (name: string, more: Record<string, string> = {}) => ({
  [`${CLIENT}.${name}.client-id`]: name,
  [`${CLIENT}.${name}.client-secret`]: 'secret',
  [`${CLIENT}.${name}.grant-types`]: 'authorization_code,refresh_token,password',
  [`${CLIENT}.${name}.redirect-uris`]: CALLBACK,
  ...Object.fromEntries(Object.entries(more).map(([member, value]) => [`${CLIENT}.${name}.${member}`, value])),
});

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': 'http://lintel.example',
      'svc.auth.second-factor.roles': 'admin',
      ...clientOf('web', { 'access-token-format': 'self-contained' }),
      ...clientOf('asking', { 'require-authorization-consent': 'true' }),
      ...clientOf('strict', { 'required-acr': TWO }),
    },
  });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { open, redeem } = loginPages(() => auth);
let number = 0;
/** A user with the role that needs a second factor. */
async function newUser(roles: readonly string[] = ['admin']): Promise<string> {
  number += 1;
  await auth.addUser(`user${number}`, { roles });
  return `user${number}`;
}
const headingOf = (page = ''): string | undefined => /<h1>(.*?)<\/h1>/.exec(page)?.[1];
const TITLES = { login: 'Log in', code: 'Confirm your login', enrol: 'Set up a second factor' } as const;

/** The page after the password. */
async function afterPassword(username: string, parameters: Record<string, string> = {}, browser?: Browser) {
  const { submit, ...opened } = await open(parameters, browser);
  return { ...opened, ...(await submit({ username, password: username })) };
}

/** A user with an app, as the first login sets it up, and the browser in which that was. */
async function enrolled(roles?: readonly string[], parameters: Record<string, string> = {}) {
  const username = await newUser(roles);
  const { browser, page = '' } = await afterPassword(username, parameters);
  const app = new App(secretOf(page));
  const shown = await sendFactor(browser, page, 'enrol', { code: app.next() });
  const done = await sendFactor(browser, shown.page ?? '', 'continue');
  return { username, browser, app, codes: recoveryCodesOf(shown.page), code: codeOf(done) };
}
const codeOf = ({ left }: { readonly left?: URL }): string | undefined => left?.searchParams.get('code') ?? undefined;
const authorize = async (browser: Browser, parameters: Record<string, string> = {}) =>
  browser.follow(await browser.ask(authorization(parameters)));
const claimsOf = async (code = '', client = 'web:secret') => {
  const { json } = await redeem(code, {}, client);
  return { id: json.id_token && decodeJwt(json.id_token), access: decodeJwt(json.access_token), json };
};

describe('a user whose role needs a second factor', () => {
  test('sets up one app, also by several requests at once', async () => {
    const { browser, page = '' } = await afterPassword(await newUser());
    const code = new App(secretOf(page)).next();
    const shown = await Promise.all([1, 2, 3, 4, 5].map(() => sendFactor(browser, page, 'enrol', { code })));
    expect(shown.filter((each) => recoveryCodesOf(each.page).length > 0)).toHaveLength(1);
  });

  // Asserts contract/tokens.md#second-factor.
  test('sets it up at the first login, sees the recovery codes once, and gets tokens that say so', async () => {
    const { codes, code, username } = await enrolled(['admin'], { scope: 'openid rest-api' });
    expect(codes).toHaveLength(10);
    const { id, access, json } = await claimsOf(code);
    expect(id).toMatchObject({ sub: username, acr: TWO, amr: ['pwd', 'otp', 'mfa'], auth_time: expect.any(Number) });
    expect(access).toMatchObject({ acr: TWO, amr: ['pwd', 'otp', 'mfa'], auth_time: id?.['auth_time'] });
    const { jwt } = (await auth.internal('/exchange', { token: json.access_token })).json;
    expect(decodeJwt(jwt)).toMatchObject({ acr: TWO, auth_time: id?.['auth_time'] });
    const stored = await testDatabase.query<{ text: string }>(
      `SELECT row_to_json(f)::text || row_to_json(c)::text AS text FROM auth.second_factor f, auth.recovery_code c`,
    );
    for (const { text } of stored) for (const each of codes) expect(text).not.toContain(each.replaceAll('-', ''));
  });

  // Asserts contract/tokens.md#second-factor.
  test('confirms each login with a code, which is accepted once', async () => {
    const { username, app } = await enrolled();
    const first = await afterPassword(username);
    expect(headingOf(first.page)).toBe(TITLES.code);
    const code = app.next();
    expect(codeOf(await sendFactor(first.browser, first.page ?? '', 'code', { code }))).toBeDefined();
    const second = await afterPassword(username);
    const replayed = await sendFactor(second.browser, second.page ?? '', 'code', { code });
    expect([replayed.response.status, headingOf(replayed.page)]).toEqual([401, TITLES.code]);
  });

  test('confirms one login with a code, also with an app that was set up twice', async () => {
    const username = await newUser();
    const { key, offer } = (await auth.internal('/second-factors/offer', { username })).json;
    const app = new App(key);
    const confirmation = { username, offer, code: app.next(), name: 'Phone' };
    for (const _attempt of [1, 2])
      expect((await auth.internal('/second-factors/confirm', confirmation)).json.outcome).toBe('added');
    const code = app.next();
    const logIn = async () => {
      const { browser, page = '' } = await afterPassword(username);
      return codeOf(await sendFactor(browser, page, 'code', { code }));
    };
    expect(await logIn()).toBeDefined();
    // The database returns rows in the order in which they are stored, which an update may change.
    await testDatabase.query(`WITH moved AS (
  DELETE FROM auth.second_factor WHERE id = (SELECT id FROM auth.second_factor ORDER BY last_used_at DESC NULLS LAST LIMIT 1)
  RETURNING *
) INSERT INTO auth.second_factor SELECT * FROM moved`);
    expect(await logIn()).toBeUndefined();
  });

  test('is recorded as logged in after both factors, and as refused by the password grant', async () => {
    const { username, app } = await enrolled();
    const recorded = () =>
      auth.log
        .map((line) => JSON.parse(line) as Record<string, string>)
        .filter((line) => line['username'] === username && line['name']?.startsWith('security.login.'))
        .map(({ name, reason }) => [name, reason]);
    const login = ['security.login.succeeded', undefined];
    expect(recorded()).toEqual([login]);
    const { browser, page = '' } = await afterPassword(username);
    expect(recorded()).toEqual([login]);
    await sendFactor(browser, page, 'code', { code: app.next() });
    expect(recorded()).toEqual([login, login]);
    await auth.post('/oauth/token', { grant_type: 'password', username, password: username });
    expect(recorded()).toEqual([login, login, ['security.login.failed', 'second-factor-required']]);
  });

  // Asserts contract/tokens.md#second-factor.
  test('uses a recovery code instead, once', async () => {
    const { username, codes } = await enrolled();
    const [code = ''] = codes;
    const login = async (text: string) => {
      const { browser, page = '' } = await afterPassword(username);
      return sendFactor(browser, page, 'code', { code: text });
    };
    expect(codeOf(await login(code.toUpperCase().replaceAll('-', ' ')))).toBeDefined();
    expect((await login(code)).response.status).toBe(401);
  });

  // Asserts contract/tokens.md#second-factor.
  test('sets up nothing with a code that does not belong to the key', async () => {
    const username = await newUser();
    const { browser, page = '' } = await afterPassword(username);
    const wrong = await sendFactor(browser, page, 'enrol', { code: '000000' });
    expect([wrong.response.status, headingOf(wrong.page), secretOf(wrong.page)]).toEqual([
      401,
      TITLES.enrol,
      secretOf(page),
    ]);
    expect(headingOf((await afterPassword(username)).page)).toBe(TITLES.enrol);
  });
});

describe('the second factor cannot be left out', () => {
  // Asserts contract/tokens.md#second-factor.
  test.each([
    ['no form', undefined],
    ['the form of the recovery codes', 'continue'],
    ['the form of the consent', 'consent'],
    ['an empty login', 'login'],
  ])('by %s', async (_case, decision) => {
    const { username } = await enrolled(['admin']);
    const { browser, page = '' } = await afterPassword(username, { client_id: 'asking' });
    if (decision !== undefined) {
      const { left, page: next } = await sendFactor(browser, page, decision);
      expect(left).toBeUndefined();
      expect(next).not.toContain('value="consent"');
    }
    const uid = new URL(fieldsOf(page).action, 'http://lintel.example').searchParams.get('interaction');
    const resumed = await browser.follow(await browser.ask(`/oauth2/authorize/${uid}`));
    expect(codeOf(resumed)).toBeUndefined();
    const { left } = await authorize(browser, { client_id: 'asking', prompt: 'none' });
    expect(left?.searchParams.get('error')).toBe('login_required');
  });

  // Asserts contract/tokens.md#second-factor.
  test('by a form of another browser, or without its proof', async () => {
    const { username, app } = await enrolled();
    const { page = '' } = await afterPassword(username);
    const { action } = fieldsOf(page);
    const foreign = await sendFactor(new Browser(auth), page, 'code', { code: app.next() });
    expect([foreign.response.status, headingOf(foreign.page)]).toEqual([400, 'This page has expired']);
    const other = await afterPassword(username);
    for (const proof of ['', fieldsOf(page).proof]) {
      const address = fieldsOf(other.page ?? '').action;
      const response = await other.browser.ask(address, { proof, [DECISION_FIELD]: 'code', code: app.next() });
      expect(response.status).toBe(400);
    }
    expect(action).toContain('interaction=');
  });

  // Asserts contract/tokens.md#second-factor.
  test('by the code of another user, with any name in the form', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const { browser, page = '' } = await afterPassword(one.username);
    const form = { code: other.app.next(), username: other.username };
    expect((await sendFactor(browser, page, 'code', form)).response.status).toBe(401);
    const recovery = { code: other.codes[0] ?? '' };
    expect((await sendFactor(browser, page, 'code', recovery)).response.status).toBe(401);
  });

  // Asserts contract/tokens.md#second-factor.
  test('by a setup that began before the user had a factor', async () => {
    const username = await newUser();
    const attacker = await afterPassword(username);
    const owner = await afterPassword(username);
    const app = new App(secretOf(owner.page));
    await sendFactor(owner.browser, owner.page ?? '', 'enrol', { code: app.next() });
    const own = new App(secretOf(attacker.page));
    const late = await sendFactor(attacker.browser, attacker.page ?? '', 'enrol', { code: own.next() });
    expect([late.left, headingOf(late.page)]).toEqual([undefined, TITLES.code]);
    expect((await sendFactor(attacker.browser, late.page ?? '', 'code', { code: own.next() })).response.status).toBe(
      401,
    );
  });

  // Asserts contract/tokens.md#second-factor.
  test('by a password that has changed since', async () => {
    const { username, app } = await enrolled();
    const { browser, page = '' } = await afterPassword(username);
    await testDatabase.query(`UPDATE sec."user" SET password = 'other' WHERE username = '${username}'`);
    expect((await sendFactor(browser, page, 'code', { code: app.next() })).response.status).toBe(400);
  });

  // Asserts contract/tokens.md#second-factor.
  test('by guesses: after five of an address, or ten of all, the right code is refused, too', async () => {
    const { username, app } = await enrolled();
    const at = async (address: string, code: string) => {
      const browser = new Browser(auth);
      browser.headers = { 'x-forwarded-for': address };
      const { page = '' } = await afterPassword(username, {}, browser);
      return (await sendFactor(browser, page, 'code', { code })).response.status;
    };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) statuses.push(await at('192.0.2.1', '000000'));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    for (let attempt = 0; attempt < 5; attempt += 1) await at(`192.0.2.${attempt + 10}`, '000000');
    expect(await at('192.0.2.99', app.next())).toBe(429);
  });
});

describe('a request for a second factor', () => {
  // Asserts contract/tokens.md#second-factor.
  test('by acr_values asks a browser that is logged in for the factor only, and keeps the time of the login', async () => {
    const username = await newUser([]);
    const first = await afterPassword(username, { scope: 'openid rest-api' });
    const { id: before } = await claimsOf(codeOf(first));
    expect(before).toMatchObject({ acr: ONE, amr: ['pwd'] });
    const none = await authorize(first.browser, { acr_values: TWO, scope: 'openid', prompt: 'none' });
    expect(none.left?.searchParams.get('error')).toBe('interaction_required');
    const { page = '' } = await authorize(first.browser, { acr_values: TWO, scope: 'openid rest-api' });
    expect(headingOf(page)).toBe(TITLES.enrol);
    const app = new App(secretOf(page));
    const shown = await sendFactor(first.browser, page, 'enrol', { code: app.next() });
    const { id } = await claimsOf(codeOf(await sendFactor(first.browser, shown.page ?? '', 'continue')));
    expect(id).toMatchObject({ acr: TWO, amr: ['pwd', 'otp', 'mfa'], auth_time: before?.['auth_time'] });
    expect(codeOf(await authorize(first.browser, { acr_values: TWO, scope: 'openid', prompt: 'none' }))).toBeDefined();
  });

  // Asserts contract/tokens.md#second-factor.
  test('can be left for a login as another user', async () => {
    const [one, other] = [await newUser([]), await newUser([])];
    const { browser } = await afterPassword(one);
    const { page = '' } = await authorize(browser, { client_id: 'strict' });
    expect(headingOf(page)).toBe(TITLES.enrol);
    const restarted = await sendFactor(browser, page, 'restart');
    expect(headingOf(restarted.page)).toBe(TITLES.login);
    const { page: next } = await sendFactor(browser, restarted.page ?? '', 'login', {
      username: other,
      password: other,
    });
    expect(headingOf(next)).toBe(TITLES.enrol);
    expect(next).toContain(encodeURIComponent(other));
  });

  // Asserts contract/tokens.md#second-factor.
  test('by a client counts for all of its users', async () => {
    expect(headingOf((await afterPassword(await newUser([]), { client_id: 'strict' })).page)).toBe(TITLES.enrol);
    expect(codeOf(await afterPassword(await newUser([])))).toBeDefined();
  });

  // Asserts contract/tokens.md#second-factor.
  test('is announced', async () => {
    const discovery = await (await fetch(`${auth.url}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({ acr_values_supported: [ONE, TWO] });
  });
});

describe('the password grant', () => {
  const ask = (username: string, client = 'client:secret', headers = {}) =>
    auth.post('/oauth/token', { grant_type: 'password', username, password: username }, { client, headers });

  // Asserts contract/tokens.md#second-factor.
  test('is refused with mfa_required where the login needs a second factor, and only with the right password', async () => {
    const admin = await newUser();
    const refused = await ask(admin, 'client:secret', { 'accept-language': 'de' });
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        error: 'mfa_required',
        error_description: 'Ein zweiter Faktor ist nötig: melden Sie sich auf der Seite an',
      },
    ]);
    expect((await ask(await newUser([]), 'strict:secret')).json.error).toBe('mfa_required');
    const wrong = { grant_type: 'password', username: admin, password: 'x' };
    expect((await auth.post('/oauth/token', wrong)).json.error).toBe('invalid_grant');
  });

  // Asserts contract/tokens.md#second-factor.
  test('gives all others a token of one factor', async () => {
    const { json } = await ask(await newUser([]), 'signed:secret');
    expect(decodeJwt(json.access_token)).toMatchObject({ acr: ONE, amr: ['pwd'], auth_time: expect.any(Number) });
  });
});
