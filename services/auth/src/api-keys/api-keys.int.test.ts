import { createHash } from 'node:crypto';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { decodeJwt } from 'jose';
import { addAssignment, createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';
import { createKeyText } from './key-text.ts';

const ROLES = ['rest-minimal', 'sales-manager'];
const DAY_MS = 24 * 3_600_000;

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, { properties: { 'svc.auth.api-keys.max-per-user': '3' } });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

let number = 0;
async function newUser(): Promise<string> {
  number += 1;
  const username = `user${number}`;
  await auth.addUser(username, { roles: ROLES, rowLevelRoles: ['own-region'] });
  return username;
}
const create = (username: string, key: object = {}, resourceRoles = ROLES) =>
  auth.internal('/api-keys/create', { username, resourceRoles, key: { name: 'nightly import', ...key } });
async function created(username: string, key: object = {}) {
  const response = await create(username, key);
  expect([response.status, response.json.details]).toEqual([200, undefined]);
  return response.json as { id: string; key: string; hint: string };
}
const list = async (username: string) => (await auth.internal('/api-keys/list', { username })).json;
const end = async (id: string, username: string, by = username) =>
  (await auth.internal('/api-keys/end', { id, by, username })).json.ended;
const ownerOf = async (id: string) => (await auth.internal('/api-keys/owner', { id })).json.username;
const exchange = (token: string) => auth.internal('/exchange', { token });
const sessionOf = async (token: string) => auth.sessions.load((await exchange(token)).json.sessionId);

// Asserts contract/user.md#api-keys.
test('a key is shown once, stored as a digest, and stands for its user with the roles of the key', async () => {
  const username = await newUser();
  const { key, id, hint } = await created(username, { resourceRoles: ['rest-minimal'] });
  expect([key.startsWith(hint), hint.length]).toEqual([true, 7]);
  const { json } = await exchange(key);
  expect(decodeJwt(json.jwt)).toMatchObject({ sub: username, client_id: `api-key:${id}`, scope: 'rest-api' });
  expect(await auth.sessions.load(json.sessionId)).toMatchObject({
    kind: 'user',
    username,
    resourceRoles: ['rest-minimal'],
    rowLevelRoles: ['own-region'],
  });
  const stored = await testDatabase.query<{ text: string }>('SELECT k::text AS text FROM auth.api_key AS k');
  expect(stored.map(({ text }) => text).join()).not.toContain(key.slice(7));
  expect(stored.map(({ text }) => text).join()).toContain(createHash('sha256').update(key).digest('base64url'));
  expect(auth.log.join('')).not.toContain(key.slice(7));
  expect(await list(username)).toEqual([
    {
      id,
      name: 'nightly import',
      hint,
      resourceRoles: ['rest-minimal'],
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: expect.any(String),
    },
  ]);
});

// Asserts contract/user.md#api-keys.
test('without roles it has those of its user now, and never later ones; a lost role is lost for the key', async () => {
  const username = await newUser();
  const { key } = await created(username);
  expect((await sessionOf(key))?.resourceRoles.toSorted()).toEqual(ROLES);
  await addAssignment(testDatabase, username, 'system-full-access');
  await testDatabase.query(`DELETE FROM sec.role_assignment WHERE username = $1 AND role_code = 'sales-manager'`, [
    username,
  ]);
  await auth.assignmentChanged(username);
  await eventually(async () => expect((await sessionOf(key))?.resourceRoles).toEqual(['rest-minimal']));
});

// Asserts contract/user.md#api-keys.
test('it ends at once when its owner or an administrator ends it, and no one else can', async () => {
  const [username, stranger] = [await newUser(), await newUser()];
  const [first, second] = [await created(username), await created(username)];
  const sessionId = (await exchange(first.key)).json.sessionId;
  expect(await end(first.id, stranger)).toBe(false);
  expect(await end('none', username)).toBe(false);
  auth.published.length = 0;
  expect(await end(first.id, username)).toBe(true);
  expect(auth.published.map(({ type, subject }) => [type, subject])).toContainEqual([
    'auth.session.ended.v1',
    sessionId,
  ]);
  expect([(await exchange(first.key)).json, await auth.sessions.load(sessionId)]).toEqual([
    { reason: 'invalid' },
    undefined,
  ]);
  expect((await exchange(second.key)).status).toBe(200);
  expect([await ownerOf(second.id), await ownerOf('none'), await ownerOf(sessionId)]).toEqual([username, null, null]);
  expect([await end(second.id, username, 'admin'), await end(second.id, username, 'admin')]).toEqual([true, false]);
  expect([await list(username), await ownerOf(second.id)]).toEqual([[], null]);
  expect((await exchange(second.key)).status).toBe(401);
});

// Asserts contract/user.md#api-keys.
test('it ends for good with a user who is disabled, and not with a new password', async () => {
  const username = await newUser();
  const { key } = await created(username);
  const { sessionId } = (await exchange(key)).json;
  await testDatabase.query(`UPDATE sec."user" SET password = 'another' WHERE username = $1`, [username]);
  await auth.userChanged(username);
  await eventually(async () => expect((await exchange(key)).json).toMatchObject({ sessionId }));
  await testDatabase.query('UPDATE sec."user" SET active = false WHERE username = $1', [username]);
  // Before the event as well.
  expect((await exchange(key)).status).toBe(401);
  await auth.userChanged(username);
  await eventually(async () => expect(await auth.sessions.load(sessionId)).toBeUndefined());
  await eventually(async () => expect(await list(username)).toEqual([]));
  await testDatabase.query('UPDATE sec."user" SET active = true WHERE username = $1', [username]);
  expect((await exchange(key)).status).toBe(401);
});

// Asserts contract/user.md#api-keys.
test('another user who gets the name does not get the keys', async () => {
  const username = await newUser();
  const { key, id } = await created(username);
  await testDatabase.query('UPDATE sec."user" SET username = $2 WHERE username = $1', [username, `${username}-left`]);
  await auth.addUser(username);
  expect([(await exchange(key)).status, await list(username), await end(id, username)]).toEqual([401, [], false]);
});

// Asserts contract/user.md#api-keys.
test('it expires, is reported as expired, and leaves no session', async () => {
  const username = await newUser();
  const { key } = await created(username);
  const { sessionId } = (await exchange(key)).json;
  await testDatabase.query(`UPDATE auth.api_key SET expires_at = now() - interval '1 second' WHERE username = $1`, [
    username,
  ]);
  expect((await exchange(key)).json).toEqual({ reason: 'expired' });
  expect(await auth.sessions.load(sessionId)).toBeUndefined();
});

// Asserts contract/user.md#api-keys.
test.each([
  ['an unknown key', () => createKeyText()],
  [
    'a key with a changed character',
    (key: string) => `${key.slice(0, 10)}${key[10] === 'a' ? 'b' : 'a'}${key.slice(11)}`,
  ],
  ['a key without its end', (key: string) => key.slice(0, -1)],
  ['a key with more', (key: string) => `${key}0`],
  ['the id of a key', (_key: string, id: string) => `lk_${id}`],
  ['the digest of a key', (key: string) => `lk_${createHash('sha256').update(key).digest('base64url')}`],
])('%s is refused as any unknown token', async (_case, change) => {
  const { key, id } = await created(await newUser());
  const response = await exchange(change(key, id));
  expect([response.status, response.json]).toEqual([401, { reason: 'invalid' }]);
});

// Asserts contract/user.md#api-keys.
test('it is no token of OAuth: not refreshed, revoked, described or logged out', async () => {
  const { key } = await created(await newUser());
  expect((await auth.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: key })).status).toBe(400);
  expect((await auth.post('/oauth2/introspect', { token: key })).json).toEqual({ active: false });
  expect((await auth.post('/oauth2/revoke', { token: key })).status).toBe(200);
  const headers = { authorization: `Bearer ${key}` };
  await fetch(`${auth.url}/logout`, { method: 'POST', headers });
  expect((await fetch(`${auth.url}/oauth2/userinfo`, { headers })).status).toBe(401);
  expect((await exchange(key)).status).toBe(200);
});

// Asserts contract/user.md#api-keys.
test.each<[string, object, number, RegExp]>([
  ['no name', { name: '' }, 400, /^name: /],
  ['a name with a line break', { name: 'a\nb' }, 400, /^name: /],
  [
    'a role that the caller does not have',
    { resourceRoles: ['system-full-access'] },
    403,
    /^resourceRoles: .*system-full-access/,
  ],
  ['an end in the past', { expiresAt: '2026-01-01T00:00:00Z' }, 400, /^expiresAt: /],
  [
    'an end after the maximum',
    { expiresAt: new Date(Date.now() + 400 * DAY_MS).toISOString() },
    400,
    /^expiresAt: .* at the latest/,
  ],
  ['a time that is none', { expiresAt: 'never' }, 400, /^expiresAt: /],
  ['a key of its own', { key: 'lk_chosen' }, 400, /key/],
])('%s is refused', async (_case, key, status, details) => {
  const username = await newUser();
  const response = await create(username, key);
  expect([response.status, response.json.details]).toEqual([status, expect.stringMatching(details)]);
  expect(await list(username)).toEqual([]);
});

/** Uses of keys of a user as the user and administrators see them, the oldest first. */
async function usesOf(username: string, amount: number) {
  const history = async () =>
    (await auth.internal('/user-sessions/history', { username, limit: 50, offset: 0 })).json.attempts as object[];
  await eventually(async () => expect(await history()).toHaveLength(amount));
  return (await history()).toReversed();
}
const recordsOf = (text: string) =>
  auth.log.filter((line) => line.includes('security.api-key.') && line.includes(text)).map((line) => JSON.parse(line));

// Asserts contract/user.md#api-keys.
test('the history of its user has its first use, and uses after its end, each once an hour for an address', async () => {
  const username = await newUser();
  const { key, id } = await created(username);
  const from = (address: string) => auth.internal('/exchange', { token: key, address });
  const use = { method: 'api-key', clientId: `api-key:${id}`, provider: null, at: expect.any(String) };
  for (const address of ['192.0.2.1', '192.0.2.2']) expect((await from(address)).status).toBe(200);
  expect(await usesOf(username, 1)).toEqual([{ ...use, outcome: 'succeeded', address: '192.0.2.1' }]);
  await end(id, username);
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.9']) expect((await from(address)).status).toBe(401);
  expect((await usesOf(username, 3)).slice(1)).toEqual(
    expect.arrayContaining(['192.0.2.1', '192.0.2.9'].map((address) => ({ ...use, outcome: 'refused', address }))),
  );
  const refused = { name: 'security.api-key.refused', username, clientId: `api-key:${id}`, reason: 'ended' };
  expect(recordsOf(`api-key:${id}`)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...refused, address: '192.0.2.1' }),
      expect.objectContaining({ ...refused, address: '192.0.2.9' }),
    ]),
  );
  expect(auth.log.join('')).not.toContain(key.slice(7));
});

// Asserts contract/user.md#api-keys.
test('an expired key is recorded as that of its user, also after another one has replaced it', async () => {
  const username = await newUser();
  const { key, id } = await created(username);
  await testDatabase.query(`UPDATE auth.api_key SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
  const from = (address: string) => auth.internal('/exchange', { token: key, address });
  expect((await from('192.0.2.1')).json).toEqual({ reason: 'expired' });
  await usesOf(username, 1);
  await created(username);
  expect((await from('192.0.2.2')).json).toEqual({ reason: 'invalid' });
  expect(await usesOf(username, 2)).toMatchObject(
    ['192.0.2.1', '192.0.2.2'].map((address) => ({ outcome: 'refused', address })),
  );
  expect(recordsOf(`api-key:${id}`).map(({ reason }) => reason)).toEqual(['expired', 'expired']);
});

// Asserts contract/user.md#api-keys.
test('a key of a disabled user is recorded as such', async () => {
  const username = await newUser();
  const { key } = await created(username);
  await testDatabase.query('UPDATE sec."user" SET active = false WHERE username = $1', [username]);
  expect((await exchange(key)).status).toBe(401);
  expect(await usesOf(username, 1)).toMatchObject([{ outcome: 'disabled', address: null }]);
});

// Asserts contract/user.md#api-keys.
test('unknown keys and texts that are none are security events with their address only', async () => {
  const unknown = createKeyText();
  await auth.internal('/exchange', { token: unknown, address: '192.0.2.77' });
  await auth.internal('/exchange', { token: 'lk_none', address: '192.0.2.77' });
  await eventually(async () => expect(recordsOf('192.0.2.77')).toHaveLength(2));
  for (const record of recordsOf('192.0.2.77')) {
    expect(record).toMatchObject({ name: 'security.api-key.unknown', address: '192.0.2.77' });
    expect(record).not.toHaveProperty('username');
  }
  expect(auth.log.join('')).not.toContain(unknown.slice(3));
});

// Asserts contract/user.md#api-keys.
test('a user has a limited number of keys, also of those that are created at the same time', async () => {
  const username = await newUser();
  const statuses = (await Promise.all([1, 2, 3, 4, 5].map(() => create(username)))).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 200, 200, 400, 400]);
});
