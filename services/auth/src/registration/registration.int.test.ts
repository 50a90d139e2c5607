import { DECISION_FIELD } from '@lintel/login';
import type { TestDatabase } from '@lintel/testkit';
import { Browser, CALLBACK, fieldsOf, loginPages, verifier } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth, viaGateway } from '../../test/start-auth.ts';

const TOKEN = 'initial-access-token-of-the-test-0123';
const PROPERTIES = {
  'svc.authserver.issuer': 'http://lintel.example',
  'svc.auth.registration.enabled': 'true',
  'svc.auth.registration.initial-access-token': TOKEN,
  'svc.auth.registration.scopes': 'rest-api,reports',
};
const PUBLIC = {
  client_name: 'An agent',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
};

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, { properties: PROPERTIES });
  await auth.addUser('anna');
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { open } = loginPages(() => auth);

/** Each call comes from an address of its own, unless it names one. */
let calls = 0;
async function call(
  method: string,
  path: string,
  body: unknown,
  token: string | undefined = TOKEN,
  address?: string,
  at = auth,
) {
  calls += 1;
  const response = await fetch(`${at.url}/oauth2/register${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...viaGateway({ 'x-forwarded-for': address ?? `198.51.${Math.floor(calls / 200)}.${calls % 200}` }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  const json: any = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, json };
}
async function register(metadata: object = PUBLIC) {
  const response = await call('POST', '', metadata);
  expect([response.status, response.json.error_description]).toEqual([201, undefined]);
  return response.json;
}

// Asserts contract/clients.md#registration.
test('without the setting there is no endpoint, and discovery does not name one', async () => {
  const off = await startAuth(testDatabase);
  try {
    expect((await fetch(`${off.url}/oauth2/register`, { method: 'POST' })).status).toBe(404);
    const metadata = await (await fetch(`${off.url}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).not.toHaveProperty('registration_endpoint');
  } finally {
    await off.close();
  }
  const on = await (await fetch(`${auth.url}/.well-known/oauth-authorization-server`)).json();
  expect(on).toMatchObject({ registration_endpoint: 'http://lintel.example/oauth2/register' });
});

// Asserts contract/clients.md#registration.
test('it needs the initial token in the settings', async () => {
  const { 'svc.auth.registration.initial-access-token': _, ...without } = PROPERTIES;
  await expect(startAuth(testDatabase, { properties: without })).rejects.toThrow(/initial-access-token/);
});

// Asserts contract/clients.md#registration.
test('a registered client logs users in after their consent, with the scopes that it registered', async () => {
  const client = await register({ ...PUBLIC, scope: 'openid rest-api' });
  expect(client).toEqual({
    client_id: expect.any(String),
    client_id_issued_at: expect.any(Number),
    client_name: 'An agent',
    redirect_uris: [CALLBACK],
    post_logout_redirect_uris: [],
    grant_types: PUBLIC.grant_types,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'rest-api',
    registration_access_token: expect.any(String),
    registration_client_uri: `http://lintel.example/oauth2/register/${client.client_id}`,
  });
  const { browser, submit } = await open({ client_id: client.client_id, scope: 'rest-api' });
  const { page = '' } = await submit({ username: 'anna', password: 'anna' });
  expect(page).toContain('An agent');
  const { action, proof } = fieldsOf(page);
  const { left } = await new Browser(auth, browser.cookieHeader()).follow(
    await browser.ask(action, { proof, [DECISION_FIELD]: 'consent' }),
  );
  const form = {
    grant_type: 'authorization_code',
    code: left?.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    client_id: client.client_id,
  };
  const tokens = await auth.post('/oauth2/token', form, { client: null });
  expect([tokens.status, tokens.json.scope]).toEqual([200, 'rest-api']);
  const other = { ...form, grant_type: 'client_credentials' };
  expect((await auth.post('/oauth2/token', other, { client: null })).json.error).toBe('unauthorized_client');
});

// Asserts contract/clients.md#registration.
test('a client with a secret gets one, once, and may not act for itself', async () => {
  const client = await register({ redirect_uris: [CALLBACK] });
  expect(client).toMatchObject({ client_secret: expect.any(String), client_secret_expires_at: 0 });
  const wrong = await auth.post(
    '/oauth2/token',
    { grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK },
    {
      client: `${client.client_id}:${client.client_secret}`,
    },
  );
  expect(wrong.json.error).toBe('invalid_grant');
  const read = await call('GET', `/${client.client_id}`, undefined, client.registration_access_token);
  expect([read.status, read.json.client_secret, read.json.registration_access_token]).toEqual([
    200,
    undefined,
    undefined,
  ]);
  const [row] = await testDatabase.query<{ text: string }>(
    'SELECT c::text AS text FROM auth.client AS c WHERE client_id = $1',
    [client.client_id],
  );
  expect(row?.text).not.toContain(client.registration_access_token);
  expect(auth.log.join('')).not.toContain(client.registration_access_token);
});

// Asserts contract/clients.md#registration.
test('a client reads, replaces and removes its registration, and no other one', async () => {
  const [client, other] = [await register(), await register()];
  const path = `/${client.client_id}`;
  const token = client.registration_access_token;
  const next = {
    ...PUBLIC,
    client_id: client.client_id,
    client_name: 'Renamed',
    redirect_uris: ['https://new.example/'],
  };
  const { registration_access_token: _, ...registered } = client;
  expect((await call('GET', path, undefined, token)).json).toEqual(registered);
  expect((await call('PUT', path, next, token)).json).toEqual({
    ...registered,
    client_name: 'Renamed',
    redirect_uris: ['https://new.example/'],
  });
  expect((await call('PUT', path, { ...next, client_id: other.client_id }, token)).status).toBe(400);
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', next],
    ['DELETE', undefined],
  ] as const)
    for (const wrong of [other.registration_access_token, TOKEN, 'wrong', undefined, `${token}x`])
      expect([method, (await call(method, path, body, wrong)).status]).toEqual([method, 401]);
  expect((await call('DELETE', path, undefined, token)).status).toBe(204);
  // As for a wrong token: whether there is such a client is not disclosed.
  const gone = await call('GET', path, undefined, token);
  expect([gone.status, gone.json]).toEqual([401, (await call('GET', '/never-there', undefined, token)).json]);
});

// Asserts contract/clients.md#registration.
test('wrong tokens are counted: after five the right one is refused from this address', async () => {
  const address = '203.0.113.77';
  for (const _ of [1, 2, 3, 4, 5]) expect((await call('POST', '', PUBLIC, 'guess', address)).status).toBe(401);
  expect((await call('POST', '', PUBLIC, TOKEN, address)).status).toBe(429);
  expect((await call('POST', '', PUBLIC, TOKEN, '203.0.113.78')).status).toBe(201);
});

// Asserts contract/clients.md#registration.
test('wrong tokens of other addresses do not refuse the right one', async () => {
  const guesses = Array.from({ length: 160 }, (_, at) => call('POST', '', PUBLIC, 'guess', `192.0.2.${at}`));
  expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401]));
  expect((await call('POST', '', PUBLIC, TOKEN, '192.0.2.200')).status).toBe(201);
});

// Asserts contract/clients.md#registration.
test.each<[string, unknown, string]>([
  ['no JSON', '{', 'invalid_client_metadata'],
  ['no object', [], 'invalid_client_metadata'],
  ['the grant of clients', { ...PUBLIC, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
  ['the grant of passwords', { ...PUBLIC, grant_types: ['password'] }, 'invalid_client_metadata'],
  ['an implicit response', { ...PUBLIC, response_types: ['token'] }, 'invalid_client_metadata'],
  ['a foreign scope', { ...PUBLIC, scope: 'rest-api admin' }, 'invalid_client_metadata'],
  ['an address of keys', { ...PUBLIC, jwks_uri: 'http://169.254.169.254/' }, 'invalid_client_metadata'],
  [
    'a private key',
    { ...PUBLIC, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'EC', d: 'x' }] } },
    'invalid_client_metadata',
  ],
  ['no redirect', { ...PUBLIC, redirect_uris: [] }, 'invalid_client_metadata'],
  ['a redirect without encryption', { ...PUBLIC, redirect_uris: ['http://evil.example/'] }, 'invalid_redirect_uri'],
  ['a script', { ...PUBLIC, redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  [
    'a logout to a script',
    { ...PUBLIC, post_logout_redirect_uris: ['javascript:alert(1)'] },
    'invalid_client_metadata',
  ],
  ['half a character', { ...PUBLIC, client_name: '\ud800' }, 'invalid_client_metadata'],
  ['a name with a character of no width', { ...PUBLIC, client_name: 'Bank\u200b' }, 'invalid_client_metadata'],
  ['a name with a direction', { ...PUBLIC, client_name: '\u202eknaB' }, 'invalid_client_metadata'],
  ['a name of 101 characters', { ...PUBLIC, client_name: 'x'.repeat(101) }, 'invalid_client_metadata'],
])('%s is refused', async (_case, metadata, error) => {
  const response = await call('POST', '', metadata);
  expect([response.status, response.json.error]).toEqual([400, error]);
});

// Asserts contract/clients.md#registration.
test('a key of thousands of levels is refused', async () => {
  const levels = '['.repeat(7_000) + ']'.repeat(7_000);
  const text = `{"redirect_uris":["${CALLBACK}"],"jwks":{"keys":[{"kty":"EC","x":${levels}}]}}`;
  const { status, json } = await call('POST', '', text);
  expect([status, json.error]).toEqual([400, 'invalid_client_metadata']);
});

// Asserts contract/clients.md#registration, contract/clients.md#trust.
test('metadata of other kinds have no effect: roles, consent, an id, addresses to load', async () => {
  const client = await register({
    ...PUBLIC,
    client_id: 'client',
    resourceRoles: ['system-full-access'],
    requireAuthorizationConsent: false,
    logo_uri: 'http://169.254.169.254/',
  });
  const admin = { username: 'admin', isUnlimited: true, resourceRoles: [], rowLevelRoles: [], coversMaker: true };
  expect(client.client_id).not.toBe('client');
  expect((await auth.internal('/clients/get', { clientId: client.client_id })).json).toMatchObject({
    resourceRoles: [],
    requireAuthorizationConsent: true,
    createdBy: 'dynamic registration',
  });
  const change = (more: object) =>
    auth.internal('/clients/update', { caller: admin, clientId: client.client_id, client: more });
  expect((await change({ requireAuthorizationConsent: false })).json.details).toMatch(/must be true, since .* itself$/);
  await change({ enabled: false });
  const path = `/${client.client_id}`;
  expect((await call('GET', path, undefined, client.registration_access_token)).status).toBe(401);
});

// Asserts contract/clients.md#clients.
test('a public client that authenticates with a secret from now on gets one', async () => {
  const client = await register();
  const next = { ...PUBLIC, client_id: client.client_id, token_endpoint_auth_method: 'client_secret_basic' };
  const { json } = await call('PUT', `/${client.client_id}`, next, client.registration_access_token);
  expect(json).toMatchObject({ client_secret: expect.any(String), client_secret_expires_at: 0 });
  const wrongCode = await auth.post(
    '/oauth2/token',
    { grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK },
    { client: `${client.client_id}:${json.client_secret}` },
  );
  expect(wrongCode.json.error).toBe('invalid_grant');
  const again = await call('PUT', `/${client.client_id}`, next, client.registration_access_token);
  expect([again.status, again.json.client_secret]).toEqual([200, undefined]);
});

// Asserts contract/clients.md#registration.
test('registered clients that expired a day ago make room for new ones, with the consents to them', async () => {
  const [old, recent] = [await register(), await register()];
  const { json: ofAdmin } = await auth.internal('/clients/create', {
    caller: { username: 'admin', isUnlimited: true, resourceRoles: [], rowLevelRoles: [], coversMaker: true },
    client: { resourceRoles: ['rest-minimal'] },
  });
  for (const [id, age] of [
    [old.client_id, '25 hours'],
    [ofAdmin.clientId, '25 hours'],
    [recent.client_id, '23 hours'],
  ])
    await testDatabase.query('UPDATE auth.client SET expires_at = now() - $2::interval WHERE client_id = $1', [
      id,
      age,
    ]);
  await testDatabase.query(
    `INSERT INTO auth.oidc_model (model, id, payload) VALUES ('Consent', 'old', jsonb_build_object('clientId', $1::text))`,
    [old.client_id],
  );
  await register();
  const left = await testDatabase.query<{ id: string }>('SELECT client_id AS id FROM auth.client');
  const ids = left.map(({ id }) => id);
  expect(ids).not.toContain(old.client_id);
  expect(ids).toEqual(expect.arrayContaining([recent.client_id, ofAdmin.clientId]));
  expect(await testDatabase.query(`SELECT FROM auth.oidc_model WHERE id = 'old'`)).toEqual([]);
});

// Asserts contract/clients.md#registration.
test('registered clients expire if the setting says so', async () => {
  const brief = await startAuth(testDatabase, {
    properties: { ...PROPERTIES, 'svc.auth.registration.client-time-to-live': '30d' },
  });
  try {
    const { json } = await call('POST', '', PUBLIC, TOKEN, undefined, brief);
    const { expiresAt } = (await brief.internal('/clients/get', { clientId: json.client_id })).json;
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 29 * 24 * 3_600_000);
  } finally {
    await brief.close();
  }
});
