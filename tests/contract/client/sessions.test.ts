import { createClient, createSession, LoginError, memoryStorage, UnauthorizedError } from '@lintel/client';
import { baseUrl } from '../api.ts';

/** The demo client, which has a secret. */
const DEMO = { baseUrl, clientId: 'client', clientSecret: 'secret' };

test('a session logs in with a password, renews a token once for all requests, and logs out', async () => {
  const storage = memoryStorage();
  const changes: boolean[] = [];
  const session = createSession({ ...DEMO, storage, onChange: (isLoggedIn) => changes.push(isLoggedIn) });
  const wrong = await session.logIn('manager', 'wrong').catch((error: unknown) => error);
  expect(wrong).toBeInstanceOf(LoginError);
  expect(wrong).toMatchObject({ oauthError: 'invalid_grant', details: 'Bad credentials' });

  await session.logIn('manager', 'manager');
  const client = createClient({ baseUrl, token: session });
  const token = await session.token();
  // A refused token, as after its end.
  const stored = JSON.parse(String(await storage.getItem('lintel.client')));
  await storage.setItem('lintel.client', JSON.stringify({ ...stored, access: 'ended' }));
  const infos = await Promise.all([client.user.info(), client.user.info(), client.user.info()]);
  expect(infos.map(({ username }) => username)).toEqual(['manager', 'manager', 'manager']);
  expect(await session.token()).not.toBe(token);

  // Before its end, too.
  const renewed = JSON.parse(String(await storage.getItem('lintel.client')));
  await storage.setItem('lintel.client', JSON.stringify({ ...renewed, expiresAt: Date.now() + 1000 }));
  const before = renewed.access;
  expect(await session.token()).not.toBe(before);

  const last = await session.token();
  await session.logOut();
  expect([await session.isLoggedIn(), changes]).toEqual([false, [true, false]]);
  const after = createClient({ baseUrl, token: () => String(last) });
  await expect(after.user.info()).rejects.toBeInstanceOf(UnauthorizedError);
});

test('a program logs in as itself, and requests a new token when the old one is refused', async () => {
  const storage = memoryStorage();
  const session = createSession({ baseUrl, clientId: 'integration', clientSecret: 'secret', storage });
  await session.logInAsClient();
  const stored = JSON.parse(String(await storage.getItem('lintel.integration')));
  await storage.setItem('lintel.integration', JSON.stringify({ ...stored, access: 'ended' }));
  expect(await createClient({ baseUrl, token: session }).user.info()).toMatchObject({ username: 'integration' });
  await session.logOut();
});
