import type { TestDatabase } from '@lintel/testkit';
import { decodeProtectedHeader } from 'jose';
import { createAuthDatabase, INTERNAL_SECRET, type RunningAuth, startAuth } from '../../test/start-auth.ts';

let testDatabase: TestDatabase;
let auth: RunningAuth;
let other: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase);
  await auth.addUser('anna');
});
afterAll(async () => {
  await other?.close();
  await auth?.close();
  await testDatabase?.drop();
});

const kids = async (running: RunningAuth): Promise<readonly string[]> => {
  const { keys } = (await (await fetch(`${running.url}/oauth2/jwks`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};
const login = async (running = auth): Promise<string> =>
  (await running.post('/oauth/token', { grant_type: 'password', username: 'anna', password: 'anna' })).json
    .access_token;
const signedWith = async (token: string, running = auth): Promise<string | undefined> =>
  decodeProtectedHeader((await running.internal('/exchange', { token })).json.jwt).kid;
/** Makes the keys older. */
const age = (minutes: number) =>
  auth.testDatabase.query(`UPDATE auth.signing_key SET created_at = created_at - ${minutes} * interval '1 minute'`);

// Asserts contract/decisions.md#55.
test('a new key is announced before it signs; tokens of before stay valid', async () => {
  const [first = ''] = await kids(auth);
  const token = await login();
  const response = await auth.internal('/keys/rotate', {});
  expect(response.status).toBe(200);
  const second = response.json.kid;
  expect(await kids(auth)).toEqual([second, first]);
  expect(await signedWith(token)).toBe(first);
});

test('it signs when every verifier had time to learn of it, in a process that starts then too', async () => {
  const [newest, former = ''] = await kids(auth);
  await age(16);
  other = await startAuth(testDatabase);
  // Sessions of the tests are in the memory of each process: only the stored keys are shared.
  expect(await signedWith(await login(other), other)).toBe(newest);
  expect(await kids(other)).toEqual([newest, former]);
});

// Asserts contract/decisions.md#55.
test('keys that are no secret any longer sign and verify nothing at once', async () => {
  const before = await kids(auth);
  const { kid } = (await auth.internal('/keys/rotate', { retireOthers: true })).json;
  expect(await kids(auth)).toEqual([kid]);
  expect(before).not.toContain(kid);
  expect(await signedWith(await login())).toBe(kid);
});

test('only who knows the shared secret rotates, and with a body that is understood; all else leaves the keys alone', async () => {
  const before = await kids(auth);
  expect((await auth.internal('/keys/rotate', {}, 'guessed')).status).toBe(401);
  for (const body of [
    { retireOthers: 'yes' },
    { retireOthers: 1 },
    { retireOthers: null },
    { retireOther: true },
    [],
    null,
    'rotate',
  ])
    expect([body, (await auth.internal('/keys/rotate', body)).status]).toEqual([body, 400]);
  expect((await auth.internal('/keys/rotate', { retireOthers: 1 })).json.details).toContain('retireOthers');
  const raw = (body: string) =>
    fetch(`${auth.internalUrl}/internal/keys/rotate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INTERNAL_SECRET}` },
      body,
    });
  expect((await raw('')).status).toBe(400);
  expect((await raw('{retireOthers: true}')).status).toBe(400);
  expect((await raw(`"${'x'.repeat(64 * 1024)}"`)).status).toBe(413);
  expect(await kids(auth)).toEqual(before);
});

test('the locale of a session is changed by who knows the shared secret, with a body that is understood', async () => {
  const token = await login();
  const { sessionId } = (await auth.internal('/exchange', { token })).json;
  const locale = async () => (await auth.sessions.load(sessionId))?.locale;
  const before = await locale();
  expect((await auth.internal('/session-locale', { sessionId, locale: 'de' }, 'guessed')).status).toBe(401);
  for (const body of [{}, { sessionId }, { locale: 'de' }, { sessionId, locale: 5 }, { sessionId, locale: null }, []])
    expect([body, (await auth.internal('/session-locale', body)).status]).toEqual([body, 400]);
  expect((await auth.internal('/session-locale', { sessionId: 'none', locale: 'de' })).status).toBe(404);
  expect(await locale()).toBe(before);
  expect((await auth.internal('/session-locale', { sessionId, locale: 'de' })).status).toBe(204);
  expect(await locale()).toBe('de');
});
