import { createHmac } from 'node:crypto';
import { as, basic, send, tokenRequest, unique } from '../api.ts';

/** The code of RFC 6238 for a key, so that the test does not depend on the implementation of the server. */
function codeOf(key: string, steps = 0): string {
  const bits = [...key].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', bytes).update(counter).digest();
  const offset = (digest[19] ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

async function newUser(): Promise<string> {
  const username = unique('f');
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
const tokenOf = async (username: string): Promise<string> => (await logIn(username)).json().access_token;
const call = (token: string, method: string, path = '', body?: object | string) =>
  send(method, `/rest/user-session/second-factors${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });

/** A user who has added an app with this token. */
async function withApp() {
  const username = await newUser();
  const token = await tokenOf(username);
  const { key, offer } = (await call(token, 'POST', '/totp')).json();
  const added = await call(token, 'POST', '/totp/confirm', { offer, code: codeOf(key), name: 'Phone' });
  return { username, token, key, added };
}

describe('second factors of a user (contract/user.md#second-factors)', () => {
  test('the user adds an app, gets the recovery codes once, and sees the app', async () => {
    const { token, added } = await withApp();
    expect([added.status, added.headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(added.json().recoveryCodes).toHaveLength(10);
    expect((await call(token, 'GET')).json()).toEqual({
      factors: [
        {
          id: added.json().id,
          kind: 'totp',
          name: 'Phone',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          lastUsedAt: null,
        },
      ],
      recoveryCodes: 10,
    });
  });

  // Asserts contract/user.md#second-factors.
  test('from then on the password is not enough, and a token of one factor changes nothing', async () => {
    const { username, token, added } = await withApp();
    expect((await logIn(username)).json().error).toBe('mfa_required');
    for (const [method, path] of [
      ['POST', '/totp'],
      ['POST', '/recovery-codes'],
      ['DELETE', ''],
      ['DELETE', `/${added.json().id}`],
    ] as const) {
      const refused = await call(token, method, path);
      expect([refused.status, refused.json().error, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'insufficient_user_authentication',
        expect.stringContaining('acr_values="urn:lintel:acr:2fa", max_age="600"'),
      ]);
    }
    expect((await call(token, 'GET')).json().factors).toHaveLength(1);
  });

  // Asserts contract/user.md#second-factors.
  test('an administrator sees and removes them; others need second-factors.manage', async () => {
    const { username, token } = await withApp();
    const stranger = await tokenOf(await newUser());
    for (const method of ['GET', 'DELETE'])
      for (const name of [username, unique('none')])
        expect((await call(stranger, method, `?username=${name}`)).status).toBe(403);
    const path = `/user-session/second-factors?username=${username}`;
    expect((await as('admin', 'GET', path)).json().factors).toMatchObject([{ name: 'Phone' }]);
    expect((await as('admin', 'DELETE', path)).json()).toEqual({ removed: 1 });
    expect((await call(token, 'GET')).json()).toEqual({ factors: [], recoveryCodes: 0 });
    expect((await logIn(username)).status).toBe(200);
  });

  // Asserts contract/user.md#second-factors.
  test.each([
    ['a wrong code', { code: '000000' }, 'code is not the current code of the key'],
    ['an offer for nobody', { offer: 'none' }, 'offer has expired, or is not for this user'],
    ['no name', { name: undefined }, 'name: '],
    ['an empty name', { name: '' }, 'name: '],
    ['a name with a NUL character', { name: 'a\0' }, 'name: must not be blank or have invisible'],
    ['a member that does not exist', { key: 'A' }, 'Unrecognized key: "key"'],
  ])('%s adds nothing: 400', async (_case, changes, details) => {
    const token = await tokenOf(await newUser());
    const { key, offer } = (await call(token, 'POST', '/totp')).json();
    const response = await call(token, 'POST', '/totp/confirm', {
      offer,
      code: codeOf(key),
      name: 'Phone',
      ...changes,
    });
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(details)]);
    expect((await call(token, 'GET')).json().factors).toEqual([]);
  });

  // Asserts contract/user.md#second-factors.
  test.each([
    ['no JSON', '{', 'The request body is not JSON'],
    ['a list', '[]', 'The body: '],
    ['21 levels', `${'['.repeat(21)}${']'.repeat(21)}`, 'The request body has more than 20 levels'],
  ])('a body with %s returns 400', async (_case, body, details) => {
    const response = await call(await tokenOf(await newUser()), 'POST', '/totp/confirm', body);
    expect([response.status, response.json().details]).toEqual([400, expect.stringContaining(details)]);
  });

  // Asserts contract/user.md#second-factors.
  test('the offer of another user adds nothing', async () => {
    const [mine, other] = [await tokenOf(await newUser()), await tokenOf(await newUser())];
    const { key, offer } = (await call(other, 'POST', '/totp')).json();
    expect((await call(mine, 'POST', '/totp/confirm', { offer, code: codeOf(key), name: 'x' })).status).toBe(400);
  });

  // Asserts contract/user.md#second-factors.
  test('recovery codes need a factor, ids that are none return 404', async () => {
    const token = await tokenOf(await newUser());
    expect((await call(token, 'POST', '/recovery-codes')).status).toBe(404);
    expect((await call(token, 'DELETE', '/none')).status).toBe(404);
    expect((await call(token, 'DELETE', '/0d0f9e1c-6a8b-4d8e-9c53-0f6f2a0f9a11')).status).toBe(404);
  });
});
