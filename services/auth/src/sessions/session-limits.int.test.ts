import { eventually, type TestDatabase } from '@lintel/testkit';
import { addAssignment, createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';
import { hashToken } from '../hash-token.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: { maxSessionsPerUser: 3, maxTokensPerClient: 3 },
  });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const login = async (username: string) =>
  (await auth.post('/oauth/token', { grant_type: 'password', username, password: username })).json;
const statusOf = async (token: string) => (await auth.internal('/exchange', { token })).status;
const refresh = (token: string) => auth.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
const securityLines = (name: string) =>
  auth.log.map((line) => JSON.parse(line)).filter((line) => line.name === `security.${name}`);

test('a login above the limit of a user ends the oldest, with its tokens', async () => {
  await auth.addUser('anna');
  await auth.addUser('bert');
  const other = await login('bert');
  const oldest = await login('anna');
  // Logins of the same second have no defined order.
  await testDatabase.query(
    `UPDATE auth.oidc_model SET payload = payload || '{"startedAt": 1}' WHERE model = 'Login' AND id = $1`,
    [oldest['OAuth2.SESSION_ID']],
  );
  const later = [await login('anna'), await login('anna')];
  expect(await statusOf(oldest.access_token)).toBe(200);
  later.push(await login('anna'));
  expect(await statusOf(oldest.access_token)).toBe(401);
  expect((await refresh(oldest.refresh_token)).status).toBe(400);
  for (const { access_token: token } of [...later, other]) expect(await statusOf(token)).toBe(200);
  expect(auth.published.map(({ type, subject }) => [type, subject])).toEqual(
    expect.arrayContaining([
      ['auth.session.ended.v1', oldest['OAuth2.SESSION_ID']],
      ['auth.token.revoked.v1', oldest['OAuth2.SESSION_ID']],
    ]),
  );
  expect(securityLines('sessions.limited')).toEqual([expect.objectContaining({ username: 'anna', amount: 1 })]);
  expect(await auth.sessions.idsOf('anna')).toHaveLength(3);
});

test('logins that have expired do not count, and are removed with the next one', async () => {
  await auth.addUser('dora');
  const alive = [await login('dora'), await login('dora')];
  const expired = await login('dora');
  await testDatabase.query(
    `UPDATE auth.oidc_model SET expires_at = now() - interval '1 second' WHERE model = 'Login' AND id = $1`,
    [expired['OAuth2.SESSION_ID']],
  );
  alive.push(await login('dora'));
  for (const { access_token: token } of alive) expect(await statusOf(token)).toBe(200);
  expect(securityLines('sessions.limited').filter(({ username }) => username === 'dora')).toEqual([]);
  const rows = await testDatabase.query(`SELECT id FROM auth.oidc_model WHERE model = 'Login' AND uid = 'dora'`);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(alive.map((each) => each['OAuth2.SESSION_ID']).toSorted());
});

test.each(['integration', 'signed-service'])(
  'a token of the client %s above its limit ends the oldest; revoked ones are not counted',
  async (clientId) => {
    const client = `${clientId}:secret`;
    const issue = async (): Promise<string> =>
      (await auth.post('/oauth2/token', { grant_type: 'client_credentials' }, { client })).json.access_token;
    const oldest = await issue();
    const tokens = [await issue()];
    expect((await auth.post('/oauth2/revoke', { token: await issue() }, { client })).status).toBe(200);
    tokens.push(await issue());
    expect(await statusOf(oldest)).toBe(200);
    auth.published.length = 0;
    tokens.push(await issue());
    expect(await statusOf(oldest)).toBe(401);
    for (const token of tokens) expect(await statusOf(token)).toBe(200);
    const types = auth.published.map(({ type }) => type);
    expect(types.toSorted()).toEqual(['auth.session.ended.v1', 'auth.token.revoked.v1']);
    expect(securityLines('sessions.limited')).toContainEqual(expect.objectContaining({ clientId, amount: 1 }));
  },
);

test('all logins of a user follow a changed role with a number of statements that does not depend on theirs', async () => {
  const limitless = await startAuth(testDatabase, {
    properties: { maxSessionsPerUser: 100_000 },
  });
  try {
    await limitless.addUser('emil');
    const form = { grant_type: 'password', username: 'emil', password: 'emil' };
    const ids: string[] = [];
    for (let at = 0; at < 30; at += 1) ids.push((await limitless.post('/oauth/token', form)).json['OAuth2.SESSION_ID']);
    await addAssignment(testDatabase, 'emil', 'sales-clerk');
    limitless.published.length = 0;
    const query = limitless.database.query.bind(limitless.database);
    let statements = 0;
    Object.assign(limitless.database, {
      query(...given: Parameters<typeof query>) {
        statements += 1;
        return query(...given);
      },
    });
    await limitless.userChanged('emil');
    await eventually(async () =>
      expect(limitless.published.map(({ type, subject }) => `${type} ${subject}`).toSorted()).toEqual(
        ids.map((id) => `auth.session.changed.v1 ${id}`).toSorted(),
      ),
    );
    for (const id of ids) expect((await limitless.sessions.load(id))?.resourceRoles).toContain('sales-clerk');
    expect(statements).toBeLessThan(15);
  } finally {
    await limitless.close();
  }
});

test('all logins of a disabled user end with a number of statements that does not depend on theirs', async () => {
  const limitless = await startAuth(testDatabase, {
    properties: { maxSessionsPerUser: 100_000 },
  });
  try {
    await limitless.addUser('carl');
    const form = { grant_type: 'password', username: 'carl', password: 'carl' };
    const tokens = [];
    for (let at = 0; at < 30; at += 1) tokens.push((await limitless.post('/oauth/token', form)).json);
    await testDatabase.query(`UPDATE sec."user" SET active = false WHERE username = 'carl'`);
    const query = limitless.database.query.bind(limitless.database);
    let statements = 0;
    Object.assign(limitless.database, {
      query(...given: Parameters<typeof query>) {
        statements += 1;
        return query(...given);
      },
    });
    await limitless.userChanged('carl');
    await eventually(async () => expect(await limitless.sessions.idsOf('carl')).toEqual([]));
    await eventually(async () => {
      const rows = await testDatabase.query(`SELECT 1 FROM auth.oidc_model WHERE model IN ('RefreshToken', 'Grant')
        AND payload->>'accountId' = 'carl'`);
      expect(rows).toEqual([]);
    });
    expect(statements).toBeLessThan(15);
    await eventually(async () =>
      expect(limitless.published).toEqual([
        expect.objectContaining({ type: 'auth.session.ended.v1', data: expect.objectContaining({ username: 'carl' }) }),
        expect.objectContaining({ type: 'auth.token.revoked.v1' }),
      ]),
    );
    const [sessions, revoked] = limitless.published.map(({ data }) => data as Record<string, readonly string[]>);
    const idsOf = tokens.map((token) => token['OAuth2.SESSION_ID']);
    expect(sessions?.['sessionIds']?.toSorted()).toEqual(idsOf.toSorted());
    expect(revoked?.['tokenHashes']?.toSorted()).toEqual(
      tokens.map(({ access_token: token }) => hashToken(token)).toSorted(),
    );
    for (const { access_token: token } of tokens)
      expect((await limitless.internal('/exchange', { token })).status).toBe(401);
  } finally {
    await limitless.close();
  }
});
