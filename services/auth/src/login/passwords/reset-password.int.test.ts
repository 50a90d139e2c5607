import type { TestDatabase } from '@lintel/testkit';
import { startMailServer } from '@lintel/testkit/mail-server';
import { Browser, CALLBACK, fieldsOf, loginPages } from '../../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client.web';
const FORGOT = '/as-login/password/forgot';
const RESET = '/as-login/password/reset';
const NEW = 'several words of mine';

const FRENCH = [
  {
    locale: 'fr',
    texts: {
      'lintel.mail.passwordReset.subject': 'Acme ({host})',
      'lintel.mail.passwordReset.text': 'Bonjour {link} - {minutes} min',
    },
  },
];

let testDatabase: TestDatabase;
let auth: RunningAuth;
let mail: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  mail = await startMailServer();
  const properties = {
    ...mail.properties,
    'svc.authserver.issuer': 'http://lintel.example',
    'svc.core.available-locales': 'en,de,zh_CN,fr',
    [`${CLIENT}.client-id`]: 'web',
    [`${CLIENT}.client-secret`]: 'secret',
    [`${CLIENT}.grant-types`]: 'authorization_code',
    [`${CLIENT}.redirect-uris`]: CALLBACK,
  };
  auth = await startAuth(testDatabase, { properties, texts: FRENCH });
});
afterAll(async () => {
  await auth?.close();
  await mail?.close();
  await testDatabase?.drop();
});

let number = 0;
async function newUser(email: string | null = `person${number + 1}@example.com`): Promise<string> {
  number += 1;
  const username = `person${number}`;
  await auth.addUser(username);
  await testDatabase.query('UPDATE sec."user" SET email = $2 WHERE username = $1', [username, email]);
  return username;
}
const logIn = (username: string, password = username) =>
  auth.post('/oauth/token', { grant_type: 'password', username, password });

/** Requests are limited per address: each one is sent from its own. */
async function request(name: string, headers: Record<string, string> = {}) {
  const browser = new Browser(auth);
  browser.headers = headers;
  const { proof } = fieldsOf(await (await browser.ask(FORGOT)).text());
  const response = await browser.ask(FORGOT, { proof, name });
  return { status: response.status, page: await response.text() };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
const linkIn = (text = ''): string => /http:\/\/lintel\.example(\/\S+)/.exec(text)?.[1] ?? '';
/** Polls for the mail to a user. */
async function mailTo(address: string, count = 1): Promise<string> {
  for (;;) {
    const found = mail.received.filter(({ to }) => to.includes(address));
    if (found.length >= count) return found.at(-1)?.text ?? '';
    await pause();
  }
}

async function openLink(link: string, browser = new Browser(auth)) {
  const response = await browser.ask(link);
  const page = await response.text();
  const { proof } = fieldsOf(page);
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const send = async (form: Record<string, string> = {}, by = browser) => {
    const sent = await by.ask(RESET, { proof, token, 'new-password': NEW, 'repeated-password': NEW, ...form });
    return { status: sent.status, page: await sent.text() };
  };
  return { status: response.status, page, send, token };
}

// Asserts contract/tokens.md#forgotten-password.
test('a link in a mail leads to a new password, once, and ends the logins of the user', async () => {
  const username = await newUser();
  const login = await logIn(username);
  const { page: loginPage } = await loginPages(() => auth).open();
  expect(loginPage).toContain(`<a href="${FORGOT}">Forgot your password?</a>`);
  expect(await request(username)).toMatchObject({ status: 200, page: expect.stringContaining('Check your e-mail') });
  const text = await mailTo(`${username}@example.com`);
  expect(text).toContain('Subject: A new password for lintel.example');
  const link = linkIn(text);
  const { send, token } = await openLink(link);
  const [stored] = await testDatabase.query<{ row: string }>(
    'SELECT row_to_json(r)::text AS row FROM auth.password_reset AS r WHERE username = $1',
    [username],
  );
  expect(stored?.row).not.toContain(token);
  expect((await send({ 'repeated-password': 'other' })).page).toContain('are not the same');
  expect((await send({ 'new-password': 'x', 'repeated-password': 'x' })).page).toContain('too short');
  expect((await send()).page).toContain('has changed');
  await auth.userChanged(username);
  while ((await auth.internal('/exchange', { token: login.json.access_token })).status !== 401) await pause();
  expect((await logIn(username)).status).toBe(400);
  expect((await logIn(username, NEW)).status).toBe(200);
  const another = { 'new-password': 'words of a thief', 'repeated-password': 'words of a thief' };
  expect(await send(another)).toMatchObject({ status: 400, page: expect.stringContaining('has expired') });
  expect(await openLink(link)).toMatchObject({ status: 400, page: expect.stringContaining('Request another link') });
  expect((await logIn(username, NEW)).status).toBe(200);
});

// Asserts contract/user.md#password-change.
test('an administrator invites a user: the link leads to a password; without an address nothing changes', async () => {
  const username = await newUser();
  await testDatabase.query(`UPDATE sec."user" SET locale = 'de' WHERE username = $1`, [username]);
  const invite = (name: string) =>
    auth.internal('/passwords/require-change', { username: name, by: 'admin', mail: true });
  expect((await invite(username)).status).toBe(200);
  const text = await mailTo(`${username}@example.com`);
  expect(text).toContain('Subject: Eine Einladung zu lintel.example');
  expect((await logIn(username)).status).toBe(400);
  const { send } = await openLink(linkIn(text));
  expect((await send()).page).toContain('has changed');
  expect((await logIn(username, NEW)).status).toBe(200);

  const alone = await newUser(null);
  const refused = await invite(alone);
  expect([refused.status, refused.json.details]).toEqual([
    400,
    expect.stringMatching(/^mail: the user must be active/),
  ]);
  expect((await logIn(alone)).status).toBe(200);
  for (let sent = 1; sent < 3; sent++) expect((await invite(username)).status).toBe(200);
  expect((await invite(username)).status).toBe(400);

  // Requests of anyone leave the administrator's share alone.
  const besieged = await newUser();
  for (let sent = 1; sent <= 3; sent++) {
    await request(besieged);
    await mailTo(`${besieged}@example.com`, sent);
  }
  expect((await invite(besieged)).status).toBe(200);
});

// Asserts contract/tokens.md#forgotten-password.
test('of two uses at a time one succeeds', async () => {
  const username = await newUser();
  await request(username);
  const link = linkIn(await mailTo(`${username}@example.com`));
  const [one, two] = [await openLink(link), await openLink(link)];
  const sent = await Promise.all([
    one.send({ 'new-password': 'words of the first', 'repeated-password': 'words of the first' }),
    two.send({ 'new-password': 'words of another', 'repeated-password': 'words of another' }),
  ]);
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 400]);
});

// Asserts contract/tokens.md#forgotten-password.
test('the response is the same for unknown users, and for those without an address or a password; nothing is sent', async () => {
  const known = await newUser();
  const nowhere = await newUser(null);
  const several = await newUser('a@example.com, b@example.com');
  const foreign = await newUser();
  await testDatabase.query('UPDATE sec."user" SET password = NULL WHERE username = $1', [foreign]);
  const before = mail.received.length;
  const names = ['nobody', 'nobody@example.com', '', 'a\0b', nowhere, several, foreign, known];
  const responses = [];
  for (const name of names) responses.push(await request(name));
  const pageOf = (page: string) => page.replace(/value="[^"]*"/g, '');
  expect(new Set(responses.map(({ status, page }) => `${status} ${pageOf(page)}`)).size).toBe(1);
  await mailTo(`${known}@example.com`);
  expect(mail.received.length).toBe(before + 1);
});

// Asserts contract/tokens.md#forgotten-password.
test('an e-mail address that one user has leads to this user', async () => {
  const username = await newUser();
  await request(`${username.toUpperCase()}@EXAMPLE.com`);
  expect(linkIn(await mailTo(`${username}@example.com`))).toContain(RESET);
  await newUser('shared@example.com');
  await newUser('shared@example.com');
  await request('shared@example.com');
  const other = await newUser();
  await request(other);
  await mailTo(`${other}@example.com`);
  expect(mail.received.some(({ to }) => to.includes('shared@example.com'))).toBe(false);
});

// Asserts contract/tokens.md#forgotten-password.
test.each([
  ['de', 'Ein_neues_Passwort', 'Öffnen Sie innerhalb von 30 Minuten'],
  ['zh-CN', '=?UTF-8?', '请在 30 分钟内打开此链接'],
])('the mail is in the language of the request: %s', async (language, subject, text) => {
  const username = await newUser();
  await request(username, { 'accept-language': language });
  const sent = await mailTo(`${username}@example.com`);
  expect(sent).toContain(subject);
  expect(sent.includes(text) || sent.includes('Content-Transfer-Encoding: base64')).toBe(true);
});

// Asserts contract/tokens.md#forgotten-password.
test('the mail has the texts of the application, in a language that the pages do not have', async () => {
  const username = await newUser();
  const { page } = await request(username, { 'accept-language': 'fr' });
  expect(page).toContain('lang="en"');
  const sent = await mailTo(`${username}@example.com`);
  expect(sent).toContain('Subject: Acme (lintel.example)');
  expect(sent).toContain('Bonjour http://lintel.example/');
  expect(sent).toContain('- 30 min');
});

test('a link ends with a newer one, with another password or e-mail address, and with its time', async () => {
  const username = await newUser();
  await request(username);
  const first = linkIn(await mailTo(`${username}@example.com`));
  await request(username);
  const second = linkIn(await mailTo(`${username}@example.com`, 2));
  expect((await openLink(first)).status).toBe(400);
  expect((await openLink(second)).status).toBe(200);
  await testDatabase.query(`UPDATE auth.password_reset SET expires_at = now() WHERE username = $1`, [username]);
  expect((await openLink(second)).status).toBe(400);
  await request(username);
  const third = linkIn(await mailTo(`${username}@example.com`, 3));
  const [stored] = await testDatabase.query<{ password: string }>(
    'SELECT password FROM sec."user" WHERE username = $1',
    [username],
  );
  const former = stored?.password;
  await testDatabase.query('UPDATE sec."user" SET password = password || $2 WHERE username = $1', [username, 'x']);
  expect((await openLink(third)).status).toBe(400);
  await testDatabase.query('UPDATE sec."user" SET password = $2 WHERE username = $1', [username, former]);
  expect((await openLink(third)).status).toBe(200);
  // Mails to the former address perhaps reached another person.
  await testDatabase.query('UPDATE sec."user" SET email = $2 WHERE username = $1', [username, 'own@example.com']);
  expect((await openLink(third)).status).toBe(400);
  for (const token of ['', 'unknown', '%00']) expect((await openLink(`${RESET}?token=${token}`)).status).toBe(400);
});

// Asserts contract/tokens.md#forgotten-password.
test('forms of another site or another browser change nothing', async () => {
  const username = await newUser();
  await request(username);
  const link = linkIn(await mailTo(`${username}@example.com`));
  const { send } = await openLink(link);
  expect((await send({}, new Browser(auth))).page).toContain('This page has expired');
  expect((await send({ proof: '' })).page).toContain('This page has expired');
  const forged = await new Browser(auth).ask(FORGOT, { name: username });
  expect(forged.status).toBe(400);
  expect((await logIn(username)).status).toBe(200);
});

// Asserts contract/tokens.md#forgotten-password.
test('a user gets three mails an hour; the response stays the same', async () => {
  const username = await newUser();
  const pages = [];
  for (let at = 0; at < 5; at += 1) pages.push((await request(username)).status);
  expect(pages).toEqual([200, 200, 200, 200, 200]);
  const other = await newUser();
  await request(other);
  await mailTo(`${other}@example.com`);
  await mailTo(`${username}@example.com`, 3);
  expect(mail.received.filter(({ to }) => to.includes(`${username}@example.com`))).toHaveLength(3);
});

// Asserts contract/tokens.md#forgotten-password.
test('an error of the mail server is logged without the user', async () => {
  const username = await newUser();
  mail.refuse(true);
  expect((await request(username)).status).toBe(200);
  while (!auth.log.some((line) => line.includes('a mail was not sent'))) await pause();
  mail.refuse(false);
  expect(auth.log.join('')).not.toMatch(/@example\.com|mailbox/);
});

// Asserts contract/tokens.md#forgotten-password.
test('an address that requests too many gets 429', async () => {
  const statuses = [];
  for (let at = 0; at < 31; at += 1) statuses.push((await request(`name ${at}`)).status);
  expect(statuses.at(-1)).toBe(429);
});

// Asserts contract/tokens.md#forgotten-password.
test('without a mail server there are no such pages', async () => {
  const other = await startAuth(testDatabase);
  expect((await fetch(`${other.url}${FORGOT}`)).status).toBe(404);
  await other.close();
});
