import { as, basic, send, tokenRequest, unique, withinASecond } from '../api.ts';

interface Login {
  readonly id: string;
  readonly token: string;
  readonly refreshToken: string;
}

async function newUser(): Promise<string> {
  const username = unique('u');
  const user = { body: { username, password: `secret-of-${username}` } };
  expect((await as('admin', 'POST', '/entities/sec_User', user)).status).toBe(201);
  const body = { username, roleCode: 'rest-minimal', roleType: 'resource' };
  expect((await as('admin', 'POST', '/entities/sec_RoleAssignment', { body })).status).toBe(201);
  return username;
}

const logInWith = (username: string, password: string, clientId = 'client') =>
  tokenRequest(
    '/oauth/token',
    { grant_type: 'password', username, password },
    { authorization: basic(clientId, 'secret'), 'user-agent': `agent of ${clientId}` },
  );

async function logIn(username: string, clientId?: string): Promise<Login> {
  const response = await logInWith(username, `secret-of-${username}`, clientId);
  expect(response.status).toBe(200);
  const body = response.json();
  return { id: body['OAuth2.SESSION_ID'], token: body.access_token, refreshToken: body.refresh_token };
}

const call = ({ token }: Pick<Login, 'token'>, method: string, path = '') =>
  send(method, `/rest/user-session${path}`, { headers: { authorization: `Bearer ${token}` } });
const idsOf = async (login: Login) => (await call(login, 'GET')).json().map(({ id }: { id: string }) => id);

/** Whether the API takes the tokens, a second later at the latest; a refused one cannot be refreshed. */
const isTaken = async (login: Login) =>
  (
    await withinASecond(
      async () => send('GET', '/rest/userInfo', { headers: { authorization: `Bearer ${login.token}` } }),
      ({ status }) => status === 401,
    )
  ).status === 200;

describe('the sessions of a user (contract/user.md#user-sessions)', () => {
  test('the user sees each login: client, time, address, agent, last use, and which is this one', async () => {
    const username = await newUser();
    const first = await logIn(username);
    const second = await logIn(username);
    const response = await call(second, 'GET');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const login = (id: string, current: boolean) => ({
      id,
      clientId: 'client',
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUsedAt: current ? expect.any(String) : null,
      address: expect.stringMatching(/[.:]/),
      userAgent: 'agent of client',
      current,
    });
    expect(response.json()).toHaveLength(2);
    expect(response.json()).toEqual(expect.arrayContaining([login(first.id, false), login(second.id, true)]));
  });

  // Asserts contract/user.md#user-sessions.
  test('one session ends by its id, with its tokens, and the others go on', async () => {
    const username = await newUser();
    const [lost, kept] = [await logIn(username), await logIn(username)];
    expect((await call(kept, 'DELETE', `/${lost.id}`)).status).toBe(204);
    expect(await isTaken(lost)).toBe(false);
    const form = { grant_type: 'refresh_token', refresh_token: lost.refreshToken };
    expect((await tokenRequest('/oauth/token', form, { authorization: basic('client', 'secret') })).status).toBe(400);
    expect(await idsOf(kept)).toEqual([kept.id]);
    expect((await call(kept, 'DELETE', `/${lost.id}`)).status).toBe(404);
    expect((await call(kept, 'DELETE', `/${kept.id}`)).status).toBe(204);
    expect(await isTaken(kept)).toBe(false);
  });

  // Asserts contract/user.md#user-sessions.
  test('all others end, or those of one client', async () => {
    const username = await newUser();
    const [mine, other, third] = [await logIn(username), await logIn(username), await logIn(username)];
    expect((await call(mine, 'DELETE', '?clientId=web')).json()).toEqual({ ended: 0 });
    const response = await call(mine, 'DELETE', '?clientId=client');
    expect([response.status, response.json()]).toEqual([200, { ended: 2 }]);
    for (const each of [other, third]) expect(await isTaken(each)).toBe(false);
    expect((await call(mine, 'DELETE')).json()).toEqual({ ended: 0 });
    expect(await idsOf(mine)).toEqual([mine.id]);
  });

  // Asserts contract/user.md#user-sessions.
  test('sessions of others need sessions.manage; without it their ids are unknown', async () => {
    const [username, stranger] = [await newUser(), await newUser()];
    const [login, other] = [await logIn(username), await logIn(stranger)];
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/history'],
      ['DELETE', ''],
    ] as const) {
      const refused = await call(other, method, `${path}?username=${username}`);
      expect([refused.status, refused.json().details]).toEqual([
        403,
        'User is not allowed to see or end sessions of other users',
      ]);
      // A name of nobody: the same response.
      expect((await call(other, method, `${path}?username=${unique('none')}`)).status).toBe(403);
    }
    expect((await call(other, 'DELETE', `/${login.id}`)).status).toBe(404);
    expect(await idsOf(login)).toEqual([login.id]);
    expect((await as('admin', 'GET', `/user-session?username=${username}`)).json()).toMatchObject([
      { id: login.id, current: false },
    ]);
    expect((await as('admin', 'DELETE', `/user-session/${login.id}`)).status).toBe(204);
    expect(await isTaken(login)).toBe(false);
    expect((await as('admin', 'DELETE', `/user-session?username=${stranger}`)).json()).toEqual({ ended: 1 });
    expect(await isTaken(other)).toBe(false);
  });

  // Asserts contract/user.md#user-sessions.
  test('the history has attempts with the name of the user, and no others', async () => {
    const username = await newUser();
    expect((await logInWith(username, 'wrong')).status).toBe(400);
    const login = await logIn(username);
    const attempts = await withinASecond(
      async () => (await call(login, 'GET', '/history')).json(),
      (found: readonly unknown[]) => found.length === 2,
    );
    const attempt = (outcome: string) => ({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      outcome,
      method: 'password',
      provider: null,
      clientId: 'client',
      address: expect.stringMatching(/[.:]/),
    });
    expect(attempts).toHaveLength(2);
    expect(attempts).toEqual(expect.arrayContaining([attempt('succeeded'), attempt('wrong-password')]));
    expect((await call(login, 'GET', '/history?limit=1&offset=1')).json()).toHaveLength(1);
    const unknown = unique('none');
    expect((await logInWith(unknown, 'wrong')).status).toBe(400);
    expect((await as('admin', 'GET', `/user-session/history?username=${unknown}`)).json()).toEqual([]);
  });

  // Asserts contract/user.md#user-sessions.
  test.each([
    ['GET', '?username=', 'username'],
    ['GET', '?username=a&username=b', 'username'],
    ['GET', '?username=%00', 'username'],
    ['GET', '/history?username=a%00', 'username'],
    ['DELETE', '?username=%00', 'username'],
    ['DELETE', '?clientId=%00', 'clientId'],
    ['DELETE', `?clientId=${'c'.repeat(256)}`, 'clientId'],
    ['GET', '/history?limit=0', 'limit'],
    ['GET', '/history?limit=501', 'limit'],
    ['GET', '/history?offset=-1', 'offset'],
  ])('%s %s is a bad request that names the parameter', async (method, path, name) => {
    const response = await as('clerk', method, `/user-session${path}`);
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(name)]);
  });

  // Asserts contract/user.md#user-sessions.
  test.each(['%00', 'a%00', 'unknown', 'x'.repeat(300)])('there is no session %s', async (id) => {
    for (const name of ['clerk', 'admin']) expect((await as(name, 'DELETE', `/user-session/${id}`)).status).toBe(404);
  });

  // Asserts contract/user.md#user-sessions.
  test('a client has no login: it must name a user, and needs the right', async () => {
    const form = { grant_type: 'client_credentials' };
    const { access_token: token } = (
      await tokenRequest('/oauth2/token', form, { authorization: basic('integration', 'secret') })
    ).json();
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/history'],
    ] as const)
      expect((await call({ token }, method, path)).status).toBe(403);
  });
});
