import { CHANGE_DECISION, DECISION_FIELD } from '@lintel/login';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { authorization, Browser, CALLBACK, fieldsOf, loginPages } from '../../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client.web';
const NEW = 'several words of mine';
const FORM = 'Choose a password of your own';

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': 'http://lintel.example',
      [`${CLIENT}.client-id`]: 'web',
      [`${CLIENT}.client-secret`]: 'secret',
      [`${CLIENT}.grant-types`]: 'authorization_code,refresh_token',
      [`${CLIENT}.redirect-uris`]: CALLBACK,
    },
  });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

let number = 0;
async function newUser(): Promise<string> {
  number += 1;
  await auth.addUser(`person${number}`);
  return `person${number}`;
}
const logIn = async (username: string, password = username) =>
  auth.post('/oauth/token', { grant_type: 'password', username, password });
const require = (username: string) => auth.internal('/passwords/require-change', { username, by: 'admin' });
const pages = loginPages(() => auth);
const choice = (username: string, next = NEW) => ({
  username,
  password: username,
  'new-password': next,
  'repeated-password': next,
});

// Asserts contract/user.md#password-change.
test('a user who must choose a new password loses all logins, and chooses it at the next one', async () => {
  const username = await newUser();
  const { json } = await logIn(username);
  const opened = await pages.open();
  const { left } = await opened.submit({ username, password: username });
  expect(left?.searchParams.get('code')).toMatch(/./);

  expect((await require(username)).status).toBe(200);
  await eventually(async () => {
    expect((await auth.internal('/exchange', { token: json.access_token })).status).not.toBe(200);
  });
  const refreshed = await auth.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: json.refresh_token });
  expect(refreshed.status).toBe(400);
  const browser = await opened.browser.follow(await opened.browser.ask(authorization()));
  expect(browser.page).toContain('name="password"');
  expect((await logIn(username)).json).toEqual({
    error: 'invalid_grant',
    error_description: 'The password must be changed on the login page first',
  });

  const { submit } = await pages.open();
  expect((await submit({ username, password: username })).page).toContain(FORM);
  const form = { ...choice(username), [DECISION_FIELD]: CHANGE_DECISION };
  expect((await submit({ ...form, ...choice(username, username) })).page).toContain('name="new-password"');
  expect((await submit(form)).left?.searchParams.get('code')).toMatch(/./);
  expect((await logIn(username, NEW)).status).toBe(200);
});

// Asserts contract/user.md#user-sessions.
test('a login that is refused until then is recorded as refused, and one after it as a login', async () => {
  const username = await newUser();
  await require(username);
  const recorded = () =>
    auth.log
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter((line) => line['username'] === username && line['name']?.startsWith('security.login.'))
      .map(({ name, reason, clientId }) => [name, reason, clientId]);
  const attempts = async () => {
    const { json } = await auth.internal('/user-sessions/history', { username, limit: 10, offset: 0 });
    return json.attempts.map(({ outcome }: { readonly outcome: string }) => outcome).reverse();
  };

  await logIn(username);
  const byGrant = ['security.login.failed', 'password-change-required', 'client'];
  expect(recorded()).toEqual([byGrant]);
  const { submit } = await pages.open();
  await submit({ username, password: username });
  const byPage = ['security.login.failed', 'password-change-required', 'web'];
  expect(recorded()).toEqual([byGrant, byPage]);
  await eventually(async () => expect(await attempts()).toEqual(['refused', 'refused']));

  await submit({ ...choice(username), [DECISION_FIELD]: CHANGE_DECISION });
  expect(recorded()).toEqual([byGrant, byPage, ['security.login.succeeded', undefined, 'web']]);
  await eventually(async () => expect(await attempts()).toEqual(['refused', 'refused', 'succeeded']));
});

// Asserts contract/user.md#password-change.
test('the page for the own password fulfils it', async () => {
  const username = await newUser();
  await require(username);
  const browser = new Browser(auth);
  const { proof } = fieldsOf(await (await browser.ask('/as-login/password')).text());
  expect((await browser.ask('/as-login/password', { proof, ...choice(username) })).status).toBe(200);
  expect((await logIn(username, NEW)).status).toBe(200);
});

// Asserts contract/user.md#password-change.
test('a password that an administrator sets does not fulfil it', async () => {
  const username = await newUser();
  const other = await newUser();
  await require(username);
  await testDatabase.query(
    'UPDATE sec."user" SET password = (SELECT password FROM sec."user" WHERE username = $2) WHERE username = $1',
    [username, other],
  );
  expect((await logIn(username, other)).json.error).toBe('invalid_grant');
  expect((await logIn(other)).status).toBe(200);
});

// Asserts contract/user.md#password-change.
test('unknown users, users without a password and wrong requests are refused', async () => {
  await auth.addUser('elsewhere', { passwordHash: null });
  for (const [body, status, details] of [
    [{ username: 'unknown', by: 'admin' }, 404, 'There is no such user'],
    [{ username: 'elsewhere', by: 'admin' }, 400, 'username: the user has no password here'],
    [{ username: '', by: 'admin' }, 400, expect.any(String)],
    [{ username: await newUser(), by: 'admin', mail: 'yes' }, 400, expect.any(String)],
    [
      { username: await newUser(), by: 'admin', mail: true },
      400,
      'mail: the server sends no mails (svc.mail.smtp-host)',
    ],
    [{ by: 'admin' }, 400, expect.any(String)],
  ] as const) {
    const response = await auth.internal('/passwords/require-change', body);
    expect([response.status, response.json.details]).toEqual([status, details]);
  }
  expect(
    (await auth.internal('/passwords/require-change', { username: 'elsewhere', by: 'admin' }, 'wrong')).status,
  ).toBe(401);
});
