import { as, basic, send, tokenRequest, unique, withinASecond } from '../api.ts';

/** A login of a user of this test alone. */
interface Login {
  readonly userId: string;
  /** The assignment of the role that every call of the API needs. */
  readonly assignmentId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Credentials of the client. */
  readonly client: { readonly authorization: string };
}

async function newUser(): Promise<Pick<Login, 'userId' | 'assignmentId'> & { readonly username: string }> {
  const username = unique('u');
  const user = await as('admin', 'POST', '/entities/sec_User', {
    body: { username, password: `secret-of-${username}` },
  });
  expect(user.status).toBe(201);
  const body = { username, roleCode: 'rest-minimal', roleType: 'resource' };
  const assignment = await as('admin', 'POST', '/entities/sec_RoleAssignment', { body });
  expect(assignment.status).toBe(201);
  return { userId: user.json().id, assignmentId: assignment.json().id, username };
}

async function logIn(clientId: string): Promise<Login> {
  const { username, ...ids } = await newUser();
  const client = { authorization: basic(clientId, 'secret') };
  const form = { grant_type: 'password', username, password: `secret-of-${username}` };
  const response = await tokenRequest('/oauth/token', form, client);
  expect(response.status).toBe(200);
  const { access_token: accessToken, refresh_token: refreshToken } = response.json();
  return { ...ids, accessToken, refreshToken, client };
}

const call = (path: string, token: string) => send('GET', path, { headers: { authorization: `Bearer ${token}` } });

/** One path of each service that the gateway routes to. */
const PATHS = ['/rest/userInfo', '/rest/files?fileRef=fs%3A%2F%2Fnone', '/rest/reports/report'];

/** Whether each service takes the token: what it then says of the request is another matter. */
const takenBy = async (token: string): Promise<readonly boolean[]> =>
  Promise.all(PATHS.map(async (path) => (await call(path, token)).status !== 401));

/** Which services take the token a second later, at the latest. */
const stillTakenBy = (token: string): Promise<readonly boolean[]> =>
  withinASecond(
    () => takenBy(token),
    (taken) => !taken.includes(true),
  );
const statusAfter = (old: number, path: string, token: string): Promise<number> =>
  withinASecond(
    async () => (await call(path, token)).status,
    (status) => status !== old,
  );

const refresh = ({ refreshToken, client }: Login) =>
  tokenRequest('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken }, client);
const changeUser = (userId: string, body: Readonly<Record<string, unknown>>) =>
  as('admin', 'PUT', `/entities/sec_User/${userId}`, { body });

/** What ends a token, and the status of the refresh afterwards. */
const ENDS: readonly (readonly [string, (login: Login) => Promise<unknown>, number])[] = [
  [
    'the access token at /oauth/revoke',
    ({ accessToken, client }) => tokenRequest('/oauth/revoke', { token: accessToken }, client),
    400,
  ],
  [
    'the refresh token at /oauth/revoke',
    ({ refreshToken, client }) => tokenRequest('/oauth/revoke', { token: refreshToken }, client),
    400,
  ],
  [
    'the access token at /oauth2/revoke',
    ({ accessToken, client }) => tokenRequest('/oauth2/revoke', { token: accessToken }, client),
    200,
  ],
  [
    'the refresh token at /oauth2/revoke',
    ({ refreshToken, client }) => tokenRequest('/oauth2/revoke', { token: refreshToken }, client),
    400,
  ],
  ['logout', ({ accessToken }) => call('/logout', accessToken), 400],
  ['a refresh', (login) => refresh(login), 200],
  ['disabling the user', ({ userId }) => changeUser(userId, { active: false }), 400],
  ['a new password', ({ userId }) => changeUser(userId, { password: 'something else' }), 400],
  ['another name of the user', ({ userId }) => changeUser(userId, { username: unique('v') }), 400],
  ['removal of the user', ({ userId }) => as('admin', 'DELETE', `/entities/sec_User/${userId}`), 400],
];

describe.each([
  ['reference', 'client'],
  ['self-contained', 'client-jwt'],
])('access tokens of the format %s', (format, clientId) => {
  // Asserts contract/decisions.md#55, contract/tokens.md#clients, contract/tokens.md#response.
  test('are what their client is registered for', async () => {
    const { accessToken } = await logIn(clientId);
    expect(accessToken).toMatch(format === 'reference' ? /^[\w-]{27}$/ : /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  // Asserts contract/tokens.md#endpoints, contract/tokens.md#invalidation, contract/tokens.md#oauth2-revoke,
  // contract/tokens.md#revoke, contract/tokens.md#unauthorized, contract/tokens.md#users.
  test.each(ENDS)('%s ends them in every service within a second', async (_what, end, statusOfRefresh) => {
    const login = await logIn(clientId);
    expect(await takenBy(login.accessToken)).toEqual([true, true, true]);
    await end(login);
    expect(await stillTakenBy(login.accessToken)).toEqual([false, false, false]);
    const refused = await call('/rest/userInfo', login.accessToken);
    expect(refused.json()).toEqual({ error: 'invalid_token', error_description: 'Invalid access token' });
    expect((await refresh(login)).status).toBe(statusOfRefresh);
  });

  // Asserts contract/decisions.md#56, contract/tokens.md#refresh.
  test('a new role acts on them within a second', async () => {
    const { userId, accessToken } = await logIn(clientId);
    expect((await call('/rest/entities/sales_Order', accessToken)).status).toBe(403);
    const username = (await as('admin', 'GET', `/entities/sec_User/${userId}`)).json().username;
    const assignment = { username, roleCode: 'sales-manager', roleType: 'resource' };
    await as('admin', 'POST', '/entities/sec_RoleAssignment', { body: assignment });
    expect(await statusAfter(403, '/rest/entities/sales_Order?limit=1', accessToken)).toBe(200);
  });

  // Asserts contract/decisions.md#56, contract/tokens.md#refresh.
  test('a role that is taken away acts on them within a second', async () => {
    const { assignmentId, accessToken } = await logIn(clientId);
    expect((await call('/rest/userInfo', accessToken)).status).toBe(200);
    await as('admin', 'DELETE', `/entities/sec_RoleAssignment/${assignmentId}`);
    expect(await statusAfter(200, '/rest/userInfo', accessToken)).toBe(403);
  });

  // Asserts contract/tokens.md#unauthorized.
  test.each([
    ['no letter of it is left out', (token: string) => token.slice(0, -5)],
    ['nothing is added', (token: string) => `${token}AAAA`],
    ['it is not in quotes', (token: string) => `"${token}"`],
  ])('are taken only if %s', async (_rule, change) => {
    const { accessToken } = await logIn(clientId);
    const refused = await call('/rest/userInfo', change(accessToken));
    expect([refused.status, refused.headers.get('www-authenticate'), refused.json()]).toEqual([
      401,
      'Bearer realm="oauth2-resource", error="invalid_token", error_description="Invalid access token"',
      { error: 'invalid_token', error_description: 'Invalid access token' },
    ]);
  });

  // Asserts contract/tokens.md#token-location.
  test('are taken as the parameter access_token too', async () => {
    const { accessToken } = await logIn(clientId);
    expect((await send('GET', `/rest/userInfo?access_token=${accessToken}`)).status).toBe(200);
  });

  // Asserts contract/tokens.md#endpoints.
  test('are described to their client until they end', async () => {
    const { accessToken, client } = await logIn(clientId);
    const describe = async () => (await tokenRequest('/oauth2/introspect', { token: accessToken }, client)).json();
    expect(await describe()).toMatchObject({ active: true, client_id: clientId, token_type: 'Bearer' });
    await tokenRequest('/oauth2/revoke', { token: accessToken }, client);
    expect(await describe()).toEqual({ active: false });
  });
});

// Asserts contract/tokens.md#oauth2-revoke.
test.each(['integration', 'client-jwt'])('a client-credentials token of %s ends when it is revoked', async (id) => {
  const client = { authorization: basic(id, 'secret') };
  const { access_token: token } = (
    await tokenRequest('/oauth2/token', { grant_type: 'client_credentials' }, client)
  ).json();
  expect((await call('/rest/userInfo', token)).json()).toMatchObject({ username: id, attributes: {} });
  expect((await tokenRequest('/oauth2/revoke', { token }, client)).status).toBe(200);
  expect(await stillTakenBy(token)).toEqual([false, false, false]);
});
