import { CHANGE_DECISION, DECISION_FIELD } from '@lintel/login';
import type { TestDatabase } from '@lintel/testkit';
import { Browser, CALLBACK, fieldsOf, loginPages } from '../../../test/login-pages.ts';
import { App, secretOf, sendFactor } from '../../../test/second-factor-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client.web';
const PAGE = '/as-login/password';
const NEW = 'several words of mine';

let testDatabase: TestDatabase;
let auth: RunningAuth;
/** Users choose a new password at their first login, and none of the last two again. */
let strict: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  const properties = {
    'svc.authserver.issuer': 'http://lintel.example',
    [`${CLIENT}.client-id`]: 'web',
    [`${CLIENT}.client-secret`]: 'secret',
    [`${CLIENT}.grant-types`]: 'authorization_code,refresh_token,password',
    [`${CLIENT}.redirect-uris`]: CALLBACK,
    'svc.security.bruteforceprotection.max-login-attempts-number': '3',
    'svc.auth.second-factor.roles': 'guarded',
  };
  auth = await startAuth(testDatabase, { properties });
  strict = await startAuth(testDatabase, {
    properties: {
      ...properties,
      'svc.security.password-change-at-first-login': 'true',
      'svc.security.password-history': '2',
    },
  });
});
afterAll(async () => {
  await auth?.close();
  await strict?.close();
  await testDatabase?.drop();
});

let number = 0;
async function newUser(roles: readonly string[] = []): Promise<string> {
  number += 1;
  await auth.addUser(`person${number}`, { roles });
  return `person${number}`;
}
const logIn = async (username: string, password = username, by = auth) =>
  by.post('/oauth/token', { grant_type: 'password', username, password });
const isAlive = async (token: string): Promise<boolean> => (await auth.internal('/exchange', { token })).status === 200;

async function change(token: string | undefined, body: object | string, headers: Record<string, string> = {}) {
  const response = await fetch(`${auth.url}/oauth2/password`, {
    method: 'POST',
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, json: text === '' ? undefined : JSON.parse(text) };
}

describe('POST /oauth2/password', () => {
  // Asserts contract/tokens.md#own-password.
  test('changes the own password and ends the other logins; the one of the request stays', async () => {
    const username = await newUser();
    const [own, other] = [await logIn(username), await logIn(username)];
    const body = { currentPassword: username, newPassword: NEW };
    expect((await change(own.json.access_token, body)).status).toBe(204);
    await auth.userChanged(username);
    while (await isAlive(other.json.access_token)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await isAlive(own.json.access_token)).toBe(true);
    expect((await logIn(username)).status).toBe(400);
    expect((await logIn(username, NEW)).status).toBe(200);
    const events = await testDatabase.query<{ type: string; data: unknown }>(
      `SELECT type, envelope->'data' AS data FROM events.outbox WHERE envelope::text LIKE $1 ORDER BY type`,
      [`%${username}%`],
    );
    // contract/operations.md#security-events
    const actor = { by: username, byClientId: 'client', address: '127.0.0.1' };
    expect(events).toEqual([
      { type: 'data.entity.changed.v1', data: expect.objectContaining({ attributes: ['password'], by: username }) },
      { type: 'data.user.changed.v1', data: { username, change: 'updated', attributes: ['password'], actor } },
    ]);
  });

  // Asserts contract/tokens.md#own-password.
  test('keeps the other logins if the user wants it', async () => {
    const username = await newUser();
    const [own, other] = [await logIn(username), await logIn(username)];
    const body = { currentPassword: username, newPassword: NEW, endOtherSessions: false };
    expect((await change(own.json.access_token, body)).status).toBe(204);
    await auth.userChanged(username);
    expect(await isAlive(other.json.access_token)).toBe(true);
  });

  // Asserts contract/tokens.md#own-password.
  test.each<[string, string, string, string]>([
    ['a wrong current password', 'wrong', NEW, 'currentPassword'],
    ['a short new password', '', 'x', 'newPassword'],
    ['a common new password', '', 'password1', 'newPassword'],
    ['the same password', '', '', 'newPassword'],
    ['a long new password', '', 'word '.repeat(60), 'newPassword'],
  ])('refuses %s, naming the member, and changes nothing', async (_, current, next, path) => {
    const username = await newUser();
    const { json } = await logIn(username);
    const body = { currentPassword: current === '' ? username : current, newPassword: next === '' ? username : next };
    const response = await change(json.access_token, body, { 'accept-language': 'de' });
    expect(response.status).toBe(400);
    expect(response.json).toEqual([expect.objectContaining({ path, invalidValue: null })]);
    expect(response.text).not.toContain(username);
    expect((await logIn(username)).status).toBe(200);
  });

  // Asserts contract/tokens.md#own-password.
  test('guesses of the current password are limited as those of a login', async () => {
    const username = await newUser();
    const { json } = await logIn(username);
    const guess = (currentPassword: string) => change(json.access_token, { currentPassword, newPassword: NEW });
    for (let at = 0; at < 3; at += 1) expect((await guess(`wrong ${at}`)).status).toBe(400);
    expect((await guess(username)).status).toBe(429);
    expect((await logIn(username)).status).toBe(400);
  });

  // Asserts contract/tokens.md#own-password.
  test('needs a token of a user, and exactly these members', async () => {
    const username = await newUser();
    const body = { currentPassword: username, newPassword: NEW };
    expect((await change(undefined, body)).status).toBe(401);
    expect((await change('unknown', body)).status).toBe(401);
    const client = await auth.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      { client: 'integration:secret' },
    );
    expect((await change(client.json.access_token, body)).status).toBe(403);
    const { json } = await logIn(username);
    for (const bad of ['', '{', '[]', '{}', { ...body, more: 1 }, { ...body, newPassword: 5 }])
      expect((await change(json.access_token, bad)).status).toBe(400);
    expect((await change(json.refresh_token, body)).status).toBe(401);
    expect((await logIn(username)).status).toBe(200);
  });
});

/** Opens the page of a browser and returns what sends its form. */
async function openPage(browser = new Browser(auth)) {
  const response = await browser.ask(PAGE);
  const page = await response.text();
  const { proof } = fieldsOf(page);
  const send = async (form: Record<string, string>, by = browser) => {
    const sent = await by.ask(PAGE, { proof, [DECISION_FIELD]: CHANGE_DECISION, ...form });
    return { status: sent.status, page: await sent.text(), response: sent };
  };
  return { browser, response, page, send };
}
const fieldsFor = (username: string, next = NEW, repeated = next) => ({
  username,
  password: username,
  'new-password': next,
  'repeated-password': repeated,
});

describe('the page', () => {
  // Asserts contract/tokens.md#own-password.
  test('changes the password of a user who knows the current one', async () => {
    const username = await newUser();
    const { response, send } = await openPage();
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'; base-uri 'none'");
    expect(response.headers.get('set-cookie')).toMatch(
      /^lintel_form=[\w-]{32}; Path=\/as-login\/password; HttpOnly; SameSite=Strict/,
    );
    expect(await send(fieldsFor(username))).toMatchObject({
      status: 200,
      page: expect.stringContaining('has changed'),
    });
    expect((await logIn(username, NEW)).status).toBe(200);
  });

  // Asserts contract/tokens.md#own-password.
  test.each([
    ['en', 'Change your password', 'are not the same'],
    ['de', 'Passwort ändern', 'sind nicht gleich'],
    ['zh-CN', '更改密码', '不一致'],
  ])('is in the language %s', async (language, title, problem) => {
    const browser = new Browser(auth);
    browser.headers = { 'accept-language': language };
    const { page, send } = await openPage(browser);
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(await send(fieldsFor('nobody', NEW, 'other'))).toMatchObject({
      status: 400,
      page: expect.stringContaining(problem),
    });
  });

  // Asserts contract/tokens.md#own-password.
  test('a form of another site, of another browser or without a proof changes nothing', async () => {
    const username = await newUser();
    const { send } = await openPage();
    const other = await openPage();
    expect((await send(fieldsFor(username), other.browser)).status).toBe(400);
    expect((await send(fieldsFor(username), new Browser(auth))).status).toBe(400);
    expect((await send({ ...fieldsFor(username), proof: '' })).status).toBe(400);
    expect((await logIn(username)).status).toBe(200);
  });

  // Asserts contract/tokens.md#own-password.
  test('shows the same for a wrong password and for an unknown user, and shows markup as text', async () => {
    const username = await newUser();
    const { send } = await openPage();
    const wrong = await send({ ...fieldsFor(username), password: 'wrong' });
    const unknown = await send({ ...fieldsFor(username), username: '<b>"', password: 'wrong' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const errorOf = (page: string) => /<p class="error".*<\/p>/.exec(page)?.[0];
    expect(errorOf(wrong.page)).toBe(errorOf(unknown.page));
    expect(unknown.page).not.toContain('<b>');
  });

  // Asserts contract/tokens.md#own-password.
  test('guesses are limited', async () => {
    const username = await newUser();
    const { send } = await openPage();
    for (let at = 0; at < 3; at += 1) await send({ ...fieldsFor(username), password: `wrong ${at}` });
    expect((await send(fieldsFor(username))).page).toContain('Too many attempts');
    expect((await logIn(username)).status).toBe(400);
  });

  // Asserts contract/tokens.md#own-password.
  test('the user of a second factor confirms the change with it', async () => {
    const username = await newUser(['guarded']);
    const { submit, browser } = await loginPages(() => auth).open();
    const { page: enrol = '' } = await submit({ username, password: username });
    const app = new App(secretOf(enrol));
    await sendFactor(browser, enrol, 'enrol', { code: app.next() });
    const { send } = await openPage();
    const asked = await send(fieldsFor(username));
    expect(asked).toMatchObject({ status: 400, page: expect.stringContaining('name="code"') });
    expect((await send({ ...fieldsFor(username), code: '000000' })).status).toBe(401);
    expect((await send({ ...fieldsFor(username), code: app.next() })).status).toBe(200);
  });

  // Asserts contract/tokens.md#own-password.
  test('the login page changes no password that need not be changed: it asks for no second factor', async () => {
    const username = await newUser();
    const { submit } = await loginPages(() => auth).open();
    const form = { ...fieldsFor(username), [DECISION_FIELD]: CHANGE_DECISION };
    const { response, page } = await submit(form);
    expect([response.status, page]).toEqual([400, expect.stringContaining('This page has expired')]);
    expect((await submit({ ...form, password: 'wrong' })).response.status).toBe(401);
    expect((await logIn(username)).status).toBe(200);
  });
});

describe('the first login', () => {
  const pages = loginPages(() => strict);

  // Asserts contract/tokens.md#own-password.
  test('leads to the form for a new password, then to the client; the next one goes through', async () => {
    const username = await newUser();
    const { submit, browser, fields } = await pages.open();
    const { page = '' } = await submit({ username, password: username });
    expect(page).toContain('Choose a password of your own');
    const form = { ...fieldsFor(username), [DECISION_FIELD]: CHANGE_DECISION };
    expect((await submit({ ...form, 'new-password': 'x', 'repeated-password': 'x' })).page).toContain('too short');
    expect((await submit({ ...form, password: 'wrong' })).response.status).toBe(401);
    const { left } = await browser.follow(await browser.ask(fields.action, { proof: fields.proof, ...form }));
    expect(left?.searchParams.get('code')).toMatch(/./);
    const again = await pages.open();
    const { left: next } = await again.submit({ username, password: NEW });
    expect(next?.searchParams.get('code')).toMatch(/./);
  });

  // Asserts contract/tokens.md#own-password.
  test('with the password grant is refused with the reason', async () => {
    const username = await newUser();
    expect((await logIn(username, username, strict)).json).toEqual({
      error: 'invalid_grant',
      error_description: 'The password must be changed on the login page first',
    });
    expect((await logIn(username, 'wrong', strict)).json.error_description).toBe('Bad credentials');
  });

  // Asserts contract/tokens.md#own-password.
  test('is one again after an administrator has set a password', async () => {
    const username = await newUser();
    const { send } = await openPage(new Browser(strict));
    await send(fieldsFor(username));
    expect((await logIn(username, NEW, strict)).status).toBe(200);
    await testDatabase.query(
      'UPDATE sec."user" SET password = (SELECT password FROM sec."user" WHERE username = $2) WHERE username = $1',
      [username, await newUser()],
    );
    expect((await logIn(username, `person${number}`, strict)).json.error).toBe('invalid_grant');
  });
});

// Asserts contract/tokens.md#own-password.
test('former passwords are refused as far as they are remembered', async () => {
  const username = await newUser();
  const { send } = await openPage(new Browser(strict));
  const words = [username, 'first set of words', 'second set of words', 'third set of words'];
  const to = (from: string, next: string) => send({ ...fieldsFor(username, next), password: from });
  for (let at = 1; at < words.length; at += 1)
    expect((await to(words[at - 1] ?? '', words[at] ?? '')).status).toBe(200);
  for (const former of ['third set of words', 'second set of words', 'first set of words'])
    expect((await to('third set of words', former)).page).toContain('used this password before');
  await strict.addUser('unused');
  expect((await to('third set of words', `${username} was the very first`)).status).toBe(200);
  expect((await to(`${username} was the very first`, 'first set of words')).status).toBe(200);
});
