import type { TestDatabase } from '@lintel/testkit';
import { createAuthDatabase, type RunningAuth, startAuth, type TestResponse } from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, { properties: { 'svc.authserver.reuse-refresh-tokens': 'false' } });
  await auth.addUser('clerk');
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
});

const login = async (): Promise<TestResponse['json']> =>
  (await auth.post('/oauth/token', { grant_type: 'password', username: 'clerk', password: 'clerk' })).json;
const refresh = (token: string) => auth.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
const isAccepted = async (token: string): Promise<boolean> =>
  (await auth.internal('/exchange', { token })).status === 200;
const endOf = async (token: string): Promise<number> => (await auth.post('/oauth2/introspect', { token })).json.exp;

describe('svc.authserver.reuse-refresh-tokens=false', () => {
  test('a refresh answers a new refresh token that ends when the first would have', async () => {
    const first = await login();
    const firstEnd = await endOf(first.refresh_token);
    const second = (await refresh(first.refresh_token)).json;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second['OAuth2.SESSION_ID']).toBe(first['OAuth2.SESSION_ID']);
    expect(await endOf(second.refresh_token)).toBe(firstEnd);
    expect(await isAccepted(first.access_token)).toBe(false);
    expect(await isAccepted(second.access_token)).toBe(true);
  });

  test('a second use of a refresh token ends the whole login', async () => {
    const first = await login();
    const second = (await refresh(first.refresh_token)).json;
    const reuse = await refresh(first.refresh_token);
    expect([reuse.status, reuse.json.error]).toEqual([400, 'invalid_grant']);
    expect(await isAccepted(second.access_token)).toBe(false);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  test('of two uses at the same time at most one succeeds', async () => {
    const first = await login();
    const responses = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(responses.every(({ status }) => status === 200 || status === 400)).toBe(true);
  });
});
