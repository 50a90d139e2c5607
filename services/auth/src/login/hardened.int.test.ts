import type { TestDatabase } from '@lintel/testkit';
import { createAuthDatabase, INTERNAL_SECRET, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client.web';
const CALLBACK = 'https://app.example/callback';
const clients = {
  [`${CLIENT}.client-id`]: 'web',
  [`${CLIENT}.client-secret`]: 'secret',
  [`${CLIENT}.grant-types`]: 'authorization_code',
  [`${CLIENT}.redirect-uris`]: CALLBACK,
};

let testDatabase: TestDatabase;
let hardened: RunningAuth;
let compatible: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  hardened = await startAuth(testDatabase, { properties: { ...clients, 'svc.security.profile': 'hardened' } });
  compatible = await startAuth(testDatabase, { properties: clients });
  await hardened.addUser('anna');
});
afterAll(async () => {
  await hardened?.close();
  await compatible?.close();
  await testDatabase?.drop();
});

const login = { grant_type: 'password', username: 'anna', password: 'anna' };
const authorize = (auth: RunningAuth) =>
  fetch(
    `${auth.url}/oauth2/authorize?${new URLSearchParams({ client_id: 'web', response_type: 'code', redirect_uri: CALLBACK })}`,
    {
      redirect: 'manual',
    },
  );

// Asserts contract/decisions.md#55.
test('the hardened profile gives no token for a password', async () => {
  expect((await compatible.post('/oauth/token', login)).status).toBe(200);
  const old = await hardened.post('/oauth/token', login);
  expect([old.status, old.json.error]).toEqual([401, 'invalid_client']);
  const today = await hardened.post('/oauth2/token', login);
  expect([today.status, today.json.error]).toEqual([400, 'unauthorized_client']);
});

// Asserts contract/decisions.md#55.
test('the hardened profile wants PKCE', async () => {
  expect((await authorize(compatible)).headers.get('location')).toMatch(/^\/as-login/);
  const location = new URL((await authorize(hardened)).headers.get('location') ?? '');
  expect([location.origin, location.searchParams.get('error')]).toEqual(['https://app.example', 'invalid_request']);
});

test('the compatible profile warns of each at the start', () => {
  const warnings = (auth: RunningAuth) => auth.log.filter((line) => line.includes('"level":"warn"'));
  expect(warnings(compatible).join('')).toContain('clients may use the password grant');
  expect(warnings(compatible).join('')).toContain('codes need no PKCE');
  expect(warnings(hardened).filter((line) => !line.includes('security.setting.insecure'))).toEqual([]);
});

test('insecure settings that are accepted are logged at the start, without secrets', () => {
  const accepted = hardened.log.filter((line) => line.includes('"event":"security.setting.insecure"')).join('');
  for (const property of ['svc.internal.secret', 'svc.authserver.client.demo.client-secret'])
    expect(accepted).toContain(`${property}: `);
  expect(accepted).not.toContain(INTERNAL_SECRET);
});
