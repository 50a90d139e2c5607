import { DECISION_FIELD } from '@lintel/login';
import type { TestDatabase } from '@lintel/testkit';
import { authorization, type Browser, CALLBACK, fieldsOf, loginPages } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client.asking';

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': 'http://lintel.example',
      [`${CLIENT}.client-id`]: 'asking',
      [`${CLIENT}.client-name`]: 'The Shop',
      [`${CLIENT}.client-secret`]: 'secret',
      [`${CLIENT}.grant-types`]: 'authorization_code,refresh_token',
      [`${CLIENT}.redirect-uris`]: CALLBACK,
      [`${CLIENT}.require-authorization-consent`]: 'true',
    },
  });
  for (const username of ['anna', 'bert']) await auth.addUser(username);
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { open, redeem } = loginPages(() => auth);
const list = async (username: string) => (await auth.internal('/consents/list', { username })).json;
const end = async (username: string, clientId: string, by = username) =>
  (await auth.internal('/consents/end', { username, clientId, by })).json.ended;

/** Logs a user in, who allows the client what it asks for. */
async function allow(username: string, scope: string) {
  const { browser, submit } = await open({ client_id: 'asking', scope });
  const { page = '' } = await submit({ username, password: username });
  const { action, proof } = fieldsOf(page);
  const { left } = await browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'consent' }));
  const { json } = await redeem(left?.searchParams.get('code') ?? '', {}, 'asking:secret');
  return { browser, token: String(json.access_token) };
}
const isTaken = async (token: string) => (await auth.internal('/exchange', { token })).status === 200;
const asks = async (browser: Browser) => {
  const next = await browser.follow(await browser.ask(authorization({ client_id: 'asking', scope: 'rest-api' })));
  return next.page?.includes('<h1>Allow access?</h1>') === true;
};

// Asserts contract/user.md#consents.
test('a user sees a consent, and ends it with the tokens of the client; it must ask again', async () => {
  const { browser, token } = await allow('anna', 'rest-api');
  const other = await allow('bert', 'openid rest-api');
  expect(await list('anna')).toEqual([
    { clientId: 'asking', clientName: 'The Shop', scopes: ['rest-api'], expiresAt: expect.stringMatching(/Z$/) },
  ]);
  expect(await list('bert')).toMatchObject([{ scopes: ['openid', 'rest-api'] }]);
  expect(await asks(browser)).toBe(false);
  expect(await end('anna', 'asking')).toBe(true);
  expect([await isTaken(token), await asks(browser), await list('anna')]).toEqual([false, true, []]);
  expect([await isTaken(other.token), await asks(other.browser)]).toEqual([true, false]);
  expect(auth.log.filter((line) => line.includes('security.consent.ended')).join()).toMatch(
    /"anna".*ended by the user/,
  );
});

// Asserts contract/user.md#consents.
test('there is nothing to end twice, at an unknown client, or of an unknown user', async () => {
  await allow('anna', 'rest-api');
  expect(await end('anna', 'asking', 'admin')).toBe(true);
  for (const [username, clientId] of [
    ['anna', 'asking'],
    ['anna', 'none'],
    ['none', 'asking'],
  ] as const)
    expect(await end(username, clientId)).toBe(false);
});

// Asserts contract/user.md#consents.
test('an expired consent is not listed', async () => {
  await allow('anna', 'rest-api');
  await testDatabase.query(
    `UPDATE auth.oidc_model SET expires_at = now() - interval '1 second' WHERE model = 'Consent'`,
  );
  expect([await list('anna'), await end('anna', 'asking')]).toEqual([[], false]);
});

test('the next user of a name has not the consents of the former one', async () => {
  await auth.addUser('carl');
  await allow('carl', 'rest-api');
  await testDatabase.query(`UPDATE sec."user" SET id = gen_random_uuid() WHERE username = 'carl'`);
  expect([await list('carl'), await end('carl', 'asking')]).toEqual([[], false]);
  await allow('carl', 'openid');
  expect(await list('carl')).toMatchObject([{ scopes: ['openid'] }]);
});
