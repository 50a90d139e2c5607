import { eventually, type TestDatabase } from '@lintel/testkit';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase);
  for (const username of ['helper', 'clerk']) await auth.addUser(username, { roles: ['rest-minimal'] });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const exchange = async (token: string) => (await auth.internal('/exchange', { token })).json;

async function logIn(): Promise<{ readonly token: string; readonly sessionId: string }> {
  const form = { grant_type: 'password', username: 'helper', password: 'helper' };
  const { access_token: token } = (await auth.post('/oauth/token', form)).json;
  return { token, sessionId: (await exchange(token)).sessionId };
}

const begin = async (sessionId: string) =>
  (await auth.internal('/see-as/begin', { username: 'clerk', caller: { username: 'helper', sessionId } })).json
    .access_token as string;

test('a logout of the caller ends what the caller sees as another user, without another use of the token', async () => {
  const { token, sessionId } = await logIn();
  const seen = await exchange(await begin(sessionId));
  await auth.post('/oauth/revoke', { token });
  await eventually(() =>
    expect(
      auth.published.some(
        ({ type, data }) =>
          type === 'auth.session.ended.v1' && (data as { readonly sessionId: string }).sessionId === seen.sessionId,
      ),
    ).toBe(true),
  );
  expect(await auth.sessions.load(seen.sessionId)).toBeUndefined();
  expect(auth.log.join()).toContain('see-as.ended');
});

test('the end of another session of the caller ends nothing', async () => {
  const [one, other] = [await logIn(), await logIn()];
  const seen = await begin(one.sessionId);
  await auth.post('/oauth/revoke', { token: other.token });
  await eventually(async () => expect(await auth.sessions.load(other.sessionId)).toBeUndefined());
  expect((await exchange(seen)).jwt).toEqual(expect.any(String));
});

// Asserts contract/rights.md#see-as.
test('a change of a role ends what callers see as others, since rights were compared with the former role', async () => {
  const seen = await begin((await logIn()).sessionId);
  expect((await exchange(seen)).jwt).toEqual(expect.any(String));
  await auth.rolesChanged();
  await eventually(async () => expect(await exchange(seen)).toEqual({ reason: 'invalid' }));
});
