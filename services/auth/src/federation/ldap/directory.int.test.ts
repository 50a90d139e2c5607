import type { TestDatabase } from '@lintel/testkit';
import { type Slapd, startSlapd } from '@lintel/testkit/backends';
import { Client } from 'ldapts';
import { CALLBACK, loginPages } from '../../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const SUFFIX = 'dc=acme,dc=example';
const ROOT = `cn=admin,${SUFFIX}`;
const ROOT_PASSWORD = 'password of the administrator';

let slapd: Slapd;
let testDatabase: TestDatabase;
let auth: RunningAuth;
let admin: Client;

const person = (uid: string, more: Record<string, string> = {}) =>
  admin.add(`uid=${uid},ou=people,${SUFFIX}`, {
    objectClass: ['inetOrgPerson'],
    cn: uid,
    sn: 'Hopper',
    givenName: uid,
    mail: `${uid}@acme.example`,
    userPassword: `password of ${uid}`,
    ...more,
  });
const group = (cn: string, members: readonly string[]) =>
  admin.add(`cn=${cn},ou=groups,${SUFFIX}`, { objectClass: 'groupOfNames', cn, member: [...members] });
const dnOf = (uid: string) => `uid=${uid},ou=people,${SUFFIX}`;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  slapd = await startSlapd({ suffix: SUFFIX, rootDn: ROOT, rootPassword: ROOT_PASSWORD });
  admin = new Client({ url: slapd.url });
  await admin.bind(ROOT, ROOT_PASSWORD);
  await admin.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'acme', o: 'Acme' });
  await admin.add(`ou=people,${SUFFIX}`, { objectClass: 'organizationalUnit', ou: 'people' });
  await admin.add(`ou=groups,${SUFFIX}`, { objectClass: 'organizationalUnit', ou: 'groups' });
  for (const uid of ['grace', 'joan', 'clerk', 'gone']) await person(uid);
  await group('sales', [dnOf('grace'), dnOf('gone')]);
  await group('north', [`cn=sales,ou=groups,${SUFFIX}`]);
  // A ring of groups ends.
  await group('loop', [`cn=north,ou=groups,${SUFFIX}`, `cn=loop,ou=groups,${SUFFIX}`]);
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.client.web.client-id': 'web',
      'svc.authserver.client.web.client-secret': 'secret',
      'svc.authserver.client.web.grant-types': 'authorization_code,refresh_token',
      'svc.authserver.client.web.redirect-uris': CALLBACK,
      ...directory('acme', `ldap://127.0.0.1:1, ${slapd.url}`),
      'svc.auth.directory.acme.resource-roles': 'sales=sales-manager, north=north-manager, *=rest-minimal',
      'svc.auth.directory.acme.nested-groups': 'search',
      checkIntervalMs: 0,
      // Longer than a machine may stand still.
      directoryTimeoutMs: 30_000,
      'svc.security.bruteforceprotection.max-login-attempts-number': '1000',
      'bruteForce.maxPerAddress': 100_000,
    },
  });
  await auth.addUser('clerk', { roles: ['by-hand'] });
});
afterAll(async () => {
  await auth.close();
  await admin.unbind();
  await slapd.dispose();
  await testDatabase.drop();
});

// Asserts contract/operations.md#identity-providers.
test('administrators see the directory and its test, without the password', async () => {
  const { json } = await auth.internal('/identity-providers/list', {});
  expect(json.providers).toMatchObject([{ name: 'acme', kind: 'ldap', title: null, addresses: [] }]);
  expect(JSON.stringify(json)).not.toContain(ROOT_PASSWORD);
  const tested = await auth.internal('/identity-providers/test', { name: 'acme' });
  expect(tested.json).toEqual({
    successful: false,
    durationMs: expect.any(Number),
    problems: [{ code: 'connection', message: expect.stringContaining('127.0.0.1:1') }],
  });
  expect((await auth.internal('/identity-providers/test', { name: 'none' })).status).toBe(404);
});

function directory(name: string, urls: string): Record<string, string> {
  const members = {
    urls,
    'bind-dn': ROOT,
    'bind-password': ROOT_PASSWORD,
    'base-dn': `ou=people,${SUFFIX}`,
    'group-base-dn': `ou=groups,${SUFFIX}`,
  };
  return Object.fromEntries(
    Object.entries(members).map(([key, value]) => [`svc.auth.directory.${name}.${key}`, value]),
  );
}

const logIn = (username: string, password = `password of ${username}`) =>
  auth.post('/oauth/token', { grant_type: 'password', username, password });
const exchange = async (token: string) => (await auth.internal('/exchange', { token })).json;

// Asserts contract/tokens.md#providers.
test('a user of the directory is created at the first login, with the roles of groups of groups', async () => {
  const { status, json } = await logIn('grace');
  expect(status).toBe(200);
  const { sessionId } = await exchange(json.access_token);
  const session = await auth.sessions.load(sessionId);
  expect(session).toMatchObject({ username: 'grace', attributes: { firstName: 'grace', email: 'grace@acme.example' } });
  expect(session?.resourceRoles).toEqual(['north-manager', 'rest-minimal', 'sales-manager']);
});

// Asserts contract/tokens.md#providers.
test('the login page accepts the password of the directory', async () => {
  const pages = loginPages(() => auth);
  const { submit } = await pages.open();
  const { left } = await submit({ username: 'joan', password: 'password of joan' });
  const { status, json } = await pages.redeem(left?.searchParams.get('code') ?? '');
  expect(status).toBe(200);
  expect((await exchange(json.access_token)).jwt).toEqual(expect.any(String));
});

// Asserts contract/tokens.md#providers.
test.each([
  ['a wrong password', 'grace', 'wrong'],
  ['an empty password', 'grace', ''],
  ['an unknown user', 'nobody', 'password of nobody'],
  ['a filter in the name', 'gr*', 'password of grace'],
  ['a closed filter in the name', 'grace)(objectClass=*', 'password of grace'],
  ['an open filter in the name', '*)(|(uid=*', 'password of grace'],
  ['NUL in the name', 'grace\0', 'password of grace'],
  ['a DN for a name', `uid=grace,ou=people,${SUFFIX}`, 'password of grace'],
  ['a DN that goes on', `grace,ou=people,${SUFFIX}`, 'password of grace'],
  ['a backslash in the name', 'gra\\63e', 'password of grace'],
  ['a long name', 'g'.repeat(300), 'password of grace'],
  ['a local user of the same name, who is not taken over', 'clerk', 'password of clerk'],
])('%s is bad credentials', async (_case, username, password) => {
  const { status, json } = await logIn(username, password);
  expect([status, json.error_description]).toEqual([400, 'Bad credentials']);
});

test('local passwords go on', async () => {
  expect((await logIn('clerk', 'clerk')).status).toBe(200);
});

test('a user who left a group loses the role, and one who left the directory the session', async () => {
  const { json } = await logIn('gone');
  const { sessionId } = await exchange(json.access_token);
  expect((await auth.sessions.load(sessionId))?.resourceRoles).toContain('sales-manager');
  await admin.del(`cn=sales,ou=groups,${SUFFIX}`);
  await exchange(json.access_token);
  expect((await auth.sessions.load(sessionId))?.resourceRoles).toEqual(['rest-minimal']);
  await admin.del(dnOf('gone'));
  expect(await exchange(json.access_token)).toEqual({ reason: 'invalid' });
});

// Asserts contract/tokens.md#providers.
test('a directory that is away is 503 for logins; sessions go on, and it is used again', async () => {
  const { json } = await logIn('joan');
  await slapd.stop();
  expect((await logIn('joan')).status).toBe(503);
  expect((await logIn('clerk', 'clerk')).status).toBe(200);
  expect((await exchange(json.access_token)).jwt).toEqual(expect.any(String));
  const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
  await testDatabase.query(`UPDATE auth.federated_login SET checked_at = checked_at - interval '1 minute'`);
  for (const _attempt of [1, 2]) expect((await auth.post('/oauth/token', refresh)).status).toBe(503);
  await slapd.start();
  expect((await logIn('joan')).status).toBe(200);
});

test('passwords and DNs are in no line of the log', () => {
  expect(auth.log.join()).not.toMatch(/password of|ou=people/);
});
