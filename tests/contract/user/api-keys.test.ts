import { as, send, tokenRequest, unique, withinASecond } from '../api.ts';

interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

interface NewUser {
  readonly id: string;
  readonly username: string;
  readonly token: string;
}

async function newUser(roles: readonly string[]): Promise<NewUser> {
  const username = unique('k');
  const password = `secret-of-${username}`;
  const user = { body: { username, password } };
  const added = await as('admin', 'POST', '/entities/sec_User', user);
  expect(added.status).toBe(201);
  for (const roleCode of roles) {
    const body = { username, roleCode, roleType: 'resource' };
    expect((await as('admin', 'POST', '/entities/sec_RoleAssignment', { body })).status).toBe(201);
  }
  const { access_token } = (await tokenRequest('/oauth/token', { grant_type: 'password', username, password })).json();
  return { id: added.json().id, username, token: access_token };
}

const call = (token: string, method: string, path: string, body?: object) =>
  send(method, `/rest${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });
async function create(token: string, key: object = {}): Promise<CreatedKey> {
  const response = await call(token, 'POST', '/api-keys', { name: 'script', ...key });
  expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
  return response.json();
}
const becomes401 = async (key: string) =>
  (
    await withinASecond(
      () => call(key, 'GET', '/userInfo'),
      ({ status }) => status === 401,
    )
  ).json();

describe('API keys (contract/user.md#api-keys)', () => {
  test('a key calls the API as its user, with its roles, until it is ended', async () => {
    const { username, token } = await newUser(['rest-minimal', 'system-full-access']);
    const { id, key } = await create(token, { resourceRoles: ['rest-minimal'] });
    expect((await call(key, 'GET', '/userInfo')).json()).toMatchObject({ username });
    expect((await call(key, 'GET', '/permissions')).json().authorities).toEqual(['rest-minimal']);
    expect((await call(token, 'GET', '/api-keys')).json()).toEqual([
      {
        id,
        name: 'script',
        hint: key.slice(0, 7),
        resourceRoles: ['rest-minimal'],
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ]);
    expect((await call(token, 'DELETE', `/api-keys/${id}`)).status).toBe(204);
    expect(await becomes401(key)).toEqual({ error: 'invalid_token', error_description: 'Invalid access token' });
    expect((await call(token, 'DELETE', `/api-keys/${id}`)).status).toBe(404);
  });

  // Asserts contract/user.md#api-keys.
  test('the history of its user has its first use and one after its end', async () => {
    const { username, token } = await newUser(['rest-minimal', 'system-full-access']);
    const { id, key } = await create(token);
    expect((await call(key, 'GET', '/userInfo')).status).toBe(200);
    expect((await call(token, 'DELETE', `/api-keys/${id}`)).status).toBe(204);
    await becomes401(key);
    const history = () => as('admin', 'GET', `/user-session/history?username=${username}`);
    const response = await withinASecond(history, (now) => now.json().length === 3);
    const use = { method: 'api-key', clientId: `api-key:${id}`, address: expect.any(String) };
    expect(response.json()).toMatchObject([
      { ...use, outcome: 'refused' },
      { ...use, outcome: 'succeeded' },
      { method: 'password' },
    ]);
    expect(response.text).not.toContain(key.slice(7));
  });

  // Asserts contract/user.md#api-keys.
  test('it ends with its user', async () => {
    const { id, token } = await newUser(['system-full-access']);
    const { key } = await create(token);
    expect((await call(key, 'GET', '/userInfo')).status).toBe(200);
    expect((await as('admin', 'PUT', `/entities/sec_User/${id}`, { body: { active: false } })).status).toBe(200);
    await becomes401(key);
  });

  test('a key with fewer roles than its user ends no logins, consents and keys of the user', async () => {
    const { token } = await newUser(['rest-minimal', 'system-full-access']);
    const { id, key: weak } = await create(token, { resourceRoles: ['rest-minimal'] });
    const sessions = (await call(token, 'GET', '/user-session')).json() as readonly { readonly id: string }[];
    for (const path of ['', `/${sessions[0]?.id}`, '/consents/web'])
      expect([path, (await call(weak, 'DELETE', `/user-session${path}`)).status]).toEqual([path, 403]);
    expect((await call(weak, 'DELETE', `/api-keys/${id}`)).status).toBe(403);
    expect((await call(token, 'GET', '/userInfo')).status).toBe(200);
    const { key: strong } = await create(token);
    expect((await call(strong, 'DELETE', `/api-keys/${id}`)).status).toBe(204);
  });

  // Asserts contract/user.md#api-keys.
  test('it is created with the right to do so, by a login, with roles of the caller', async () => {
    const { token: poor } = await newUser(['rest-minimal']);
    expect((await call(poor, 'POST', '/api-keys', { name: 'x' })).json().details).toBe(
      'User is not allowed to create keys',
    );
    const { token } = await newUser(['rest-minimal', 'system-full-access']);
    const { key } = await create(token);
    expect((await call(key, 'POST', '/api-keys', { name: 'x' })).json().details).toBe(
      'A key cannot create keys: log in',
    );
    const foreign = await call(token, 'POST', '/api-keys', { name: 'x', resourceRoles: ['sales-manager'] });
    expect([foreign.status, foreign.json().details]).toEqual([
      403,
      'resourceRoles: the caller does not have sales-manager',
    ]);
    for (const body of [{}, { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, { name: 'x', key: 'lk_mine' }])
      expect((await call(token, 'POST', '/api-keys', body)).status).toBe(400);
  });

  // Asserts contract/user.md#api-keys.
  test('others need api-keys.manage, and know no ids without it', async () => {
    const [owner, stranger] = [await newUser(['system-full-access']), await newUser(['rest-minimal'])];
    const { id, key } = await create(owner.token);
    for (const name of [owner.username, unique('none')])
      expect((await call(stranger.token, 'GET', `/api-keys?username=${name}`)).status).toBe(403);
    expect((await call(stranger.token, 'DELETE', `/api-keys/${id}`)).status).toBe(404);
    expect((await as('admin', 'GET', `/api-keys?username=${owner.username}`)).json()).toMatchObject([{ id }]);
    expect((await as('admin', 'DELETE', `/api-keys/${id}`)).status).toBe(204);
    await becomes401(key);
  });
});

describe('consents (contract/user.md#consents)', () => {
  test('are empty for users who allowed nothing; others need sessions.manage', async () => {
    const { username, token } = await newUser(['rest-minimal']);
    const response = await call(token, 'GET', '/user-session/consents');
    expect([response.status, response.json(), response.headers.get('cache-control')]).toEqual([200, [], 'no-store']);
    expect((await call(token, 'DELETE', '/user-session/consents/none')).json().details).toBe(
      'There is no such consent',
    );
    for (const method of ['GET', 'DELETE'])
      expect(
        (await call(token, method, `/user-session/consents${method === 'GET' ? '' : '/web'}?username=admin`)).status,
      ).toBe(403);
    expect((await as('admin', 'GET', `/user-session/consents?username=${username}`)).json()).toEqual([]);
  });
});
