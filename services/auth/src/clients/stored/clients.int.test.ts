import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createEnvelope } from '@lintel/events';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { CALLBACK, loginPages, verifier } from '../../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const ADMIN = {
  username: 'admin',
  isUnlimited: true,
  resourceRoles: ['system-full-access'],
  rowLevelRoles: [],
  coversMaker: true,
};
const LIMITED = {
  username: 'lead',
  isUnlimited: false,
  resourceRoles: ['rest-minimal'],
  rowLevelRoles: ['own-region'],
  coversMaker: true,
};
const SERVICE = { resourceRoles: ['rest-minimal'] };
const WEB = {
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: [CALLBACK],
  requireAuthorizationConsent: false,
};

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, { properties: { 'svc.authserver.issuer': 'http://lintel.example' } });
  await auth.addUser('anna');
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { codeFor } = loginPages(() => auth);
const call = (operation: string, request: object, at = auth) => at.internal(`/clients/${operation}`, request);
const create = async (client: object, caller: object = ADMIN) => call('create', { caller, client });
const created = async (client: object) => {
  const response = await create(client);
  expect([response.status, response.json.error]).toEqual([200, undefined]);
  return response.json as { clientId: string; clientSecret: string; secrets: { id: string }[] };
};
const update = (clientId: string, client: unknown, caller: object = ADMIN) =>
  call('update', { caller, clientId, client });
const token = (clientId: string, secret: string, at = auth) =>
  at.post('/oauth2/token', { grant_type: 'client_credentials' }, { client: `${clientId}:${secret}` });
const becomes = (status: number, clientId: string, secret: string, at = auth) =>
  eventually(async () => expect((await token(clientId, secret, at)).status).toBe(status));
const isTaken = async (value: string) => (await auth.internal('/exchange', { token: value })).status === 200;
const refresh = (value: string, clientId: string) =>
  auth.post(
    '/oauth2/token',
    { grant_type: 'refresh_token', refresh_token: value, client_id: clientId },
    { client: null },
  );
const refusalOf = ({ status, json }: Awaited<ReturnType<typeof call>>) => [status, json.details];

// Asserts contract/clients.md#clients.
test('a new client has a secret, which is shown once and stored as a hash, and its roles', async () => {
  const { clientId, clientSecret } = await created({ ...SERVICE, name: 'Billing' });
  expect(clientSecret).toMatch(/^[\w-]{43}$/);
  const { json } = await token(clientId, clientSecret);
  const session = await auth.sessions.load(
    (await auth.internal('/exchange', { token: json.access_token })).json.sessionId,
  );
  expect(session).toMatchObject({ kind: 'client', username: clientId, resourceRoles: ['rest-minimal'] });
  const [row] = await testDatabase.query<{ text: string }>(
    'SELECT concat(c::text, s::text) AS text FROM auth.client AS c JOIN auth.client_secret AS s USING (client_id) WHERE client_id = $1',
    [clientId],
  );
  expect(row?.text).toContain('$argon2id$');
  expect(row?.text).not.toContain(clientSecret);
  for (const response of [await call('get', { clientId }), await call('list', { limit: 1_000, offset: 0 })])
    expect(response.text).toMatch(/^(?!.*argon2).*Billing/);
  expect((await call('get', { clientId })).text).not.toContain(clientSecret);
  expect(auth.log.join('')).not.toContain(clientSecret);
  expect(auth.log.join('')).toContain('"reason":"created"');
});

// Asserts contract/clients.md#clients.
test('a wrong secret is counted and refused as one of the configuration', async () => {
  const { clientId } = await created(SERVICE);
  const [wrong, unknown] = [await token(clientId, 'wrong'), await token('no-such-client', 'wrong')];
  expect([wrong.status, wrong.text]).toEqual([401, unknown.text]);
  expect(auth.log.some((line) => line.includes('security.client.failed') && line.includes(clientId))).toBe(true);
});

// Asserts contract/clients.md#clients.
test('two secrets are valid at a time, until one ends or expires', async () => {
  const { clientId, clientSecret, secrets } = await created(SERVICE);
  const second = (await call('create-secret', { caller: ADMIN, clientId, secret: {} })).json;
  for (const secret of [clientSecret, second.clientSecret]) expect((await token(clientId, secret)).status).toBe(200);
  expect(refusalOf(await call('create-secret', { caller: ADMIN, clientId, secret: {} }))).toEqual([
    400,
    'A client has at most 2 secrets: end one first',
  ]);
  const first = secrets[0]?.id ?? '';
  expect((await call('remove-secret', { caller: ADMIN, clientId, secretId: first })).status).toBe(200);
  expect((await token(clientId, clientSecret)).status).toBe(401);
  expect((await call('remove-secret', { caller: ADMIN, clientId, secretId: first })).status).toBe(404);
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const third = (await call('create-secret', { caller: ADMIN, clientId, secret: { expiresAt } })).json;
  expect([third.expiresAt, (await token(clientId, third.clientSecret)).status]).toEqual([expiresAt, 200]);
  await testDatabase.query(`UPDATE auth.client_secret SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    third.id,
  ]);
  await changed(auth, clientId);
  await becomes(401, clientId, third.clientSecret);
  // An expired one does not count.
  expect((await call('create-secret', { caller: ADMIN, clientId, secret: {} })).status).toBe(200);
});

// Asserts contract/clients.md#clients.
test('a disabled client ends with its tokens and logins, at once, and works again without them', async () => {
  const service = await created({ ...SERVICE, ...WEB, grantTypes: ['client_credentials', ...WEB.grantTypes] });
  const client = `${service.clientId}:${service.clientSecret}`;
  const code = await codeFor('anna', { client_id: service.clientId });
  const login = (
    await auth.post(
      '/oauth2/token',
      { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
      { client },
    )
  ).json;
  const own = (await token(service.clientId, service.clientSecret)).json;
  auth.published.length = 0;
  expect((await update(service.clientId, { enabled: false })).json).toMatchObject({
    enabled: false,
    ...WEB,
    ...SERVICE,
    grantTypes: expect.any(Array),
  });
  expect(auth.published.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['auth.client.changed.v1', 'auth.session.ended.v1', 'auth.token.revoked.v1']),
  );
  for (const each of [login, own]) expect(await isTaken(each.access_token)).toBe(false);
  expect((await token(service.clientId, service.clientSecret)).status).toBe(401);
  expect((await update(service.clientId, { enabled: null })).json.enabled).toBe(true);
  for (const each of [login, own]) expect(await isTaken(each.access_token)).toBe(false);
  const refresh = { grant_type: 'refresh_token', refresh_token: login.refresh_token };
  expect((await auth.post('/oauth2/token', refresh, { client })).json.error).toBe('invalid_grant');
  expect((await token(service.clientId, service.clientSecret)).status).toBe(200);
});

// Asserts contract/clients.md#clients.
test('a client of an id that was removed has nothing of the former one', async () => {
  const { clientId, clientSecret } = await created({ clientId: 'again', ...SERVICE });
  const { json } = await token(clientId, clientSecret);
  await testDatabase.query(
    `INSERT INTO auth.oidc_model (model, id, payload) VALUES ('Consent', 'c1', '{"username":"anna","clientId":"again","scopes":[]}')`,
  );
  expect((await call('remove', { caller: ADMIN, clientId })).status).toBe(200);
  expect([await isTaken(json.access_token), (await call('get', { clientId })).status]).toEqual([false, 404]);
  await created({ clientId, ...SERVICE });
  expect((await token(clientId, clientSecret)).status).toBe(401);
  expect(await isTaken(json.access_token)).toBe(false);
  expect(await testDatabase.query(`SELECT FROM auth.oidc_model WHERE model = 'Consent' AND id = 'c1'`)).toEqual([]);
});

test('a client whose stored name is older than the rule of visible names goes on to work', async () => {
  const { clientId, clientSecret } = await created(SERVICE);
  await testDatabase.query(
    `UPDATE auth.client SET metadata = metadata || '{"name": "Bank\u200b"}' WHERE client_id = $1`,
    [clientId],
  );
  const other = await startAuth(testDatabase);
  try {
    expect((await token(clientId, clientSecret, other)).status).toBe(200);
    expect(refusalOf(await call('update', { caller: ADMIN, clientId, client: SERVICE }, other))).toEqual([
      400,
      expect.stringMatching(/^name: /),
    ]);
    const renamed = await call('update', { caller: ADMIN, clientId, client: { ...SERVICE, name: 'Bank' } }, other);
    expect(renamed.status).toBe(200);
  } finally {
    await other.close();
  }
});

// Asserts contract/clients.md#clients.
test('a client that has expired may do nothing, and its tokens are refused', async () => {
  const { clientId, clientSecret } = await created(SERVICE);
  const { json } = await token(clientId, clientSecret);
  expect((await update(clientId, { expiresAt: '2026-01-01T00:00:00Z' })).status).toBe(200);
  expect([(await token(clientId, clientSecret)).status, await isTaken(json.access_token)]).toEqual([401, false]);
});

// Asserts contract/clients.md#clients.
test('the user of a client that has expired is not disclosed to it', async () => {
  const { clientId } = await created({ ...WEB, authenticationMethods: ['none'] });
  const code = await codeFor('anna', { client_id: clientId, scope: 'openid' });
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const { json } = await auth.post('/oauth2/token', { ...form, client_id: clientId }, { client: null });
  const status = async () => {
    const headers = { authorization: `Bearer ${json.access_token}` };
    return (await fetch(`${auth.url}/oauth2/userinfo`, { headers })).status;
  };
  expect(await status()).toBe(200);
  await testDatabase.query(`UPDATE auth.client SET expires_at = '2026-01-01' WHERE client_id = $1`, [clientId]);
  await changed(auth, clientId);
  await eventually(async () => expect(await status()).toBe(401));
});

// Asserts contract/clients.md#members.
test('times with any offset are stored as what they mean', async () => {
  const expiresAt = '2099-01-01T00:00:00+23:30';
  const { clientId } = await created({ ...SERVICE, expiresAt });
  expect((await call('get', { clientId })).json.expiresAt).toBe('2098-12-31T00:30:00.000Z');
  const { json } = await call('create-secret', { caller: ADMIN, clientId, secret: { expiresAt } });
  expect(json.expiresAt).toBe('2098-12-31T00:30:00.000Z');
  const early = await call('create-secret', { caller: ADMIN, clientId, secret: { expiresAt: '0000-01-01T00:00:00Z' } });
  expect(refusalOf(early)).toEqual([400, expect.stringMatching(/^expiresAt: /)]);
});

// Asserts contract/clients.md#clients.
test('a client that authenticates with a secret from now on gets one', async () => {
  const { clientId, clientSecret } = await created({ ...WEB, authenticationMethods: ['none'] });
  expect(clientSecret).toBeUndefined();
  const { json } = await update(clientId, {
    authenticationMethods: ['client_secret_basic'],
    grantTypes: ['client_credentials'],
  });
  expect([json.secrets.length, (await token(clientId, json.clientSecret)).status]).toEqual([1, 200]);
  expect((await update(clientId, { name: 'Renamed' })).json.clientSecret).toBeUndefined();
});

// Asserts contract/clients.md#clients.
test('other roles end the tokens of the client', async () => {
  const { clientId, clientSecret } = await created({ resourceRoles: ['rest-minimal', 'sales-manager'] });
  const { json } = await token(clientId, clientSecret);
  expect((await update(clientId, { name: 'Renamed' })).status).toBe(200);
  expect(await isTaken(json.access_token)).toBe(true);
  await update(clientId, { resourceRoles: ['rest-minimal'] });
  expect(await isTaken(json.access_token)).toBe(false);
});

// Asserts contract/clients.md#members.
test('a public client of the database needs the proof of each code, and its refresh tokens rotate', async () => {
  const { clientId, clientSecret } = await created({
    ...WEB,
    authenticationMethods: ['none'],
    scopes: ['rest-api', 'own-scope'],
  });
  expect(clientSecret).toBeUndefined();
  const redeem = async (form: Record<string, string>) =>
    auth.post(
      '/oauth2/token',
      { grant_type: 'authorization_code', redirect_uri: CALLBACK, client_id: clientId, ...form },
      { client: null },
    );
  const ask = () => codeFor('anna', { client_id: clientId, scope: 'own-scope rest-api' });
  expect((await redeem({ code: await ask(), code_verifier: '' })).json.error).toBe('invalid_grant');
  const { json } = await redeem({ code: await ask(), code_verifier: verifier });
  expect([json.scope.split(' ').sort(), await isTaken(json.access_token)]).toEqual([['own-scope', 'rest-api'], true]);
  const next = await refresh(json.refresh_token, clientId);
  expect([next.status, next.json.refresh_token === json.refresh_token]).toEqual([200, false]);
  expect((await refresh(json.refresh_token, clientId)).json.refresh_token).toBe(next.json.refresh_token);
  const metadata = await (await fetch(`${auth.url}/.well-known/openid-configuration`)).json();
  expect(metadata).toMatchObject({ scopes_supported: expect.arrayContaining(['own-scope']) });
});

// Asserts contract/clients.md#clients.
test('a replica follows changes of another one by the event', async () => {
  const replica = await startAuth(testDatabase);
  try {
    const { clientId, clientSecret } = await created(SERVICE);
    expect((await token(clientId, clientSecret, replica)).status).toBe(401);
    await changed(replica, clientId);
    await becomes(200, clientId, clientSecret, replica);
    await update(clientId, { enabled: false });
    await changed(replica, clientId);
    await becomes(401, clientId, clientSecret, replica);
  } finally {
    await replica.close();
  }
});

// Asserts contract/clients.md#clients.
test('a client of the configuration wins over one of the database, which is reported at the start', async () => {
  expect(refusalOf(await create({ clientId: 'client' }))).toEqual([409, 'clientId: there is a client client']);
  for (const operation of ['update', 'remove', 'create-secret'])
    expect(refusalOf(await call(operation, { caller: ADMIN, clientId: 'client', client: {}, secret: {} }))).toEqual([
      403,
      'The client client is part of the configuration',
    ]);
  const { clientSecret } = await created({ clientId: 'shadow', ...SERVICE });
  const prefix = 'svc.authserver.client.shadow';
  const other = await startAuth(testDatabase, {
    properties: { [`${prefix}.client-id`]: 'shadow', [`${prefix}.client-secret`]: 'configured' },
  });
  try {
    expect(other.log.join('')).toMatch(/"clients":"shadow"[^\n]*configuration has clients of the same id/);
    expect((await token('shadow', clientSecret, other)).status).toBe(401);
    expect((await token('shadow', 'configured', other)).status).toBe(200);
    expect((await call('get', { clientId: 'shadow' }, other)).json.source).toBe('configuration');
  } finally {
    await other.close();
  }
});

const GOOD_KEY = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const signedWith = (...keys: object[]) => ({ authenticationMethods: ['private_key_jwt'], jwks: { keys } });

const edKey = (y: string): object => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: Buffer.from(y.padEnd(64, '0'), 'hex').toString('base64url'),
});

// Asserts contract/clients.md#members.
test.each<[string, object, RegExp]>([
  ['the name of a user', { clientId: 'anna' }, /^clientId: is the name of a user/],
  ['the name of a user without a login', { clientId: 'anonymous' }, /^clientId: is the name/],
  ['an id with a slash', { clientId: 'a/b' }, /^clientId: must be/],
  ['an unknown member', { clientSecret: 'chosen' }, /clientSecret/],
  ['no redirect address', { grantTypes: ['authorization_code'] }, /needs redirectUris/],
  [
    'an address without encryption',
    { ...WEB, redirectUris: ['http://shop.example/'] },
    /^redirectUris\.0: must be https/,
  ],
  ['a script as address', { ...WEB, redirectUris: ['javascript:alert(1)'] }, /^redirectUris\.0: /],
  [
    'a script after the logout',
    { ...WEB, postLogoutRedirectUris: ['data:text/html,x'] },
    /^postLogoutRedirectUris\.0: /,
  ],
  ['a public client with its own roles', { authenticationMethods: ['none'] }, /has grantTypes of/],
  ['a method without its keys', { authenticationMethods: ['private_key_jwt'] }, /need each other/],
  ['a private key', { authenticationMethods: ['private_key_jwt'], jwks: { keys: [{ kty: 'EC', d: 'x' }] } }, /^jwks: /],
  ['a point off the curve', signedWith({ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }), /^jwks: /],
  ['a point off the curve Ed25519', signedWith(edKey('02')), /^jwks: /],
  ['a point of a small order, with which anybody signs', signedWith(edKey('01')), /^jwks: /],
  ['an RSA key of 24 bits', signedWith({ kty: 'RSA', n: '8QAB', e: 'AQAB' }), /^jwks: /],
  ['a key of no algorithm of assertions', signedWith({ kty: 'OKP', crv: 'X25519', x: 'C'.repeat(43) }), /^jwks: /],
  ['a good key and a bad one', signedWith(GOOD_KEY, { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }), /^jwks: /],
  ['a token for years', { accessTokenTimeToLive: 100_000_000 }, /^accessTokenTimeToLive is at most .*: 43200/],
  ['a scope with a blank', { scopes: ['a b'] }, /^scopes\.0: /],
  ['a scope twice', { scopes: ['a', 'a'] }, /^scopes: /],
  ['a control character', { name: 'a\u0000b' }, /^name: /],
  [
    '51 addresses',
    { ...WEB, redirectUris: Array.from({ length: 51 }, (_, at) => `https://a.example/${at}`) },
    /^redirectUris: /,
  ],
  ['a time that is none', { expiresAt: 'tomorrow' }, /^expiresAt: /],
  ['a time that no column can store', { expiresAt: '0000-01-01T00:00:00Z' }, /^expiresAt: /],
  ['half a character', { name: 'a\ud800' }, /^name: /],
  ['an invisible character in a name', { name: 'Bank\u200b' }, /^name: must not be blank or have invisible/],
  ['a name whose direction changes', { name: 'shop \u202etxt.exe' }, /^name: /],
  ['half a character in an address', { ...WEB, redirectUris: ['https://a.example/\ud800'] }, /^redirectUris\.0: /],
  [
    'a control character in an address',
    { ...WEB, backchannelLogoutUri: 'https://a.example/\u0000' },
    /^backchannelLogoutUri: /,
  ],
  [
    'a control character in a key',
    { authenticationMethods: ['private_key_jwt'], jwks: { keys: [{ kty: 'EC', kid: '\u0000' }] } },
    /^jwks: /,
  ],
  [
    'a key with members of members',
    { authenticationMethods: ['private_key_jwt'], jwks: { keys: [{ kty: 'EC', kid: { a: { b: 1 } } }] } },
    /^jwks\.keys\.0\.kid: /,
  ],
])('%s is refused, and nothing is stored', async (_case, client, details) => {
  const count = 'SELECT count(*)::int AS n FROM auth.client';
  const [before] = await testDatabase.query(count);
  const response = await create(client);
  expect([response.status, response.json.details]).toEqual([400, expect.stringMatching(details)]);
  expect(await testDatabase.query(count)).toEqual([before]);
});

test('a new id differs from others not in its case alone; clients that do already go on to work', async () => {
  const { clientId } = await created({ clientId: 'Case-Of-Id', ...SERVICE });
  for (const [id, other] of [
    ['CLIENT', 'client'],
    ['case-of-id', clientId],
    [clientId, clientId],
  ])
    expect(refusalOf(await create({ clientId: id, ...SERVICE }))).toEqual([
      409,
      `clientId: there is a client ${other}`,
    ]);
  const both = ['Both-1', 'BOTH-1'].map((id) => create({ clientId: id, ...SERVICE }));
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
  const existing = 'CASE-OF-ID';
  await testDatabase.query(
    `INSERT INTO auth.client (client_id, metadata, enabled, created_by, updated_by)
    SELECT $1, metadata, enabled, created_by, updated_by FROM auth.client WHERE client_id = $2`,
    [existing, clientId],
  );
  expect((await update(existing, { name: 'Other' })).status).toBe(200);
  const { clientSecret } = (await call('create-secret', { caller: ADMIN, clientId: existing, secret: {} })).json;
  expect((await token(existing, clientSecret)).status).toBe(200);
});

const ASKING = { ...WEB, requireAuthorizationConsent: undefined, authenticationMethods: ['none'] };
const ABOVE = { ...LIMITED, coversMaker: false };

// Asserts contract/clients.md#trust.
test('only callers with full access make a client that needs no consent', async () => {
  const refused = (clientId: string) => [
    403,
    `requireAuthorizationConsent: only callers with full access make ${clientId} a client that needs no consent`,
  ];
  const asking = await create({ ...ASKING, clientId: 'asking-one' }, LIMITED);
  expect(asking.json).toMatchObject({ requireAuthorizationConsent: true });
  expect(refusalOf(await create({ ...WEB, clientId: 'trusted' }, LIMITED))).toEqual(refused('trusted'));
  const trust = { requireAuthorizationConsent: false };
  expect(refusalOf(await update('asking-one', trust, LIMITED))).toEqual(refused('asking-one'));
  // A service has no users, until it has another grant.
  const { clientId } = await created({ ...SERVICE, rowLevelRoles: ['own-region'], ...trust });
  expect((await update(clientId, { ...ASKING, ...trust, resourceRoles: [] }, LIMITED)).status).toBe(403);
  expect((await update(clientId, { name: 'Service' }, LIMITED)).status).toBe(200);
  await created({ ...WEB, clientId: 'trusted', authenticationMethods: ['none'] });
  expect((await update('trusted', { redirectUris: ['https://evil.example/'] }, LIMITED)).json.details).toMatch(
    /^The client trusted needs no consent of its users: only callers with full access/,
  );
  const next = await startAuth(testDatabase);
  expect(next.log.join('')).toMatch(/"clients":"[^"]*trusted[^\n]*need no consent of their users/);
  await next.close();
});

// Asserts contract/clients.md#trust.
test('what is dangerous about a client of somebody with more rights stays', async () => {
  const { clientId, secrets } = await created({ ...WEB, requireAuthorizationConsent: true });
  const secretId = secrets[0]?.id;
  for (const [operation, request] of [
    ['update', { client: { redirectUris: ['https://evil.example/'] } }],
    ['update', { client: { postLogoutRedirectUris: ['https://evil.example/'] } }],
    ['update', { client: { backchannelLogoutUri: 'https://evil.example/' } }],
    ['update', { client: { grantTypes: [...WEB.grantTypes, 'urn:ietf:params:oauth:grant-type:device_code'] } }],
    ['update', { client: { requiredAcr: 'urn:lintel:acr:2fa' } }],
    ['update', { client: { authenticationMethods: ['none'] } }],
    ['remove', {}],
    ['create-secret', { secret: {} }],
    ['remove-secret', { secretId }],
  ] as const)
    expect(refusalOf(await call(operation, { caller: ABOVE, clientId, ...request }))).toEqual([
      403,
      `The client ${clientId} was made by a user with more rights: only callers with full access change its secrets, addresses, grants and trust, or remove it`,
    ]);
  expect((await update(clientId, { ...WEB, requireAuthorizationConsent: true, name: 'Shop' }, ABOVE)).status).toBe(200);
});

// Asserts contract/clients.md#trust.
test('a dangerous change ends the logins and consents of the client', async () => {
  const { clientId } = await created({ ...WEB, authenticationMethods: ['none'] });
  const login = async () => {
    const code = await codeFor('anna', { client_id: clientId, scope: 'rest-api' });
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    const { json } = await auth.post('/oauth2/token', { ...form, client_id: clientId }, { client: null });
    await testDatabase.query(
      `UPDATE auth.oidc_model SET payload = payload || '{"scopes":["rest-api"]}' WHERE model = 'Consent' AND payload->>'clientId' = $1`,
      [clientId],
    );
    return json.access_token as string;
  };
  const consents = async () => (await auth.internal('/consents/list', { username: 'anna' })).text;
  const first = await login();
  expect((await update(clientId, { name: 'Shop', ...WEB })).status).toBe(200);
  expect([await isTaken(first), (await consents()).includes(clientId)]).toEqual([true, true]);
  expect((await update(clientId, { redirectUris: [CALLBACK, 'https://app.example/other'] })).status).toBe(200);
  expect([await isTaken(first), (await consents()).includes(clientId)]).toEqual([false, false]);
});

// Asserts contract/clients.md#roles.
test('a caller cannot give a client roles that the caller does not have, or take over a client that has them', async () => {
  expect(refusalOf(await create({ resourceRoles: ['sales-manager'] }, LIMITED))).toEqual([
    403,
    'resourceRoles: the caller does not have sales-manager',
  ]);
  expect((await create(SERVICE, LIMITED)).status).toBe(403);
  const own = await create({ ...SERVICE, rowLevelRoles: ['own-region'] }, LIMITED);
  expect(own.status).toBe(200);
  expect((await update(own.json.clientId, { rowLevelRoles: [] }, LIMITED)).status).toBe(403);
  const { clientId, secrets } = await created({ resourceRoles: ['system-full-access'] });
  const secretId = secrets[0]?.id;
  for (const [operation, request] of [
    ['create-secret', { secret: {} }],
    ['remove-secret', { secretId }],
    ['update', { client: { resourceRoles: [] } }],
    ['update', { client: { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x' }] } } }],
    ['remove', {}],
  ] as const)
    expect([operation, (await call(operation, { caller: LIMITED, clientId, ...request })).status]).toEqual([
      operation,
      403,
    ]);
});

// Asserts contract/clients.md#members.
test('the number of clients has a limit', async () => {
  const other = await startAuth(testDatabase, { properties: { 'svc.authserver.max-clients': '0' } });
  try {
    const response = await call('create', { caller: ADMIN, client: SERVICE }, other);
    expect(refusalOf(response)).toEqual([400, 'There are 0 clients already (svc.authserver.max-clients)']);
  } finally {
    await other.close();
  }
});

// Asserts contract/clients.md#clients.
test('concurrent changes: one wins, the other one is reported', async () => {
  const { clientId } = await created(SERVICE);
  const all = await Promise.all([1, 2, 3, 4].map((n) => update(clientId, { name: `n${n}` })));
  const statuses = all.map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(statuses.every((status) => status === 200 || status === 412)).toBe(true);
});

async function changed(at: RunningAuth, clientId: string): Promise<void> {
  const type = 'auth.client.changed.v1';
  const parts = { owner: 'auth', subject: clientId, id: randomUUID(), time: new Date() } as const;
  await at.bus.publish([createEnvelope({ ...parts, type, data: { clientId } })]);
}
