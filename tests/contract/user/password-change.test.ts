import { eventually } from '@lintel/testkit';
import { as, basic, send, tokenRequest, unique } from '../api.ts';

const PATH = '/user-session/password-change';

async function newUser(): Promise<string> {
  const username = unique('p');
  const password = `password of ${username}`;
  expect((await as('admin', 'POST', '/entities/sec_User', { body: { username, password } })).status).toBe(201);
  const body = { username, roleCode: 'rest-minimal', roleType: 'resource' };
  expect((await as('admin', 'POST', '/entities/sec_RoleAssignment', { body })).status).toBe(201);
  return username;
}
const logIn = (username: string) =>
  tokenRequest(
    '/oauth/token',
    { grant_type: 'password', username, password: `password of ${username}` },
    { authorization: basic('client', 'secret') },
  );
const userInfo = (token: string) => send('GET', '/rest/userInfo', { headers: { authorization: `Bearer ${token}` } });

describe('a new password that an administrator requires (contract/user.md#password-change)', () => {
  test('ends the logins of the user; the next one needs a new password', async () => {
    const username = await newUser();
    const token = (await logIn(username)).json().access_token;
    expect((await userInfo(token)).status).toBe(200);
    const response = await as('admin', 'POST', `${PATH}?username=${username}`);
    expect([response.status, response.text]).toEqual([204, '']);
    await eventually(async () => expect((await userInfo(token)).status).toBe(401));
    expect((await logIn(username)).json()).toEqual({
      error: 'invalid_grant',
      error_description: 'The password must be changed on the login page first',
    });
  });

  // Asserts contract/user.md#password-change.
  test('needs passwords.manage, whether there is such a user or not; the refused request changes nothing', async () => {
    const [username, other] = [await newUser(), await newUser()];
    const token = (await logIn(other)).json().access_token;
    for (const name of [username, unique('none'), other]) {
      const headers = { authorization: `Bearer ${token}` };
      const { status, json } = await send('POST', `/rest${PATH}?username=${name}`, { headers });
      expect([status, json()]).toEqual([
        403,
        { error: 'Forbidden', details: 'User is not allowed to require new passwords' },
      ]);
    }
    expect((await logIn(username)).status).toBe(200);
    expect((await send('POST', `/rest${PATH}?username=${username}`)).status).toBe(401);
  });

  // Asserts contract/user.md#password-change.
  test.each([
    ['no user', '', 400, 'username is required'],
    ['an empty name', '?username=', 400, 'username must be one text of 1 to 255 characters'],
    ['two names', '?username=a&username=b', 400, 'username must be one text of 1 to 255 characters'],
    ['a NUL character', '?username=a%00', 400, 'username must not have a NUL character'],
    ['a wrong value of mail', '?username=clerk&mail=yes', 400, 'mail must be true or false'],
    ['an unknown user', '?username=unknown', 404, 'There is no such user'],
  ])('%s is refused', async (_case, query, status, details) => {
    const response = await as('admin', 'POST', `${PATH}${query}`);
    expect([response.status, response.json().details]).toEqual([status, details]);
  });
});
