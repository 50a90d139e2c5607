import type { TestDatabase } from '@lintel/testkit';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase);
  await auth.addUser('clerk', { roles: ['rest-minimal'] });
  await auth.addUser('former', { active: false });
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

async function begin(username: string, id?: string) {
  const [user] = await testDatabase.query(`SELECT id FROM sec."user" WHERE username = '${username}'`);
  return auth.internal('/work-sessions/begin', { username, userId: id ?? user?.['id'] ?? '' });
}

test('work for a user has one session, which follows the user', async () => {
  const sessionOf = async () => {
    const { jwt } = (await begin('clerk')).json;
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString());
    return auth.sessions.load(claims.sid);
  };
  const session = await sessionOf();
  expect(session).toMatchObject({ username: 'clerk', kind: 'user', clientId: 'lintel-work' });
  expect((await sessionOf())?.id).toBe(session?.id);
  await testDatabase.query(`UPDATE sec."user" SET active = false WHERE username = 'clerk'`);
  await auth.userChanged('clerk');
  expect((await begin('clerk')).status).toBe(404);
});

test.each(['former', 'system', 'anonymous', 'nobody'])('there is no work for %s', async (username) => {
  expect((await begin(username)).status).toBe(404);
});

test('there is no work for another user of the name', async () => {
  await auth.addUser('successor');
  expect((await begin('successor', '00000000-0000-4000-8000-000000000001')).status).toBe(404);
  expect((await begin('successor')).status).toBe(200);
});
