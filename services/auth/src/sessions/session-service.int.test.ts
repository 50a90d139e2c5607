import { eventually, type TestDatabase } from '@lintel/testkit';
import { hash } from '@node-rs/argon2';
import {
  addAssignment,
  createAuthDatabase,
  type RunningAuth,
  startAuth,
  type TestResponse,
} from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;
let users = 0;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase);
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
});

/** A user that only this test uses. */
async function newUser(options: Parameters<RunningAuth['addUser']>[1] = {}): Promise<string> {
  users += 1;
  const username = `user-${users}`;
  await auth.addUser(username, options);
  return username;
}

const login = async (username: string, headers: Record<string, string> = {}): Promise<TestResponse['json']> => {
  const form = { grant_type: 'password', username, password: username };
  const { status, json } = await auth.post('/oauth/token', form, { headers });
  expect(status).toBe(200);
  return json;
};
const sessionOf = async (tokens: TestResponse['json']) => auth.sessions.load(tokens['OAuth2.SESSION_ID']);
const isAccepted = async (token: string): Promise<boolean> =>
  (await auth.internal('/exchange', { token })).status === 200;
const refresh = (token: string) => auth.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
const eventsOf = (tokens: TestResponse['json']) =>
  auth.published.filter(({ subject }) => subject === tokens['OAuth2.SESSION_ID']).map(({ type }) => type);
const update = (username: string, assignment: string, ...values: unknown[]) =>
  testDatabase.query(`UPDATE sec."user" SET ${assignment} WHERE username = $1`, [username, ...values]);

describe('the session of a login', () => {
  // Asserts contract/tokens.md#oauth2-response, contract/tokens.md#sessions.
  test('has the user, the roles and the attributes that are not secret', async () => {
    const username = await newUser({
      roles: ['sales-clerk', 'rest-minimal'],
      rowLevelRoles: ['own-region'],
      locale: 'de',
      country: 'DE',
    });
    const [{ id }] = (await testDatabase.query('SELECT id FROM sec."user" WHERE username = $1', [username])) as [
      { id: string },
    ];
    const session = await sessionOf(await login(username));
    expect(session).toEqual({
      id: expect.stringMatching(/^[0-9A-F]{32}$/),
      username,
      userId: id,
      clientId: 'client',
      kind: 'user',
      acr: 'urn:lintel:acr:1fa',
      amr: ['pwd'],
      authTime: expect.any(Number),
      resourceRoles: ['rest-minimal', 'sales-clerk'],
      rowLevelRoles: ['own-region'],
      locale: 'de',
      attributes: {
        id,
        version: 1,
        createdDate: null,
        createdBy: null,
        lastModifiedDate: null,
        lastModifiedBy: null,
        username,
        firstName: null,
        lastName: null,
        email: null,
        active: true,
        locale: 'de',
        timeZoneId: null,
        country: 'DE',
      },
      createdAt: expect.any(String),
    });
  });

  // Asserts contract/tokens.md#request.
  test.each([
    ['zh-cn', 'zh_CN'],
    ['fr;q=0.9, en-US;q=0.8', 'en'],
    ['fr', 'de'],
  ])('with Accept-Language %s has the locale %s', async (header, locale) => {
    const username = await newUser({ locale: 'de' });
    expect((await sessionOf(await login(username, { 'accept-language': header })))?.locale).toBe(locale);
  });
});

describe('a change of a user', () => {
  // Asserts contract/decisions.md#56, contract/roles.md#combination, contract/tokens.md#refresh.
  test('new roles are in the sessions that exist', async () => {
    const username = await newUser({ roles: ['rest-minimal'] });
    const [first, second] = [await login(username), await login(username)];
    await addAssignment(testDatabase, username, 'sales-manager');
    await auth.assignmentChanged(username);
    await eventually(async () => {
      for (const tokens of [first, second])
        expect((await sessionOf(tokens))?.resourceRoles).toEqual(['rest-minimal', 'sales-manager']);
    });
    expect(eventsOf(first)).toEqual(['auth.session.changed.v1']);
    expect(await isAccepted(first.access_token)).toBe(true);
  });

  test('new attributes are too; a locale that was asked for at login stays', async () => {
    const username = await newUser({ locale: 'de' });
    const [own, asked] = [await login(username), await login(username, { 'accept-language': 'zh-CN' })];
    await update(username, 'country = $2, locale = $3', 'AT', 'en');
    await auth.userChanged(username);
    await eventually(async () => {
      expect(await sessionOf(own)).toMatchObject({ locale: 'en', attributes: { country: 'AT', locale: 'en' } });
      expect(await sessionOf(asked)).toMatchObject({ locale: 'zh_CN', attributes: { country: 'AT' } });
    });
  });

  test('an event without a change publishes nothing', async () => {
    const username = await newUser();
    const tokens = await login(username);
    await auth.userChanged(username);
    await auth.assignmentChanged(username);
    await update(username, 'country = $2', 'DE');
    await auth.userChanged(username);
    await eventually(() => expect(eventsOf(tokens)).toEqual(['auth.session.changed.v1']));
  });

  // Asserts contract/decisions.md#56, contract/roles.md#combination, contract/tokens.md#clients,
  // contract/tokens.md#invalidation, contract/tokens.md#users.
  test.each([
    ['disabling', (username: string) => update(username, 'active = false')],
    ['removal', (username: string) => testDatabase.query('DELETE FROM sec."user" WHERE username = $1', [username])],
    ['a new password', async (username: string) => update(username, 'password = $2', await hash('another'))],
  ])('%s ends all sessions and tokens', async (_change, change) => {
    const username = await newUser();
    const logins = [await login(username), await login(username)];
    await change(username);
    await auth.userChanged(username);
    for (const tokens of logins) {
      await eventually(async () => {
        expect(await sessionOf(tokens)).toBeUndefined();
        expect(eventsOf(tokens).toSorted()).toEqual(['auth.session.ended.v1', 'auth.token.revoked.v1']);
      });
      expect(await isAccepted(tokens.access_token)).toBe(false);
      const response = await refresh(tokens.refresh_token);
      expect([response.status, response.json]).toEqual([
        400,
        { error: 'invalid_grant', error_description: 'Invalid refresh token' },
      ]);
    }
    const left = await testDatabase.query('SELECT model FROM auth.oidc_model WHERE payload::text LIKE $1', [
      `%"${username}"%`,
    ]);
    expect(left).toEqual([]);
  });

  // Asserts contract/tokens.md#refresh.
  test('even without the event a refresh is refused after it', async () => {
    const username = await newUser();
    const tokens = await login(username);
    await update(username, 'active = false');
    expect((await refresh(tokens.refresh_token)).json.error).toBe('invalid_grant');
    expect(await isAccepted(tokens.access_token)).toBe(false);
  });

  test('the user’s other name does not end the session of a client of that name', async () => {
    const { json } = await auth.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      { client: 'integration:secret' },
    );
    await auth.userChanged('integration');
    const username = await newUser();
    const tokens = await login(username);
    await update(username, 'active = false');
    await auth.userChanged(username);
    await eventually(async () => expect(await sessionOf(tokens)).toBeUndefined());
    expect(await isAccepted(json.access_token)).toBe(true);
  });
});

describe('a password hash weaker than the policy', () => {
  // Asserts contract/tokens.md#users.
  test('is replaced at login, and the logins of before go on', async () => {
    const weak = { memoryCost: 8192, timeCost: 1 };
    const username = `user-${users + 1}`;
    await newUser({ passwordHash: await hash(username, weak) });
    const hashOf = async () =>
      (
        (await testDatabase.query('SELECT password FROM sec."user" WHERE username = $1', [username])) as [
          { password: string },
        ]
      )[0].password;
    const [first, second] = await Promise.all([login(username), login(username)]);
    expect(await hashOf()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await auth.userChanged(username);
    for (const tokens of [first, second, await login(username)])
      expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });
});

describe('calls without a token', () => {
  // Asserts contract/tokens.md#anonymous, contract/tokens.md#url-patterns.
  test('have the session of the user anonymous, which follows its assignments', async () => {
    await auth.addUser('anonymous', { passwordHash: null, roles: ['public-read'] });
    const first = await auth.internal('/exchange', { anonymous: true });
    expect(first.status).toBe(200);
    expect(await auth.sessions.load(first.json.sessionId)).toMatchObject({
      username: 'anonymous',
      clientId: 'anonymous',
      kind: 'anonymous',
      resourceRoles: ['public-read'],
      locale: null,
      attributes: { username: 'anonymous' },
    });
    await addAssignment(testDatabase, 'anonymous', 'more');
    await auth.assignmentChanged('anonymous');
    await eventually(async () =>
      expect((await auth.sessions.load(first.json.sessionId))?.resourceRoles).toEqual(['more', 'public-read']),
    );
    await update('anonymous', 'active = false');
    await auth.userChanged('anonymous');
    await eventually(async () => {
      const refused = await auth.internal('/exchange', { anonymous: true });
      expect([refused.status, refused.json]).toEqual([401, { reason: 'invalid' }]);
    });
  });

  // Asserts contract/tokens.md#users.
  test.each(['anonymous', 'system'])('%s cannot log in, even with a password', async (username) => {
    await testDatabase.query('DELETE FROM sec."user" WHERE username = $1', [username]);
    await auth.addUser(username);
    const response = await auth.post('/oauth/token', { grant_type: 'password', username, password: username });
    expect(response.json).toEqual({ error: 'invalid_grant', error_description: 'Bad credentials' });
  });
});

describe('a user disabled while tokens are issued', () => {
  // Asserts contract/tokens.md#invalidation.
  test('keeps no session and no token, whichever comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const username = await newUser();
      const before = await login(username);
      const form = { grant_type: 'password', username, password: username };
      const issuing = Promise.all([
        ...Array.from({ length: 4 }, () => auth.post('/oauth/token', form)),
        ...Array.from({ length: 4 }, () => refresh(before.refresh_token)),
      ]);
      await update(username, 'active = false');
      await auth.userChanged(username);
      const responses = await issuing;
      await eventually(async () => {
        for (const { json } of responses)
          if (json.access_token !== undefined) expect(await isAccepted(json.access_token)).toBe(false);
        expect(await auth.sessions.idsOf(username)).toEqual([]);
      });
      expect(responses.every(({ status }) => status === 200 || status === 400)).toBe(true);
    }
  });
});

describe('the locale of a session', () => {
  const change = (sessionId: string, locale: string) => auth.internal('/session-locale', { sessionId, locale });

  // Asserts contract/decisions.md#36, contract/user.md#session-locale.
  test('is stored, published to all replicas, and outlives a lost session and changes of the user', async () => {
    const username = await newUser({ locale: 'en' });
    const tokens = await login(username);
    const id = tokens['OAuth2.SESSION_ID'];
    const response = await change(id, 'de');
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await sessionOf(tokens))?.locale).toBe('de');
    expect(eventsOf(tokens)).toEqual(['auth.session.changed.v1']);
    await update(username, "locale = 'zh_CN'");
    await auth.userChanged(username);
    expect((await sessionOf(tokens))?.locale).toBe('de');
    await auth.sessions.delete(id);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
    expect((await sessionOf(tokens))?.locale).toBe('de');
  });

  test('that it has already publishes nothing', async () => {
    const tokens = await login(await newUser({ locale: 'de' }));
    expect((await change(tokens['OAuth2.SESSION_ID'], 'de')).status).toBe(204);
    expect(eventsOf(tokens)).toEqual([]);
  });

  // Asserts contract/user.md#session-locale.
  test('of a client is remembered as well', async () => {
    const { json } = await auth.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      { client: 'integration:secret' },
    );
    const exchanged = await auth.internal('/exchange', { token: json.access_token });
    const id = exchanged.json.sessionId;
    expect((await change(id, 'de')).status).toBe(204);
    expect((await auth.sessions.load(id))?.locale).toBe('de');
  });

  // Asserts contract/user.md#session-locale.
  test('cannot be chosen for a session that is over or shared, nor by callers without the secret', async () => {
    expect((await change('NONE', 'de')).status).toBe(404);
    const anonymous = await auth.internal('/exchange', { anonymous: true });
    expect((await change(anonymous.json.sessionId, 'de')).status).toBe(404);
    expect((await auth.internal('/session-locale', { sessionId: 'NONE' })).status).toBe(400);
    expect((await auth.internal('/session-locale', { sessionId: 'NONE', locale: 'de' }, 'wrong')).status).toBe(401);
  });
});

describe('the attributes of a session', () => {
  const change = (sessionId: string, attributes: Record<string, unknown>) =>
    auth.internal('/session-attributes', { sessionId, attributes });

  test('are stored, published to all replicas, and outlive a lost session and changes of the user', async () => {
    const username = await newUser();
    const tokens = await login(username);
    const id = tokens['OAuth2.SESSION_ID'];
    const responses = await Promise.all([change(id, { warehouse: 'north', level: 3 }), change(id, { open: true })]);
    expect(responses.map(({ status }) => status)).toEqual([204, 204]);
    expect((await sessionOf(tokens))?.sessionAttributes).toEqual({ warehouse: 'north', level: 3, open: true });
    expect(eventsOf(tokens)).toContain('auth.session.changed.v1');
    expect((await change(id, { level: null, open: null })).status).toBe(204);
    await update(username, "country = 'DE'");
    await auth.userChanged(username);
    await auth.sessions.delete(id);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
    expect((await sessionOf(tokens))?.sessionAttributes).toEqual({ warehouse: 'north' });
    expect((await sessionOf(await login(username)))?.sessionAttributes).toBeUndefined();
  });

  test('of the hook of the login are stored once, and outlive a lost session', async () => {
    const tokens = await login(await newUser());
    const id = tokens['OAuth2.SESSION_ID'];
    const complete = (depot: string) =>
      auth.internal('/session-attributes', { sessionId: id, attributes: { depot }, ofLogin: true });
    expect((await complete('north')).status).toBe(204);
    expect((await complete('south')).status).toBe(204);
    const stored = { sessionAttributes: { depot: 'north' }, hasLoginAttributes: true };
    expect(await sessionOf(tokens)).toMatchObject(stored);
    await auth.sessions.delete(id);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
    expect(await sessionOf(tokens)).toMatchObject(stored);
    const none = { sessionId: 'NONE', attributes: {}, ofLogin: true };
    expect((await auth.internal('/session-attributes', none)).status).toBe(404);
  });

  test('of a client are remembered as well', async () => {
    const client = { client: 'integration:secret' };
    const { json } = await auth.post('/oauth2/token', { grant_type: 'client_credentials' }, client);
    const id = (await auth.internal('/exchange', { token: json.access_token })).json.sessionId;
    await change(id, { warehouse: 'north', level: 3 });
    expect((await change(id, { level: null })).status).toBe(204);
    expect((await auth.sessions.load(id))?.sessionAttributes).toEqual({ warehouse: 'north' });
  });

  test('cannot be set for a session that is over or shared, nor to objects', async () => {
    expect((await change('NONE', { a: 1 })).status).toBe(404);
    const anonymous = await auth.internal('/exchange', { anonymous: true });
    expect((await change(anonymous.json.sessionId, { a: 1 })).status).toBe(404);
    const tokens = await login(await newUser());
    expect((await change(tokens['OAuth2.SESSION_ID'], { a: {} })).status).toBe(400);
  });
});

// Last: the further column is in all sessions from here on.
test('columns that the application added to the users are in the session, and follow changes', async () => {
  await testDatabase.query('ALTER TABLE sec."user" ADD COLUMN region varchar(10), ADD COLUMN branch_id uuid');
  const username = await newUser();
  await update(username, "region = 'north'");
  const tokens = await login(username);
  expect((await sessionOf(tokens))?.userColumns).toEqual({ region: 'north', branch_id: null });
  await update(username, "region = 'south'");
  await auth.userChanged(username);
  await eventually(async () => expect((await sessionOf(tokens))?.userColumns?.['region']).toBe('south'));
});
