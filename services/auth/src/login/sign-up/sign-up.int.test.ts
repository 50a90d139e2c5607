import type { TestDatabase } from '@lintel/testkit';
import { startMailServer } from '@lintel/testkit/mail-server';
import { Browser, CALLBACK, fieldsOf, loginPages } from '../../../test/login-pages.ts';
import { addAssignment, createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client.web';
const SIGN_UP = '/as-login/sign-up';
const CONFIRM = `${SIGN_UP}/confirm`;
const NEW = 'several words of mine';

let testDatabase: TestDatabase;
let auth: RunningAuth;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let properties: Record<string, string>;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  mail = await startMailServer();
  properties = {
    ...mail.properties,
    'svc.authserver.issuer': 'http://lintel.example',
    [`${CLIENT}.client-id`]: 'web',
    [`${CLIENT}.client-secret`]: 'secret',
    [`${CLIENT}.grant-types`]: 'authorization_code',
    [`${CLIENT}.redirect-uris`]: CALLBACK,
    'svc.auth.sign-up.enabled': 'true',
    'svc.auth.sign-up.domains': 'acme.example, Example.com',
    'svc.auth.sign-up.resource-roles': 'rest-minimal,customer',
    'svc.auth.sign-up.row-level-roles': 'own-orders',
  };
  auth = await startAuth(testDatabase, { properties });
});
afterAll(async () => {
  await auth?.close();
  await mail?.close();
  await testDatabase?.drop();
});

const logIn = (username: string, password: string) =>
  auth.post('/oauth/token', { grant_type: 'password', username, password });
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

async function request(email: string) {
  const browser = new Browser(auth);
  const { proof } = fieldsOf(await (await browser.ask(SIGN_UP)).text());
  const response = await browser.ask(SIGN_UP, { proof, email });
  return { status: response.status, page: await response.text() };
}
async function mailTo(address: string): Promise<string> {
  for (;;) {
    const found = mail.received.find(({ to }) => to.includes(address));
    if (found !== undefined) return found.text;
    await pause();
  }
}
const linkIn = (text: string): string => /http:\/\/lintel\.example(\/\S+)/.exec(text)?.[1] ?? '';

async function openLink(link: string, browser = new Browser(auth)) {
  const response = await browser.ask(link);
  const page = await response.text();
  const { proof } = fieldsOf(page);
  const token = new URL(link, auth.url).searchParams.get('token') ?? '';
  const send = async (form: Record<string, string> = {}, by = browser) => {
    const sent = await by.ask(CONFIRM, { proof, token, 'new-password': NEW, 'repeated-password': NEW, ...form });
    return { status: sent.status, page: await sent.text() };
  };
  return { status: response.status, page, send };
}

// Asserts contract/tokens.md#sign-up.
test('a confirmed address becomes a user with the configured roles, once', async () => {
  const { page: loginPage } = await loginPages(() => auth).open();
  expect(loginPage).toContain(`<a href="${SIGN_UP}">Create a user</a>`);
  expect((await request(' Ada@Example.com')).page).toContain('Check your e-mail');
  const link = linkIn(await mailTo('ada@example.com'));
  expect((await logIn('ada@example.com', NEW)).status).toBe(400);
  const { page, send } = await openLink(link);
  expect(page).toContain('Your user name is ada@example.com.');
  expect((await send({ 'repeated-password': 'other' })).page).toContain('are not the same');
  expect((await send({ 'new-password': 'ada@example.com', 'repeated-password': 'ada@example.com' })).page).toContain(
    'almost a name',
  );
  expect((await send()).page).toContain('Your user is ready');
  expect((await logIn('ada@example.com', NEW)).status).toBe(200);
  const roles = await testDatabase.query(
    `SELECT role_code, role_type FROM sec.role_assignment WHERE username = 'ada@example.com' ORDER BY 1`,
  );
  expect(roles).toEqual([
    { role_code: 'customer', role_type: 'resource' },
    { role_code: 'own-orders', role_type: 'row-level' },
    { role_code: 'rest-minimal', role_type: 'resource' },
  ]);
  expect((await send({ 'new-password': 'words of a thief', 'repeated-password': 'words of a thief' })).status).toBe(
    400,
  );
  expect((await openLink(link)).status).toBe(400);
  expect((await logIn('ada@example.com', NEW)).status).toBe(200);
});

test('an address that roles are assigned to does not become a user, who would have them', async () => {
  await addAssignment(testDatabase, 'former@example.com', 'system-full-access');
  await request('former@example.com');
  expect(await mailTo('former@example.com')).toContain('but you have one');
});

// Asserts contract/tokens.md#sign-up.
test('a disabled user does not become another one, by a name in another case or by the e-mail address', async () => {
  await auth.addUser('Doris@Example.com', { active: false });
  await auth.addUser('emil', { active: false });
  await testDatabase.query(`UPDATE sec."user" SET email = 'Emil@example.com' WHERE username = 'emil'`);
  for (const email of ['doris@example.com', 'emil@example.com']) {
    await request(email);
    expect(await mailTo(email)).toContain('but you have one');
  }
});

// Asserts contract/tokens.md#sign-up.
test('the response is the same for users, for other domains and for what is no address; a user gets a hint', async () => {
  await auth.addUser('bert@example.com');
  const before = mail.received.length;
  const emails = [
    'bert@example.com',
    'eve@evil.example',
    'eve@sub.example.com',
    'eve@evil.example@example.com',
    'eve%evil.example@example.com',
    'evil.example!eve@example.com',
    'x',
    '',
    'a\0@example.com',
    'a@b, c@example.com',
  ];
  const responses = [];
  for (const email of emails) responses.push(await request(email));
  const pageOf = (page: string) => page.replace(/value="[^"]*"/g, '');
  expect(new Set(responses.map(({ status, page }) => `${status} ${pageOf(page)}`)).size).toBe(1);
  expect(await mailTo('bert@example.com')).toContain('but you have one');
  await request('last@example.com');
  await mailTo('last@example.com');
  expect(mail.received.length).toBe(before + 2);
});

// Asserts contract/tokens.md#sign-up.
test('forms of another site or another browser, and changed links, create nothing', async () => {
  await request('carl@example.com');
  const link = linkIn(await mailTo('carl@example.com'));
  const { send } = await openLink(link);
  expect((await send({}, new Browser(auth))).page).toContain('This page has expired');
  expect((await send({ proof: '' })).page).toContain('This page has expired');
  expect((await new Browser(auth).ask(SIGN_UP, { email: 'carl@example.com' })).status).toBe(400);
  for (const token of ['', 'x', `${link.split('token=')[1]?.slice(0, -4)}AAAA`]) {
    expect((await openLink(`${CONFIRM}?token=${token}`)).status).toBe(400);
    expect((await send({ token })).status).toBe(400);
  }
  expect((await logIn('carl@example.com', NEW)).status).toBe(400);
});

// Asserts contract/tokens.md#sign-up.
test('of two uses at a time one creates the user', async () => {
  await request('dora@example.com');
  const link = linkIn(await mailTo('dora@example.com'));
  const [one, two] = [await openLink(link), await openLink(link)];
  const sent = await Promise.all([
    one.send(),
    two.send({ 'new-password': 'other words', 'repeated-password': 'other words' }),
  ]);
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 400]);
});

// Asserts contract/tokens.md#sign-up.
test('an address that requests too many gets 429', async () => {
  const statuses = [];
  for (let at = 0; at < 31; at += 1) statuses.push((await request(`name${at}@evil.example`)).status);
  expect(statuses.at(-1)).toBe(429);
});

// Asserts contract/tokens.md#sign-up.
test('without a mail server, or with a database login that cannot create users, the start is refused', async () => {
  const { 'svc.mail.smtp-host': _, ...withoutServer } = properties;
  const { 'svc.mail.from': __, ...withoutSender } = properties;
  await expect(startAuth(testDatabase, { properties: withoutServer })).rejects.toThrow(
    /svc\.auth\.sign-up\.enabled: needs svc\.mail\.smtp-host/,
  );
  await expect(startAuth(testDatabase, { properties: withoutSender })).rejects.toThrow(/svc\.mail\.from: is needed/);
  const role = testDatabase.name;
  await testDatabase.query(`CREATE ROLE "${role}" LOGIN PASSWORD 'secret' IN ROLE lintel_sec_reader`);
  await testDatabase.query(`GRANT USAGE ON SCHEMA auth TO "${role}"`);
  const url = new URL(testDatabase.url);
  Object.assign(url, { username: role, password: 'secret' });
  await expect(startAuth(testDatabase, { properties, databaseUrl: url.href })).rejects.toThrow(
    /svc\.auth\.sign-up\.enabled: .*lintel_federation/,
  );
  await testDatabase.query(`DROP OWNED BY "${role}" CASCADE`);
  await testDatabase.query(`DROP ROLE "${role}"`);
});

// Asserts contract/tokens.md#sign-up.
test('it is off unless it is switched on', async () => {
  const { 'svc.auth.sign-up.enabled': _, ...others } = properties;
  const other = await startAuth(testDatabase, { properties: others });
  expect((await fetch(`${other.url}${SIGN_UP}`)).status).toBe(404);
  await other.close();
});
