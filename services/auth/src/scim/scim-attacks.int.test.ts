import { randomUUID } from 'node:crypto';
import { hashPassword } from '@lintel/passwords';
import type { TestDatabase } from '@lintel/testkit';
import { createScimClient, USER } from '../../test/scim-client.ts';
import { App } from '../../test/second-factor-pages.ts';
import { addAssignment, createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const TOKEN = 'a-token-of-the-identity-provider';
const PROPERTIES = {
  'svc.scim.token': TOKEN,
  'svc.scim.former-token': TOKEN.toUpperCase(),
  'svc.scim.resource-roles': '*=rest-minimal',
};

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, { properties: PROPERTIES });
  await auth.addUser('template');
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { send, createUser, patch } = createScimClient(() => auth.url, TOKEN);
const isOpen = async (token: string) => (await auth.internal('/exchange', { token })).status === 200;

describe('only the token of SCIM', () => {
  const USERS = '/Users';

  // Asserts contract/tokens.md#scim.
  test('is accepted, also the former one; it opens nothing else', async () => {
    expect((await send('GET', USERS, undefined, { authorization: `Bearer ${TOKEN.toUpperCase()}` })).status).toBe(200);
    expect(await isOpen(TOKEN)).toBe(false);
    const logout = await fetch(`${auth.url}/oauth2/userinfo`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(logout.status).toBe(401);
  });

  // Asserts contract/tokens.md#scim.
  test('tokens of users, of clients and of other installations are refused before the body is read', async () => {
    const user = (
      await auth.post('/oauth/token', { grant_type: 'password', username: 'template', password: 'template' })
    ).json;
    const tokens = [
      user.access_token,
      user.refresh_token,
      `${TOKEN}x`,
      'x',
      'a-token-of-another-installation-of-lintel',
    ];
    for (const token of tokens) {
      const refused = await send('POST', USERS, '{', {
        authorization: `Bearer ${token}`,
        'x-forwarded-for': '192.0.2.7',
      });
      expect([token === 'x' ? 'x' : '', refused.status]).toEqual([token === 'x' ? 'x' : '', 401]);
      expect(refused.headers.get('www-authenticate')).toContain('Bearer');
    }
    for (const authorization of ['', TOKEN, `Basic ${Buffer.from(`scim:${TOKEN}`).toString('base64')}`])
      expect((await send('GET', USERS, undefined, { authorization })).status).toBe(401);
    expect(auth.log.join()).toContain('security.provisioning.refused');
    expect(auth.log.join()).not.toContain(TOKEN);
  });

  // Asserts contract/tokens.md#scim.
  test('guesses of one address are limited; the provider at its known address goes on', async () => {
    const guarded = await startAuth(testDatabase, {
      properties: { ...PROPERTIES, 'bruteForce.maxPerAddress': 3 },
    });
    try {
      const at = createScimClient(() => guarded.url, TOKEN);
      const known = { 'x-forwarded-for': '192.0.2.1' };
      expect((await at.send('GET', USERS, undefined, known)).status).toBe(200);
      const statuses: number[] = [];
      for (const address of ['192.0.2.1', '192.0.2.66'])
        for (let guess = 0; guess < 4; guess += 1) {
          const headers = { authorization: `Bearer guess-${guess}`, 'x-forwarded-for': address };
          statuses.push((await at.send('GET', USERS, undefined, headers)).status);
        }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 401, 429]);
      expect((await at.send('GET', USERS, undefined, { 'x-forwarded-for': '192.0.2.66' })).status).toBe(429);
      expect((await at.send('GET', USERS, undefined, known)).status).toBe(200);
    } finally {
      await guarded.close();
    }
  });

  // Asserts contract/tokens.md#scim.
  test('without a token there is no SCIM; a short one stops the start', async () => {
    const off = await startAuth(testDatabase);
    try {
      expect((await createScimClient(() => off.url, TOKEN).send('GET', USERS)).status).toBe(404);
    } finally {
      await off.close();
    }
    await expect(startAuth(testDatabase, { properties: { 'svc.scim.token': 'short' } })).rejects.toThrow(
      /svc\.scim\.token/,
    );
  });
});

// Asserts contract/tokens.md#scim.
test('unknown attributes give no password and no role', async () => {
  const { json: user } = await createUser({
    password: 'secret',
    passwordHash: 'x',
    roles: [{ value: 'system-full-access' }],
    entitlements: ['system-full-access'],
    groups: [{ value: randomUUID() }],
    id: randomUUID(),
    version: 7,
    __proto__: { active: false },
  });
  await patch(`/Users/${user.id}`, [
    { op: 'replace', value: { password: 'x', roles: ['system-full-access'], resourceRoles: ['system-full-access'] } },
  ]);
  const [row] = await testDatabase.query('SELECT password FROM sec."user" WHERE id = $1', [user.id]);
  expect(row).toEqual({ password: null });
  const roles = await testDatabase.query('SELECT role_code FROM sec.role_assignment WHERE username = $1', [
    user.userName,
  ]);
  expect(roles).toEqual([{ role_code: 'rest-minimal' }]);
});

// Asserts contract/tokens.md#scim.
test.each<[string, unknown, number, Record<string, string>]>([
  ['no JSON', '{', 400, {}],
  ['an array', [], 400, {}],
  ['another type', 'x', 415, { 'content-type': 'text/plain' }],
  ['a body above the limit', { schemas: [USER], userName: 'x', title: 'x'.repeat(1024 * 1024) }, 413, {}],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, {}],
  ['no schema', { userName: 'x' }, 400, {}],
  ['a name with NUL', { schemas: [USER], userName: 'a\0b' }, 400, {}],
  ['a name that is an object', { schemas: [USER], userName: {} }, 400, {}],
  ['names that are a text', { schemas: [USER], userName: 'x', name: 'y' }, 400, {}],
  ['addresses that are texts', { schemas: [USER], userName: 'x', emails: ['y'] }, 400, {}],
])('%s is refused and changes nothing', async (_case, body, status, headers) => {
  const count = async () => (await send('GET', '/Users?count=0')).json.totalResults;
  const before = await count();
  const response = await send('POST', '/Users', body, headers);
  expect([response.status, response.json.status]).toEqual([status, String(status)]);
  expect(await count()).toBe(before);
});

test.each([
  ['the year 0', 'meta.created gt "0000-01-01T00:00:00Z"'],
  ['a year above 9999 by its offset', 'meta.created lt "9999-12-31T23:59:59-14:00"'],
  ['a year below 1 by its offset', 'meta.lastModified ge "0001-01-01T00:00:00+14:00"'],
])('a filter with %s is refused, and is no error of the server', async (_case, filter) => {
  for (const path of ['/Users', '/Groups']) {
    const { status, json } = await send('GET', `${path}?filter=${encodeURIComponent(filter)}`);
    expect([path, status, json.scimType]).toEqual([path, 400, 'invalidFilter']);
  }
});

test('a user of a new name does not get roles that were assigned to the name before', async () => {
  await addAssignment(testDatabase, 'left-over', 'system-full-access');
  const { status, json } = await createUser({ userName: 'left-over' });
  expect([status, json.scimType]).toEqual([409, 'uniqueness']);
  const { json: user } = await createUser();
  const renamed = await patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: 'left-over' }]);
  expect(renamed.status).toBe(200);
  const roles = await testDatabase.query(`SELECT role_code FROM sec.role_assignment WHERE username = 'left-over'`);
  expect(roles).toEqual([{ role_code: 'rest-minimal' }]);
});

test.each([true, false])(
  'a user who comes back (active: %s) has neither the password nor the second factor of before: it may be another person',
  async (active) => {
    const { json: user } = await createUser();
    const { userName } = user;
    await testDatabase.query('UPDATE sec."user" SET password = $2 WHERE id = $1', [
      user.id,
      await hashPassword('former'),
    ]);
    const { key, offer } = (await auth.internal('/second-factors/offer', { username: userName })).json;
    const code = new App(key).next();
    await auth.internal('/second-factors/confirm', { username: userName, offer, code, name: 'Phone' });
    await patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: false }]);
    await send('DELETE', `/Users/${user.id}`);
    expect((await createUser({ userName, active })).json).toMatchObject({ id: user.id, active });
    await patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: true }]);
    const { json } = await auth.post('/oauth/token', {
      grant_type: 'password',
      username: userName,
      password: 'former',
    });
    expect(json).toMatchObject({ error: 'invalid_grant', error_description: 'Bad credentials' });
    expect((await auth.internal('/second-factors', { username: userName })).json).toEqual({
      factors: [],
      recoveryCodes: 0,
    });
  },
);

test('a user who comes back has not the history of logins of before', async () => {
  const { json: user } = await createUser();
  const { userName } = user;
  await testDatabase.query(
    `INSERT INTO auth.login_attempt (username, outcome, client_id, address) VALUES ($1, 'succeeded', 'web', '192.0.2.1')`,
    [userName],
  );
  await send('DELETE', `/Users/${user.id}`);
  await createUser({ userName });
  const page = { username: userName, limit: 10, offset: 0 };
  expect((await auth.internal('/user-sessions/history', page)).json).toEqual({ attempts: [] });
});
